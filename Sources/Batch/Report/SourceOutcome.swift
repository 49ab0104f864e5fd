/// The final state of one source over several reports.
///
/// Two observations are stored: the latest, and the latest that developed the source. Each is the
/// maximum in one total order (by time, then done over skipped over failed over interrupted, then
/// by names), so that the result does not depend on the order of reports. Where the latest found
/// the source up to date, the one that developed it is effective, if its key is equal.
struct SourceOutcome: Sendable {
  /// One report on the source.
  struct Observation: Sendable, Hashable {
    var status: BatchItem.Status
    /// Seconds since 1970; −∞ where unknown.
    var moment: Double
    var time: String?
    var node: String?
    /// Hashes of the key and reason, and of all properties.
    var key: UInt64?
    var reason: UInt64
    var properties: UInt64
    var position: ReportLog.Position

    init(_ item: BatchItem, time: String?, node: String?, position: ReportLog.Position) {
      (status, self.time, self.node) = (item.status, item.time ?? time, item.node ?? node)
      (self.position, moment) = (position, ReportTime.order(self.time))
      key = item.key.map { Self.hash([$0]) }
      reason = Self.hash([item.reason ?? ""])
      let own: [String?] = [
        item.input, item.key, item.reason, item.xxh128, item.error?.code, item.error?.message,
        "\(item.seconds)",
      ]
      let outputs: [String] = item.outputs.flatMap { [$0.name, $0.path, $0.xxh128] }
      properties = Self.hash(own.map { $0 ?? "" } + outputs + item.warnings)
    }

    /// FNV-1a over the texts and their ends; the same in every process.
    private static func hash(_ texts: [String]) -> UInt64 {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for text in texts {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
      }
      return hash
    }

    static func < (a: Observation, b: Observation) -> Bool {
      if a.moment != b.moment { return a.moment < b.moment }
      if a.status != b.status { return a.status.rank < b.status.rank }
      if a.node != b.node { return (a.node ?? "") < (b.node ?? "") }
      return a.properties < b.properties
    }
  }

  private(set) var last: Observation
  private(set) var developed: Observation?
  /// Other machines that developed the same outputs.
  private(set) var others: Set<String> = []

  init(_ observation: Observation, item: BatchItem) {
    last = observation
    guard observation.status == .done else { return }
    developed = observation
    others = Set(item.alsoDoneBy ?? [])
    let confirmed = ReportTime.order(item.upToDateAt)
    if confirmed > observation.moment {
      (last.status, last.moment, last.time) = (.skipped, confirmed, item.upToDateAt)
    }
  }

  mutating func join(_ other: SourceOutcome) {
    if last < other.last { last = other.last }
    guard let theirs = other.developed else { return }
    guard let mine = developed else {
      (developed, others) = (theirs, other.others)
      return
    }
    let winner = mine < theirs ? theirs : mine
    if mine.key == theirs.key, mine.reason == theirs.reason {
      others.formUnion(other.others)
      for node in [mine.node, theirs.node] { if let node { others.insert(node) } }
      if let node = winner.node { others.remove(node) }
    } else if mine < theirs {
      others = other.others
    }
    developed = winner
  }

  /// The observation that holds in the end.
  var effective: Observation {
    guard last.status == .skipped, let developed else { return last }
    guard let new = last.key, let old = developed.key, new != old else { return developed }
    return last
  }

  /// `item` as read at the offset of ``effective``, with the values that follow from all reports
  /// together.
  func complete(_ item: BatchItem) -> BatchItem {
    var item = item
    let effective = self.effective
    (item.status, item.time, item.node) = (effective.status, effective.time, effective.node)
    item.alsoDoneBy = effective.status == .done && !others.isEmpty ? others.sorted() : nil
    let isConfirmed =
      effective.status == .done && last.status == .skipped && last.moment > effective.moment
    item.upToDateAt = isConfirmed ? last.time : nil
    return item
  }
}

extension BatchItem.Status {
  /// Of two observations with the same time, the one with the higher rank counts.
  var rank: Int {
    switch self {
    case .interrupted, .planned: 0
    case .failed: 1
    case .skipped: 2
    case .done: 3
    }
  }
}
