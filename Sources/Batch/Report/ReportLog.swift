public import Foundation
import Recipes
import SystemPackage

/// The lines of one or more reports, read as often as needed and never held in memory as a whole. A
/// line that cannot be read is skipped and listed in `Reading`. Events and keys of later versions
/// are ignored.
public struct ReportLog: Sendable {
  /// Where a report is.
  enum Source: Sendable {
    case file(String)
    case bytes(Data)
  }

  /// The position of a line.
  struct Position: Sendable, Hashable {
    var source: Int32
    var length: Int32
    var offset: Int
  }

  /// A line that could not be read.
  public struct Problem: Sendable, Hashable {
    /// Path of the report.
    public let report: String
    /// Line number, from 1.
    public let line: Int
    /// What is wrong, as the end of a sentence that begins with the line.
    public let message: String
  }

  /// Counts and problems of one reading.
  public struct Reading: Sendable, Hashable {
    /// Lines that are not blank.
    public var lines = 0
    /// Lines with events of later versions, which were ignored.
    public var unknownEvents = 0
    /// Lines that could not be read, without truncated last lines.
    public var badLines = 0
    /// The first 100 of them.
    public var problems: [Problem] = []
    /// Paths of reports whose last line is truncated, as after a loss of power.
    public var truncatedReports: [String] = []
    /// The highest schema of any report.
    public var schema = 1
  }

  /// Longer lines, in bytes, count as bad and are never held in memory.
  public static let maxLineLength = BatchLimits.lineBytes

  let sources: [Source]

  /// The reports at these paths, which are opened when they are read.
  public init(paths: [String]) { sources = paths.map(Source.file) }

  /// Reports in memory.
  public init(bytes: [Data]) { sources = bytes.map(Source.bytes) }

  private func name(_ source: Int) -> String {
    if case .file(let path) = sources[source] { return path }
    return "report \(source + 1)"
  }

  /// Reads all reports in order. Throws ``BatchError`` where a file cannot be read, and what
  /// `body` throws.
  public func read(_ body: (BatchEvent) throws -> Void) throws -> Reading {
    try read { event, _ in try body(event) }
  }

  /// Reads all reports; the position of a line is good for `event(at:)`.
  func read(_ body: (BatchEvent, Position) throws -> Void) throws -> Reading {
    var reading = Reading()
    for index in sources.indices {
      var lines = LineSplitter(maxLength: Self.maxLineLength)
      func add(_ chunk: some Sequence<UInt8>) throws {
        lines.append(chunk)
        while let line = lines.next() { try use(line, source: index, &reading, body) }
      }
      switch sources[index] {
      case .bytes(let data): try add(data)
      case .file(let path):
        let file = try Self.open(path)
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while case let count = try Self.read(file.file, into: &chunk, path: path), count > 0 {
          try add(chunk[..<count])
        }
      }
      if let line = lines.last() { try use(line, source: index, &reading, body) }
    }
    return reading
  }

  private func use(
    _ line: LineSplitter.Line, source: Int, _ reading: inout Reading,
    _ body: (BatchEvent, Position) throws -> Void
  ) throws {
    if let bytes = line.bytes, bytes.allSatisfy({ $0 == 32 || $0 == 13 || $0 == 9 }) { return }
    reading.lines += 1
    var message = "is longer than \(Self.maxLineLength >> 20) MiB"
    if let bytes = line.bytes {
      switch Result(catching: { try BatchEvent(line: bytes) }) {
      case .success(let event):
        if case .start(let start) = event { reading.schema = max(reading.schema, start.schema) }
        let position = Position(
          source: Int32(source), length: Int32(bytes.count), offset: line.offset)
        return try body(event, position)
      case .failure(let error):
        if Self.isUnknownEvent(bytes) {
          reading.unknownEvents += 1
          return
        }
        if !line.isComplete {
          reading.truncatedReports.append(name(source))
          return
        }
        message = Self.message(for: error)
      }
    }
    reading.badLines += 1
    if reading.problems.count < 100 {
      reading.problems.append(Problem(report: name(source), line: line.number, message: message))
    }
  }

  /// The event at a position that `read` gave.
  func event(at position: Position) throws -> BatchEvent {
    let index = Int(position.source)
    switch sources[index] {
    case .bytes(let data):
      let from = data.startIndex + position.offset
      return try BatchEvent(line: data[from..<from + Int(position.length)])
    case .file(let path):
      let file = try Self.open(path)
      var line = [UInt8](repeating: 0, count: Int(position.length))
      do {
        let count = try file.file.read(into: &line, at: Int64(position.offset))
        return try BatchEvent(line: Data(line[..<count]))
      } catch {
        throw BatchError(
          .changed, "changed while it was read; try again when its run has ended",
          path: FilePath(path))
      }
    }
  }

  private static func open(_ path: String) throws -> Descriptor {
    guard let status = FileStatus(FilePath(path)) else {
      throw BatchError(
        .cannotRead, "does not exist; name a report in JSON lines", path: FilePath(path))
    }
    guard status.kind != .directory, let file = try? Descriptor(FilePath(path)) else {
      throw BatchError(
        .cannotRead, "is not a readable file; name a report in JSON lines",
        path: FilePath(path))
    }
    return file
  }

  private static func read(
    _ file: FileDescriptor, into chunk: inout [UInt8], path: String
  ) throws -> Int {
    do { return try file.read(into: &chunk) } catch {
      throw BatchError(
        .cannotRead, "cannot be read from the disk; copy it elsewhere", path: FilePath(path))
    }
  }

  private struct Head: Decodable { let event: String }

  private static func isUnknownEvent(_ line: Data) -> Bool {
    guard let head = try? JSONLine.decode(Head.self, line) else { return false }
    return !["start", "item", "progress", "end"].contains(head.event)
  }

  private static func message(for error: any Error) -> String {
    if let excess = (error as? DecodingError)?.excess { return "cannot be read: \(excess)" }
    return switch error {
    case DecodingError.keyNotFound(let key, _): "has no \"\(key.stringValue)\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "has a value of the wrong type for \"\(context.codingPath.last?.stringValue ?? "")\""
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "has an invalid value for \"\(context.codingPath.last?.stringValue ?? "")\""
    default: "is not a JSON object"
    }
  }
}
