/// The contents of a DNG, listed without decoding pixels, for inspection.
public struct RAWContents: Sendable, Hashable, Codable {
  /// How the samples of the raw picture are stored.
  public struct Storage: Sendable, Hashable, Codable {
    /// Name of the compression.
    public var compression: String
    /// TIFF compression code.
    public var compressionCode: Int
    /// Bits per sample.
    public var bitsPerSample: Int
    /// Samples per pixel.
    public var samplesPerPixel: Int
    /// Whether the samples are floating point.
    public var isFloat: Bool
    /// Columns of the stored picture, border included.
    public var width: Int
    /// Rows of the stored picture.
    public var height: Int
    /// Whether it is stored in tiles and not in strips.
    public var isTiled: Bool
    /// Columns of a tile or strip.
    public var tileWidth: Int
    /// Rows of a tile or strip.
    public var tileHeight: Int
    /// Number of tiles or strips.
    public var tileCount: Int
  }

  /// The grid of a profile gain table map.
  public struct GainTableMap: Sendable, Hashable, Codable {
    /// 1 or 2: ProfileGainTableMap or ProfileGainTableMap2.
    public var version: Int
    /// Rows of the grid.
    public var rows: Int
    /// Columns of the grid.
    public var columns: Int
    /// Points of each table.
    public var points: Int
  }

  /// Storage of the raw picture; nil for raws that are not DNGs.
  public var storage: Storage?
  /// DNGVersion, `1.6.0.0`.
  public var dngVersion: String?
  /// DNGBackwardVersion.
  public var dngBackwardVersion: String?
  /// Names of the opcodes of lists 1, 2 and 3.
  public var opcodes: [[String]]
  /// The gain table map of the raw picture or of the first profile.
  public var gainTableMap: GainTableMap?
  /// The camera profiles, the primary one first.
  public var profiles: [CameraProfileInfo]
  /// Size of the XMP packet in bytes; 0 for none.
  public var xmpBytes: Int
}
