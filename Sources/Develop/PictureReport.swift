import Formats
import ImageCore
import Recipes
import Writers

/// What was written of one or several pictures: the machine-readable result of `rawdev convert` and
/// `rawdev compose`.
public struct PictureReport: Sendable, Codable {
  /// The pictures that were read.
  public var inputs: [String]
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
  /// What was not as it should be.
  public var warnings: [String]
  /// Wall-clock time.
  public var seconds: Double

  init(
    inputs: [String], format: OutputFormat, written: WrittenFile, notes: [String],
    since start: ContinuousClock.Instant
  ) {
    let elapsed = ContinuousClock.now - start
    self.inputs = inputs
    output = written.path
    self.format = format.rawValue
    (width, height) = (written.size.width, written.size.height)
    bytes = written.byteCount
    contentHeadroom = written.statistics.contentHeadroom
    contentAverageLightLevel = written.statistics.contentAverageLightLevel
    warnings = notes + written.notes
    seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
  }
}
