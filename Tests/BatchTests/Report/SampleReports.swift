import Foundation

@testable import Batch

/// Reports made up for tests, the same for the same seed.
struct SampleReports: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &+ 0x9e37_79b9_7f4a_7c15 }

  /// All statuses except the one of dry runs, which leave no reports.
  static let statuses: [BatchItem.Status] = [.done, .skipped, .failed, .interrupted]

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  static func time(_ minute: Int) -> String {
    let (hour, rest) = (minute / 60 % 24, minute % 60)
    return "2026-11-20T\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest):00Z"
  }

  static func start(
    _ node: String = "w1", minute: Int = 0, shard: String? = nil, total: Int, batch: String? = nil
  ) -> BatchStart {
    BatchStart(
      version: "1.0", time: time(minute), node: node, shard: shard, total: total, jobs: 2,
      memoryBytes: 4 << 30, batch: batch)
  }

  static func item(
    _ id: String, _ status: BatchItem.Status, minute: Int? = nil, node: String? = nil
  ) -> BatchItem {
    var item = BatchItem(id: id, input: "/raws/\(id)", status: status)
    (item.time, item.node) = (minute.map(time), node)
    if status == .failed {
      item.error = .init(code: "damaged", message: "ends early; copy it again")
    }
    if status == .done {
      (item.key, item.reason, item.seconds) = ("k-\(id)", "new", 2)
      item.outputs = [
        .init(
          name: "web", path: "/out/\(id).jpg", format: "jpeg-sdr", width: 3000, height: 2000,
          bytes: 1000, xxh128: "00", contentHeadroom: 2, maxCLL: 406, maxFALL: 20)
      ]
    }
    return item
  }

  static func end(outcome: BatchOutcome = .complete, minute: Int = 60, seconds: Double = 10)
    -> BatchEnd
  {
    BatchEnd(
      time: time(minute), done: 0, skipped: 0, failed: 0, interrupted: 0, crashes: 1, timeouts: 0,
      seconds: seconds, exitCode: outcome.rawValue)
  }

  static func lines(_ events: [BatchEvent]) -> Data {
    events.reduce(into: Data()) { bytes, event in
      if let line = try? event.line() { bytes.append(line) }
    }
  }

  static func run(_ start: BatchStart, _ items: [BatchItem], end: BatchEnd? = end()) -> Data {
    lines([.start(start)] + items.map { .item($0) } + (end.map { [.end($0)] } ?? []))
  }

  /// A run over some of ten sources, with statuses, times and machines by chance.
  mutating func run(of shards: Int = 3) -> Data {
    let minute = Int.random(in: 0..<600, using: &self)
    let node = "w\(Int.random(in: 1...3, using: &self))"
    let ids = (0..<10).filter { _ in Bool.random(using: &self) }
    let items = ids.map { id in
      let status = Self.statuses.randomElement(using: &self) ?? .done
      return Self.item("IMG_\(id)", status, minute: minute + Int.random(in: 0..<9, using: &self))
    }
    let shard = Bool.random(using: &self) ? nil : "\(Int.random(in: 0..<shards, using: &self))/3"
    let isCutOff = Int.random(in: 0..<4, using: &self) == 0
    let start = Self.start(
      node, minute: minute, shard: shard, total: ids.count + (isCutOff ? 2 : 0))
    return Self.run(start, items, end: isCutOff ? nil : Self.end(minute: minute + 9))
  }

  /// Text of any Unicode scalars, hostile ones more often than by chance.
  mutating func text() -> String {
    let hostile: [Unicode.Scalar] = [
      "<", ">", "&", "\"", "'", "\u{0}", "\n", "\u{1b}", "\u{202e}", "\u{2028}", "\u{7f}", "\u{85}",
      "/", "\\", ":", "%", "\u{feff}", "]", "-", "\u{2066}", "\u{e0041}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<40, using: &self) {
      let any = Unicode.Scalar(UInt32.random(in: 0..<0x110000, using: &self))
      let isHostile = Bool.random(using: &self)
      text.append((isHostile ? hostile.randomElement(using: &self) : any) ?? "a")
    }
    return String(text)
  }
}
