public import ImageCore

/// A camera profile: the fields that IFD 0 holds for the primary one and ExtraCameraProfiles for
/// the others.
public struct DNGProfile: Sendable {
  /// A table of hue shift in degrees, saturation factor and value factor, by value, hue and
  /// saturation, saturation fastest.
  public struct HueSatTable: Sendable, Hashable {
    /// Divisions of hue, saturation and value.
    public var divisions: [UInt32]
    /// Three values for each division.
    public var data: [Float]
    /// The table with these divisions and this data.
    public init(divisions: [UInt32], data: [Float]) {
      self.divisions = divisions
      self.data = data
    }
  }

  /// ProfileName.
  public var name: String
  /// ProfileGroupName.
  public var groupName: String?
  /// Matrices; nil leaves them out.
  public var camera: SimulatedCamera?
  /// ProfileHueSatMap, the same under both illuminants.
  public var hueSatMap: HueSatTable?
  /// ProfileLookTable.
  public var lookTable: HueSatTable?
  /// ProfileToneCurve: x and y of each point.
  public var toneCurve: [SIMD2<Float>] = []
  /// ProfileGainTableMap2 and how it is stored.
  public var gainTableMap: GainTableMap?
  /// Whether it is made for high dynamic range, and the largest output it hints at; nil leaves
  /// ProfileDynamicRange out.
  public var dynamicRange: (isHigh: Bool, maximum: Float)?
  /// BaselineExposureOffset.
  public var exposureOffset: SignedRational?

  /// A profile with only a name.
  public init(name: String) { self.name = name }

  /// The fields, for a directory in `order`.
  public func fields(_ order: ByteOrder) -> [UInt16: TIFFValue] {
    var d = camera?.fields ?? [:]
    d[50936] = .ascii(name)
    if let groupName { d[52552] = .ascii(groupName) }
    if let map = hueSatMap {
      d[50937] = .longs(map.divisions)
      d[50938] = .floats(map.data)
      if camera?.colorMatrix2 != nil { d[50939] = .floats(map.data) }
    }
    if let table = lookTable {
      d[50981] = .longs(table.divisions)
      d[50982] = .floats(table.data)
    }
    if !toneCurve.isEmpty { d[50940] = .floats(toneCurve.flatMap { [$0.x, $0.y] }) }
    if let map = gainTableMap { d[52544] = map.version2(order, storage: .half) }
    if let range = dynamicRange {
      var out = ByteStream(order: order)
      out.append(UInt16(1))
      out.append(UInt16(range.isHigh ? 1 : 0))
      out.append(range.maximum.bitPattern)
      d[52551] = .undefined(out.bytes)
    }
    if let offset = exposureOffset { d[51109] = .signedRationals([offset]) }
    return d
  }

  /// The profile as a block of its own: byte order, magic 0x4352, directory at 8; offsets are from
  /// the start of the block. With `more` fields such as UniqueCameraModel it is a file (.dcp).
  public func bytes(order: ByteOrder, more: [UInt16: TIFFValue] = [:]) -> [UInt8] {
    var directory = TIFFDirectory()
    directory.merge(fields(order))
    directory.merge(more)
    var out = ByteStream(order: order)
    out.bytes += order == .little ? [0x49, 0x49] : [0x4D, 0x4D]
    out.append(UInt16(0x4352))
    out.append(UInt32(8))
    out.bytes += directory.encoded(at: 8, order: order)
    return out.bytes
  }
}
