/// What a camera profile of a DNG holds.
public struct CameraProfileInfo: Sendable, Hashable, Codable {
  /// Its name, which ``RAWFilter/profileName`` takes.
  public var name: String
  /// The group of variants for different ranges that it belongs to; empty for none.
  public var group: String
  /// Whether it is made for high dynamic range.
  public var isHighRange: Bool
  /// The largest value that an HDR profile is made to show; nil if undeclared.
  public var peak: Float?
  /// Stops that it adds to the file's baseline exposure.
  public var baselineExposureOffset: Double
  /// Divisions of hue, saturation and value of its hue and saturation map; empty for none.
  public var hueSatMap: [Int]
  /// Divisions of hue, saturation and value of its look table; empty for none.
  public var lookTable: [Int]
  /// Points of its tone curve; 0 for none.
  public var toneCurvePoints: Int
  /// Rows, columns and curve points of its gain table map; empty for none.
  public var gainTableMap: [Int]
  /// RGB tables that it has, with those for semantic masks.
  public var rgbTables: Int

  package init(_ profile: DNGProfile) {
    func sizes(_ table: HueSatTable?) -> [Int] {
      table.map { [$0.hues, $0.saturations, $0.values] } ?? []
    }
    name = profile.name
    group = profile.groupName
    isHighRange = profile.range.isHigh
    if case .high(let most) = profile.range { peak = most }
    baselineExposureOffset = profile.baselineExposureOffset
    hueSatMap = sizes(profile.hueSatMaps.compactMap { $0 }.first)
    lookTable = sizes(profile.lookTable)
    toneCurvePoints = profile.toneCurve.count
    gainTableMap = profile.gainTableMap.map { [$0.rows, $0.columns, $0.points] } ?? []
    rgbTables = profile.rgbTables?.tables.count ?? 0
  }
}
