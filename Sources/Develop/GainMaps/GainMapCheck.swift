import Foundation
import HDRRender
public import ImageCore
import Readers

/// What an export lost of its original's HDR: gain map, its parameters, its alignment with the
/// picture, and the signalling of PQ and HLG. The work of `rawdev gainmap check`.
///
/// Pictures are compared at reduced size; no file is written.
public struct GainMapCheck: Sendable, Encodable {
  /// Severity of a finding.
  public enum Effect: String, Sendable, Hashable, Codable {
    /// Something of the original is gone.
    case lost
    /// Something has another value, and the picture looks different for it.
    case changed
    /// Something is different that is as good, or that the file format does not hold.
    case note
  }

  /// Subject of a finding, for programs.
  public enum Subject: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whether there is a gain map.
    case map = "gain-map"
    /// Whether the picture is HDR at all.
    case range
    /// The formats in which the map is described.
    case form
    /// Whether these formats agree.
    case agreement
    /// MakerApple 33 and 48.
    case makerApple = "maker-apple"
    /// Headroom of the HDR rendition.
    case headroom
    /// Headroom of the base, and whether it is the SDR rendition.
    case base
    /// Gain of the smallest sample.
    case minimumGain = "minimum-gain"
    /// Gain of the largest sample.
    case maximumGain = "maximum-gain"
    /// Exponent of the samples.
    case gamma
    /// Offset of the base.
    case baseOffset = "base-offset"
    /// Offset of the alternate rendition.
    case alternateOffset = "alternate-offset"
    /// Channels of the map.
    case channels
    /// Bits of the map's or of the base's samples.
    case bits
    /// The color space of the base, or that in which gains act.
    case color
    /// Columns and rows of the base.
    case size
    /// Columns and rows of the map relative to the base.
    case mapSize = "map-size"
    /// Aspect ratio of the map compared with the base.
    case proportions
    /// Whether the map is aligned with the picture.
    case placement
    /// The gains themselves.
    case gains
    /// How PQ and HLG are signalled.
    case signalling
    /// HDR metadata.
    case light
  }

  /// One difference.
  public struct Finding: Sendable, Hashable, Codable {
    /// Its severity.
    public var effect: Effect
    /// Its subject.
    public var subject: Subject
    /// The difference and its size, one sentence for people.
    public var message: String
    /// The value in the original; nil where it is no finite number.
    public var original: Double?
    /// The value in the export; nil where it is no finite number.
    public var export: Double?

    /// Leaves infinite values out, which declared numbers may lead to and JSON does not hold.
    init(
      effect: Effect, subject: Subject, message: String, original: Double?, export: Double?
    ) {
      func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
      (self.effect, self.subject, self.message) = (effect, subject, message)
      (self.original, self.export) = (finite(original), finite(export))
    }
  }

  /// Path of the original.
  public let original: String
  /// Path of the export.
  public let export: String
  /// The differences, in the order of ``Subject``.
  public let findings: [Finding]
  /// Report on the original.
  public let originalReport: IdentifyReport
  /// Report on the export.
  public let exportReport: IdentifyReport

  /// Whether nothing was lost and nothing looks different.
  public var isKept: Bool { findings.allSatisfy { $0.effect == .note } }

  /// Compares the file at `export` with that at `original`. Throws where one of them cannot be
  /// read; a damaged gain map is a finding.
  public init(
    original: String, export: String, limits: DecodeLimits = DecodeLimits()
  ) throws(DevelopError) {
    self.init(try GainMapInfo(original, limits), try GainMapInfo(export, limits))
  }

  init(_ before: GainMapInfo, _ after: GainMapInfo) {
    (original, export) = (before.path, after.path)
    (originalReport, exportReport) = (before.report, after.report)
    let placement = GainMapPlacementChanges(before, after)
    var findings = GainMapChanges(before, after).findings
    if placement.hasSameGains {
      // Samples of another scale, with numbers to match.
      for index in findings.indices
      where [.minimumGain, .maximumGain, .gamma].contains(findings[index].subject) {
        findings[index].effect = .note
        findings[index].message += "; the gains are the same"
      }
    }
    findings += placement.findings
    let order = Subject.allCases
    self.findings = findings.enumerated().sorted { a, b in
      let (x, y) = (
        order.firstIndex(of: a.element.subject) ?? 0, order.firstIndex(of: b.element.subject) ?? 0
      )
      return (x, a.offset) < (y, b.offset)
    }.map(\.element)
  }

  /// One line for each finding, or one that everything was preserved.
  public var lines: [String] {
    let lines = findings.map { "\(export): \($0.effect.rawValue): \($0.message)" }
    return isKept ? ["\(export): all preserved"] + lines : lines
  }

  private enum Key: String, CodingKey {
    case original, export, isKept, findings, originalReport, exportReport
  }

  /// All properties, and whether everything was preserved.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(original, forKey: .original)
    try values.encode(export, forKey: .export)
    try values.encode(isKept, forKey: .isKept)
    try values.encode(findings, forKey: .findings)
    try values.encode(originalReport, forKey: .originalReport)
    try values.encode(exportReport, forKey: .exportReport)
  }
}
