import Formats
import ImageCore
import Recipes
import Writers

/// The result for one output of one raw: a line of `rawdev develop --json`.
public struct DevelopReport: Sendable, Codable {
  /// Path of the raw.
  public var input: String
  /// The written file, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded report.
  public package(set) var contents: [UInt8]?
  /// Name of the output in the recipe.
  public var name: String
  /// Name of its format.
  public var format: String
  /// Range and primaries of the file for people, as `PQ HDR, BT.2020`.
  public var coding: String
  /// Columns of the written picture; of a DNG with its borders.
  public var width: Int
  /// Rows of the written picture.
  public var height: Int
  /// Bytes of the file.
  public var bytes: Int
  /// Largest channel of the brightest pixel as a multiple of reference white, measured on the
  /// written picture.
  public var contentHeadroom: Float
  /// Mean over the pixels of the largest channel as a multiple of reference white, measured on the
  /// written picture.
  public var contentAverageLightLevel: Float
  /// MaxCLL, cd/m².
  public var maxCLL: Int
  /// MaxFALL, cd/m².
  public var maxFALL: Int
  /// Headroom of the raw, as a multiple of reference white.
  public var fileHeadroom: Float
  /// The amount of that headroom that was used, 0…1.
  public var extendedDynamicRangeAmount: Float
  /// Baseline exposure in stops.
  public var baselineExposure: Float
  /// Warnings for people.
  public var warnings: [String]
  /// Wall-clock time in seconds.
  public var seconds: Double
  /// How far the worker process that did it was confined, `seccomp+landlock` or less; nil where
  /// the process itself did it.
  public var isolation: String?

  private enum CodingKeys: CodingKey {
    case input, output, name, format, coding, width, height, bytes, contentHeadroom
    case contentAverageLightLevel, maxCLL, maxFALL, fileHeadroom, extendedDynamicRangeAmount
    case baselineExposure, warnings, seconds, isolation
  }

  init(
    input: String, name: String, _ settings: Recipe.Output, written: WrittenFile,
    fileHeadroom: Float, amount: Float, baselineExposure: Float, warnings: [String],
    seconds: Double
  ) {
    (self.input, output, self.name) = (input, written.name, name)
    contents = written.contents
    let coding = WrittenCoding(settings, written)
    (format, self.coding, bytes) = (coding.format, coding.name, written.byteCount)
    (width, height) = (written.size.width, written.size.height)
    contentHeadroom = written.statistics.contentHeadroom
    contentAverageLightLevel = written.statistics.contentAverageLightLevel
    maxCLL = written.statistics.maximumContentNits
    maxFALL = written.statistics.averageNits
    (self.fileHeadroom, extendedDynamicRangeAmount) = (fileHeadroom, amount)
    (self.baselineExposure, self.warnings, self.seconds) = (baselineExposure, warnings, seconds)
  }

  /// The result for a DNG. Nothing is developed, so the numbers of the picture's light are 0.
  init(_ dng: DNGConverter.Report, name: String, _ settings: Recipe.Output) {
    (input, output, self.name) = (dng.input, dng.output, name)
    contents = dng.contents
    (format, bytes) = (settings.format.rawValue, dng.bytes)
    var written = settings
    // Floating point is stored in a way of its own.
    written.dng.compression = dng.compression
    coding = written.coding + (dng.isVerified ? ", verified" : "")
    (width, height) = (dng.width, dng.height)
    (contentHeadroom, contentAverageLightLevel, maxCLL, maxFALL) = (0, 0, 0, 0)
    (fileHeadroom, extendedDynamicRangeAmount, baselineExposure) = (0, 0, 0)
    (warnings, seconds) = (dng.warnings, dng.seconds)
  }
}
