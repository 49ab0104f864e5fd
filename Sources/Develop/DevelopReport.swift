/// What became of one file: the machine-readable result of `rawdev develop --json`.
public struct DevelopReport: Sendable, Codable {
  /// The raw.
  public var input: String
  /// The file that was written.
  public var output: String
  /// Name of its format.
  public var format: String
  /// Columns of the written picture.
  public var width: Int
  /// Rows of the written picture.
  public var height: Int
  /// Bytes of the file.
  public var bytes: Int
  /// Brightest pixel as a multiple of reference white, measured on what was written.
  public var contentHeadroom: Float
  /// Mean of the largest channel as a multiple of reference white, measured on what was written.
  public var contentAverageLightLevel: Float
  /// Brightest pixel, cd/m².
  public var maxCLL: Int
  /// Average light level, cd/m².
  public var maxFALL: Int
  /// Headroom that the raw holds, as a multiple of reference white.
  public var fileHeadroom: Float
  /// Share of that headroom that was opened.
  public var extendedDynamicRangeAmount: Float
  /// Stops that belong to the file.
  public var baselineExposure: Float
  /// What was not as it should be.
  public var warnings: [String]
  /// Wall-clock time.
  public var seconds: Double
}
