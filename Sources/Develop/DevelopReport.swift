import Formats
import ImageCore
import Recipes
import Writers

/// What became of one output of one raw: the machine-readable result of `rawdev develop --json`.
public struct DevelopReport: Sendable, Codable {
  /// The raw.
  public var input: String
  /// The file that was written.
  public var output: String
  /// Name of the output in the recipe.
  public var name: String
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

  init(
    input: String, output: String, name: String, format: OutputFormat, written: WrittenFile,
    fileHeadroom: Float, amount: Float, baselineExposure: Float, warnings: [String],
    seconds: Double
  ) {
    (self.input, self.output, self.name) = (input, output, name)
    (self.format, bytes) = (format.rawValue, written.byteCount)
    (width, height) = (written.size.width, written.size.height)
    contentHeadroom = written.statistics.contentHeadroom
    contentAverageLightLevel = written.statistics.contentAverageLightLevel
    maxCLL = written.statistics.maximumContentNits
    maxFALL = written.statistics.averageNits
    (self.fileHeadroom, extendedDynamicRangeAmount) = (fileHeadroom, amount)
    (self.baselineExposure, self.warnings, self.seconds) = (baselineExposure, warnings, seconds)
  }
}
