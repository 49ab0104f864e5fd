import Containers
import ImageCore

/// One camera profile of a DNG (DNG 1.7.1 chapter 6): the color model, tables and tone curve. The
/// primary one is stored in IFD 0, others in ExtraCameraProfiles.
package struct DNGProfile: Sendable {
  /// ProfileDynamicRange.
  package enum Range: Sendable, Hashable {
    case standard
    /// `peak`: maximum output value of the profile; nil if undeclared.
    case high(peak: Float?)

    package var isHigh: Bool { self != .standard }
  }

  /// ProfileName; "Embedded", "Profile 2" and so on if absent.
  package let name: String
  /// ProfileGroupName, shared by variants for different ranges; empty for none.
  package let groupName: String
  package let copyright: String
  /// ProfileEmbedPolicy: 0 copying allowed, 1 embedding, 2 never, 3 no restrictions.
  package let embedPolicy: Int
  package let range: Range
  /// The color model; nil without matrices.
  package let camera: CameraProfile?
  /// BaselineExposureOffset in stops.
  package let baselineExposureOffset: Double
  /// Whether the rendering subtracts black: DefaultBlackRender is not 1 and the picture is
  /// scene-referred.
  package let rendersBlack: Bool
  /// ProfileToneCurve, x increasing; empty for none.
  package let toneCurve: [SIMD2<Double>]
  /// ProfileHueSatMap of each calibration of `camera`, then maps without calibration.
  package let hueSatMaps: [HueSatTable?]
  package let lookTable: HueSatTable?
  package let gainTableMap: GainTableMap?
  package let rgbTables: RGBTables?

  /// The tags of one profile, and of its file.
  struct Source {
    /// Finds a tag of the profile.
    var profile: (UInt16) -> TIFFEntry?
    /// Finds a tag that all profiles of the file share.
    var shared: (UInt16) -> TIFFEntry?
    /// The name of a profile without ProfileName.
    var fallbackName: String
    /// The file's gain table map for profiles without one.
    var gainTableMap: GainTableMap?
    /// As-shot illuminant information if no tag declares it.
    var capture: DNGColor.Capture?
    /// Whether damaged tables and curves are ignored: the colors do not depend on them.
    var isLenient = false
  }

  /// Ignored tags.
  let warnings: [String]

  /// Throws if a table is damaged, unless `source` is lenient.
  init(_ source: Source) throws(TagFault) {
    let tag = source.profile
    func named(_ number: UInt16) -> String { tag(number)?.name ?? "" }
    name = named(DNGTag.profileName).isEmpty ? source.fallbackName : named(DNGTag.profileName)
    groupName = named(DNGTag.profileGroupName)
    copyright = tag(DNGTag.profileCopyright)?.text ?? ""
    embedPolicy = tag(DNGTag.profileEmbedPolicy)?.integer ?? 0
    range = try Self.range(tag(DNGTag.profileDynamicRange))
    let color = try DNGColor(
      profile: tag, shared: source.shared, capture: source.capture)
    camera = CameraProfile(color)
    let offset = tag(DNGTag.baselineExposureOffset)?.number ?? 0
    baselineExposureOffset = abs(offset) <= DNGTags.maxStops ? offset : 0
    let black =
      tag(DNGTag.defaultBlackRender)?.integer ?? source.shared(DNGTag.defaultBlackRender)?.integer
    rendersBlack = black != 1 && (source.shared(DNGTag.colorimetricReference)?.integer ?? 0) == 0
    var warnings: [String] = []
    func read<R>(_ part: () throws(TagFault) -> R?) throws(TagFault) -> R? {
      do { return try part() } catch {
        guard source.isLenient else { throw error }
        warnings.append(error.message + " and was ignored")
        return nil
      }
    }
    toneCurve =
      try read { () throws(TagFault) in try Self.toneCurve(tag(DNGTag.profileToneCurve)) } ?? []

    var maps: [HueSatTable?] = []
    for data: UInt16 in [
      DNGTag.profileHueSatMapData1, DNGTag.profileHueSatMapData2, DNGTag.profileHueSatMapData3,
    ] {
      maps.append(
        try read { () throws(TagFault) in
          try HueSatTable(
            dimensions: tag(DNGTag.profileHueSatMapDims), data: tag(data),
            encoding: tag(DNGTag.profileHueSatMapEncoding),
            name: "ProfileHueSatMap")
        })
    }
    let numbers = color.calibrations.map(\.number)
    hueSatMaps = (numbers + (0..<3).filter { !numbers.contains($0) }).map { maps[$0] }
    lookTable = try read { () throws(TagFault) in
      try HueSatTable(
        dimensions: tag(DNGTag.profileLookTableDims), data: tag(DNGTag.profileLookTableData),
        encoding: tag(DNGTag.profileLookTableEncoding), name: "ProfileLookTable")
    }
    var map = source.gainTableMap
    if let own = tag(DNGTag.profileGainTableMap2) { map = try GainTableMap(own, isSecond: true) }
    gainTableMap = map
    rgbTables = try read { () throws(TagFault) in
      try tag(DNGTag.rgbTables).map { (entry) throws(TagFault) in try RGBTables(entry) }
    }
    self.warnings = warnings
  }

  /// Whether it changes values by more than matrices.
  package var hasTables: Bool {
    gainTableMap != nil || lookTable != nil || hueSatMaps.contains { $0 != nil }
      || rgbTables?.background != nil
  }

  /// The warning about tables for semantic masks.
  static func unappliedMasks(_ profiles: [DNGProfile]) -> [String] {
    let masked = Set(profiles.flatMap { $0.rgbTables?.maskNames ?? [] }).sorted()
    return masked.isEmpty
      ? [] : ["RGBTables for semantic masks are not applied: " + masked.firstNames]
  }

  private static func range(_ entry: TIFFEntry?) throws(TagFault) -> Range {
    guard let entry else { return .standard }
    var reader = TagReader(entry, name: "ProfileDynamicRange")
    let version = try reader.integer(UInt16.self)
    let kind = try reader.integer(UInt16.self)
    let peak = try reader.float()
    guard version >= 1, kind <= 1 else { throw reader.damaged("has an unknown dynamic range") }
    return kind == 0 ? .standard : .high(peak: peak.isFinite && peak > 0 ? peak : nil)
  }

  /// Points with the same x as their predecessor are skipped.
  private static func toneCurve(_ entry: TIFFEntry?) throws(TagFault) -> [SIMD2<Double>] {
    guard let entry else { return [] }
    let reader = TagReader(entry, name: "ProfileToneCurve")
    guard entry.count % 2 == 0, entry.count >= 4, let values = entry.numbers(atMost: 131_072)
    else { throw reader.damaged("holds no valid points") }
    var points: [SIMD2<Double>] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      let point = SIMD2(values[index], values[index + 1])
      guard let last = points.last, point.x <= last.x else {
        points.append(point)
        continue
      }
      guard point.x == last.x else { throw reader.damaged("has decreasing x values") }
    }
    guard points.count >= 2 else { throw reader.damaged("holds no valid points") }
    return points
  }
}

