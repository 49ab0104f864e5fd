/// What a camera profile of a DNG holds.
public struct CameraProfileInfo: Sendable, Hashable, Codable {
  /// Its name, which ``RAWFilter/profileName`` takes.
  public var name: String
  /// The group of variants for different ranges that it belongs to; empty for none.
  public var group: String
  /// Whether it is made for high dynamic range.
  public var isHighRange: Bool
  /// The largest value that a high-range profile means to show; nil when it does not say.
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

  init(_ profile: DNGProfile) {
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

/// Camera profiles of a DNG.
extension RAWFilter {
  /// The profiles that the file brings, the primary one first; none for other raws.
  public var profiles: [CameraProfileInfo] {
    picture.file.info.profiles.map(CameraProfileInfo.init)
  }

  /// Which of ``profiles`` is used, by name; nil, the default, for the one that the camera chose. A
  /// name that the file does not have makes ``outputImage()`` throw.
  public var profileName: String? {
    get { settings.profileName }
    set { settings.profileName = newValue }
  }

  /// The profile in use; nil for raws without, and where ``colorMatrix`` replaces the colours.
  package var activeProfile: DNGProfile? {
    activeProfileIndex.map { picture.file.info.profiles[$0] }
  }

  /// Its place in ``profiles``.
  var activeProfileIndex: Int? {
    let info = picture.file.info
    guard colorMatrix == nil, !info.profiles.isEmpty else { return nil }
    return info.profiles.firstIndex { $0.name == settings.profileName } ?? info.defaultProfileIndex
  }

  /// The profile of this name.
  package func profile(named name: String) -> DNGProfile? {
    picture.file.info.profiles.first { $0.name == name }
  }

  /// The variant for `range`, whatever peak it names, of the profiles in this group; nil when the
  /// group is empty or has none.
  package func profile(group: String, range: DNGProfile.Range) -> DNGProfile? {
    guard !group.isEmpty else { return nil }
    return picture.file.info.profiles.first {
      $0.groupName == group && $0.range.isHigh == range.isHigh
    }
  }

  /// Throws when ``profileName`` names no profile of the file.
  func requireProfile() throws(RAWError) {
    guard let name = settings.profileName, profile(named: name) == nil else { return }
    let names = picture.file.info.profiles.map { "\"\($0.name)\"" }
    throw RAWError(
      .badSetting, .settings,
      names.isEmpty
        ? "profileName is \"\(name)\", but the file has no profiles; leave it unset"
        : "profileName is \"\(name)\"; the file has \(names.joined(separator: ", "))",
      path: nil)
  }
}
