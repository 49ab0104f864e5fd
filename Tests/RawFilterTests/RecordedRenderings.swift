import Foundation

/// The file of recorded renderings, `Fixtures/renderings.json`: one line for each, which stays what
/// it is. `RAWDEV_RECORD_RENDERINGS=1 swift test --filter DecoderVersionTests` adds those that are
/// missing.
final class RecordedRenderings: @unchecked Sendable {
  /// What is recorded of a rendering.
  enum Record: Equatable {
    /// Numbers that describe it, which may differ by a tolerance.
    case cells([Float])
    /// Names and digests, which may not.
    case digests([String])
  }

  static let shared = RecordedRenderings()

  private let lock = NSLock()
  private let url = DecoderVersionTests.fixtures.appendingPathComponent("renderings.json")
  private let isRecording =
    ProcessInfo.processInfo.environment["RAWDEV_RECORD_RENDERINGS"] == "1"

  /// The rendering recorded under `key`; `made`, if renderings are being recorded and it is
  /// missing.
  func value(of key: String, made: Record?) throws -> Record? {
    lock.lock()
    defer { lock.unlock() }
    var all = try JSONDecoder().decode([String: Record].self, from: Data(contentsOf: url))
    if let made, all[key] == nil, isRecording {
      all[key] = made
      let lines = all.sorted { $0.key < $1.key }.map { "\"\($0)\": [\($1.text)]" }
      try Data(("{\n" + lines.joined(separator: ",\n") + "\n}\n").utf8).write(to: url)
    }
    return all[key]
  }
}

extension RecordedRenderings.Record: Decodable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let cells = try? value.decode([Float].self) {
      self = .cells(cells)
    } else {
      self = .digests(try value.decode([String].self))
    }
  }

  /// The text between the brackets.
  fileprivate var text: String {
    switch self {
    case .cells(let cells): cells.map { String(format: "%.6g", $0) }.joined(separator: ",")
    case .digests(let digests): digests.map { "\"\($0)\"" }.joined(separator: ",")
    }
  }
}
