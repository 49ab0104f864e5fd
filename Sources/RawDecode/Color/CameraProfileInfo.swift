/// Summary of a camera profile of a DNG.
public struct CameraProfileInfo: Sendable, Hashable, Codable {
  /// Its name, for ``RAWFilter/profileName``.
  public var name: String
  /// Its group of variants for different dynamic ranges; empty for none.
  public var group: String
  /// Whether it is designed for high dynamic range.
  public var isHighRange: Bool
  /// The maximum output value of an HDR profile; nil if undeclared.
  public var peak: Float?
  /// Stops added to the file's baseline exposure.
  public var baselineExposureOffset: Double
  /// Divisions of hue, saturation and value of its HueSatMap; empty for none.
  public var hueSatMap: [Int]
  /// Divisions of hue, saturation and value of its look table; empty for none.
  public var lookTable: [Int]
  /// Points of its tone curve; 0 for none.
  public var toneCurvePoints: Int
  /// Rows, columns and curve points of its gain table map; empty for none.
  public var gainTableMap: [Int]
  /// Number of its RGB tables, including those for semantic masks.
  public var rgbTables: Int

  package init(_ profile: DNGProfile) {
    func sizes(_ table: HueSatTable?) -> [Int] {
      table.map { [$0.hues, $0.saturations, $0.values] } ?? []
    }
    name = profile.name
    group = profile.groupName
    isHighRange = profile.range.isHigh
    if case .high(let maximum) = profile.range { peak = maximum }
    baselineExposureOffset = profile.baselineExposureOffset
    hueSatMap = sizes(profile.hueSatMaps.compactMap { $0 }.first)
    lookTable = sizes(profile.lookTable)
    toneCurvePoints = profile.toneCurve.count
    gainTableMap = profile.gainTableMap.map { [$0.rows, $0.columns, $0.points] } ?? []
    rgbTables = profile.rgbTables?.tables.count ?? 0
  }
}
