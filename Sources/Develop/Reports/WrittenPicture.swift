import Formats
public import ImageCore
import Recipes
import Writers

/// A written picture, as in every report about one.
public struct WrittenPicture: Sendable, Hashable, Codable {
  /// The file, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded report.
  public package(set) var contents: [UInt8]?
  /// Name of its format, which holds no gain map where the picture needed none.
  public var format: String
  /// Range and primaries of the file for people, as `PQ HDR, BT.2020`; how a DNG stores samples.
  public var coding: String
  /// Columns of the picture; of a DNG with its borders.
  public var width: Int
  /// Rows of the picture; of a DNG with its borders.
  public var height: Int
  /// Bytes of the file.
  public var bytes: Int
  /// Largest channel of the brightest pixel as a multiple of reference white, measured on the
  /// written picture; 0 of a DNG, which holds undeveloped values, as the next three.
  public var contentHeadroom: Float = 0
  /// Mean over the pixels of the largest channel as a multiple of reference white, measured on the
  /// written picture.
  public var contentAverageLightLevel: Float = 0
  /// MaxCLL, cd/m².
  public var maxCLL = 0
  /// MaxFALL, cd/m².
  public var maxFALL = 0
  /// Warnings for people.
  public var warnings: [String]
  /// What the warnings advise, for programs; nil for no advice.
  public var remedies: [Remedy]?
  /// Wall-clock time in seconds.
  public var seconds: Double
  /// How far the worker process was confined, `seccomp+landlock` or less; nil without a worker
  /// process.
  public var isolation: String?

  private enum CodingKeys: CodingKey {
    case output, format, coding, width, height, bytes, contentHeadroom, contentAverageLightLevel
    case maxCLL, maxFALL, warnings, remedies, seconds, isolation
  }

  /// A picture of these settings.
  init(
    _ settings: Recipe.Output, _ written: WrittenFile, notes: [String], remedies: [Remedy] = [],
    since start: ContinuousClock.Instant
  ) {
    (output, contents) = (written.name, written.contents)
    let isPlain = settings.format.hasGainMap && !written.hasGainMap
    format =
      (isPlain ? settings.format.withoutGainMap(settings.transfer) : settings.format).rawValue
    coding = settings.encoding([]).coding(hasGainMap: written.hasGainMap)
    (width, height) = (written.size.width, written.size.height)
    bytes = written.byteCount
    contentHeadroom = written.statistics.contentHeadroom
    contentAverageLightLevel = written.statistics.contentAverageLightLevel
    maxCLL = written.statistics.maximumContentNits
    maxFALL = written.statistics.averageNits
    warnings = notes + written.notes + written.blackness
    self.remedies = remedies.isEmpty ? nil : remedies
    seconds = start.duration(to: .now) / .seconds(1)
  }

  /// A DNG, which was verified or not.
  init(
    dng output: String, _ choice: DNGChoice, isVerified: Bool, size: PixelSize, bytes: Int,
    warnings: [String], remedies: [Remedy], since start: ContinuousClock.Instant
  ) {
    self.output = output
    var settings = Recipe.Output()
    (settings.format, settings.dng) = (.dng, choice)
    format = settings.format.rawValue
    coding = settings.coding + (isVerified ? ", verified" : "")
    (width, height, self.bytes) = (size.width, size.height, bytes)
    self.warnings = warnings
    self.remedies = remedies.isEmpty ? nil : remedies
    seconds = start.duration(to: .now) / .seconds(1)
  }
}

/// A report about a written picture; it has all properties of ``WrittenPicture``, in JSON
/// too.
@dynamicMemberLookup
public protocol WrittenPictureReport: Sendable, Encodable {
  /// The written picture.
  var written: WrittenPicture { get set }
}

extension WrittenPictureReport {
  /// A property of ``written``.
  public subscript<Value>(dynamicMember path: KeyPath<WrittenPicture, Value>) -> Value {
    written[keyPath: path]
  }

  /// The same, to be changed.
  public subscript<Value>(dynamicMember path: WritableKeyPath<WrittenPicture, Value>) -> Value {
    get { written[keyPath: path] }
    set { written[keyPath: path] = newValue }
  }
}
