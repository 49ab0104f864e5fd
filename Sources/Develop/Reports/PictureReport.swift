import Formats
import ImageCore
import Recipes
import Writers

/// The result of `rawdev convert` and `rawdev compose`: one or several pictures read, one written.
public struct PictureReport: Sendable, Codable {
  /// The pictures that were read.
  public var inputs: [String]
  /// The file that was written, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded report.
  public package(set) var contents: [UInt8]?
  /// Name of its format.
  public var format: String
  /// Range and primaries of the file for people, as `PQ HDR, BT.2020`.
  public var coding: String
  /// Columns of the written picture.
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
  /// Warnings for people.
  public var warnings: [String]
  /// Wall-clock time in seconds.
  public var seconds: Double
  /// How far the worker process that did it was confined, `seccomp+landlock` or less; nil where
  /// the process itself did it.
  public var isolation: String?

  private enum CodingKeys: CodingKey {
    case inputs, output, format, coding, width, height, bytes, contentHeadroom
    case contentAverageLightLevel, warnings, seconds, isolation
  }

  init(
    inputs: [String], _ settings: Recipe.Output, written: WrittenFile, notes: [String],
    since start: ContinuousClock.Instant
  ) {
    self.inputs = inputs
    (output, contents) = (written.name, written.contents)
    let coding = WrittenCoding(settings, written)
    (format, self.coding) = (coding.format, coding.name)
    (width, height) = (written.size.width, written.size.height)
    bytes = written.byteCount
    contentHeadroom = written.statistics.contentHeadroom
    contentAverageLightLevel = written.statistics.contentAverageLightLevel
    warnings = notes + written.notes + written.blackness
    seconds = start.duration(to: .now) / .seconds(1)
  }
}