extension HueSatTable {
  /// The table in three tags of a profile; nil if it has no data. Throws if they are inconsistent
  /// or contain no numbers.
  fileprivate init?(
    dimensions: TIFFEntry?, data: TIFFEntry?, encoding: TIFFEntry?, name: String
  ) throws(TagFault) {
    guard let data else { return nil }
    let reader = TagReader(data, name: name + "Data")
    guard let sizes = dimensions?.integers, sizes.count == 3 || sizes.count == 2,
      sizes.allSatisfy({ (1...RawDecodeLimits.hueSatEntries).contains($0) }),
      data.count % 3 == 0, data.count / 3 <= RawDecodeLimits.hueSatEntries
    else { throw reader.damaged("has invalid dimensions") }
    let depth = sizes.count == 3 ? sizes[2] : 1
    guard sizes[0] * sizes[1] <= RawDecodeLimits.hueSatEntries,
      sizes[0] * sizes[1] * depth == data.count / 3
    else { throw reader.damaged("does not match its dimensions") }
    guard let values = data.numbers(atMost: data.count) else {
      throw reader.damaged("holds invalid values")
    }
    let entries = stride(from: 0, to: values.count, by: 3).map {
      SIMD3(Float(values[$0]), Float(values[$0 + 1]), Float(values[$0 + 2]))
    }
    guard
      let table = HueSatTable(
        hues: sizes[0], saturations: sizes[1], values: depth,
        isEncoded: encoding?.integer == 1, entries: entries)
    else { throw reader.damaged("has invalid dimensions or values") }
    self = table
  }
}
