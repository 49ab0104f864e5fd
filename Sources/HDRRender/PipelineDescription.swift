public import Foundation
public import ImageCore

/// The stages that make a picture, from the last to the first, for people and programs that inspect
/// a pipeline: ``text`` to read, JSON by `Codable`.
///
/// The inputs of a stage are found by reflection: its stored values that are a `PixelSource` or
/// hold one. Short values of other kinds are listed as its settings. Nothing is rendered.
public struct PipelineDescription: Sendable, Hashable, Codable {
  /// The type of the stage.
  public let stage: String
  /// Columns and rows of its result.
  public let size: PixelSize
  /// Primaries and headroom of its result, or other info of its state.
  public let info: String
  /// Names and values of its settings.
  public let settings: [String: String]
  /// The stages that it reads from.
  public let inputs: [PipelineDescription]

  // Deeper stages, and those above the count, are omitted.
  private static let maxStageDepth = 64
  private static let maxStages = 512
  private static let maxValueLength = 120
  private static let maxSettingDepth = 3

  /// The pipeline that ends with `source`.
  public init(_ source: any PixelSource) {
    var count = 0
    self.init(source, depth: 0, &count)
  }

  private init(_ source: any PixelSource, depth: Int, _ count: inout Int) {
    count += 1
    var (settings, own, nested) = ([String: String](), [any PixelSource](), [any PixelSource]())
    func look(_ value: Any, _ name: String, _ level: Int) {
      if let input = value as? any PixelSource {
        if level == 0 { own.append(input) } else { nested.append(input) }
        return
      }
      let mirror = Mirror(reflecting: value)
      if Self.isPlain(value, mirror) {
        let text = String(describing: value)
        if text.count <= Self.maxValueLength { settings[name] = text }
        return
      }
      guard level < Self.maxSettingDepth, mirror.displayStyle != .class else { return }
      for (label, child) in Self.children(mirror) { look(child, "\(name).\(label)", level + 1) }
    }
    for (label, child) in Self.children(Mirror(reflecting: source)) where label != "info" {
      look(child, label, 0)
    }
    // A stage with two inputs stores them directly; a source nested in its settings is one of these
    // before it was adapted.
    let inputs = own.count > 1 ? own : own + nested
    var described: [PipelineDescription] = []
    for input in inputs where depth < Self.maxStageDepth && count < Self.maxStages {
      described.append(PipelineDescription(input, depth: depth + 1, &count))
    }
    self.inputs = described
    self.settings = settings
    stage = String(describing: type(of: source))
    size = source.size
    info = Self.described(source)
  }

  /// Children by name; none of collections, which are tables and pixels.
  private static func children(_ mirror: Mirror) -> [(String, Any)] {
    switch mirror.displayStyle {
    case .collection, .set, .dictionary: return []
    default:
      return mirror.children.enumerated().map { ($1.label ?? "\($0)", $1.value) }
    }
  }

  /// Whether a value is printed as it is: numbers, strings, names of cases.
  private static func isPlain(_ value: Any, _ mirror: Mirror) -> Bool {
    switch mirror.displayStyle {
    case nil: value is String || !(value is any Sequence)
    case .enum: mirror.children.isEmpty
    case .struct: value is any CustomStringConvertible
    default: false
    }
  }

  private static func described(_ source: some PixelSource) -> String {
    let info: Any = source.info
    if let display = info as? DisplayReferred.Info {
      return "\(display.primaries.rawValue), headroom \(display.headroom)"
    }
    if let scene = info as? SceneLinear.Info { return "scene light, peak \(scene.peak)" }
    return String(describing: type(of: info))
  }

  /// One line per stage, each indented below the one that reads from it.
  public var text: String { lines(indentation: 0).joined(separator: "\n") }

  private func lines(indentation: Int) -> [String] {
    let values = settings.keys.sorted().map { "\($0) \(settings[$0] ?? "")" }
    let line = ([stage, size.description, info] + values).joined(separator: "; ")
    return [String(repeating: "  ", count: indentation) + line]
      + inputs.flatMap { $0.lines(indentation: indentation + 1) }
  }

  /// The pipeline as JSON with sorted keys.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }
}
