/// Whether the runs of a batch together report every source, and which shards and runs are missing.
///
/// A killed run is superseded by a later complete run of the same batch and shard, or of the full
/// batch, with at least as many sources.
struct BatchCoverage {
  /// Shards without any report, like `1, 4–6 of 8`.
  private(set) var missing: [String] = []
  /// Runs without an item for each of their sources that no later run supersedes.
  private(set) var unfinished: [BatchRun] = []

  var isComplete: Bool { missing.isEmpty && unfinished.isEmpty }

  /// With `isPart`, shards without a report are not missing.
  init(_ runs: [BatchRun], isPart: Bool = false) {
    for group in Dictionary(grouping: runs, by: \.start.batch).values { add(group) }
    if isPart { missing = [] }
    missing.sort()
    unfinished.sort(by: BatchRun.isEarlier)
  }

  private mutating func add(_ runs: [BatchRun]) {
    let full = Latest(runs.filter { $0.shard.count == 1 && $0.isComplete })
    for (count, set) in Dictionary(grouping: runs, by: \.shard.count) {
      let shards = Dictionary(grouping: set, by: \.shard.index)
      let total = shards.values.reduce(0) { sum, runs in
        sum.addingReportingOverflow(runs.map(\.start.total).max() ?? 0).partialValue
      }
      let first = set.map(\.moment).min() ?? -.infinity
      if shards.count < count, !full.supersedes(total: total, since: first) {
        missing.append(Self.list(missingOf: shards.keys.sorted(), count: count))
      }
      for (_, runs) in shards {
        let complete = Latest(runs.filter(\.isComplete))
        unfinished += runs.filter { run in
          guard !run.isComplete else { return false }
          let moment = run.moment
          return !complete.supersedes(total: run.start.total, since: moment)
            && !full.supersedes(total: total, since: moment)
        }
      }
    }
  }

  /// When the last run with a given minimum number of sources began.
  private struct Latest {
    /// By falling total, each with the latest moment so far.
    private var runs: [(total: Int, moment: Double)] = []

    init(_ runs: [BatchRun]) {
      var latest = -Double.infinity
      for run in runs.sorted(by: { $0.start.total > $1.start.total }) {
        latest = max(latest, run.moment)
        self.runs.append((run.start.total, latest))
      }
    }

    /// Whether a run with at least `total` sources began after `moment`.
    func supersedes(total: Int, since moment: Double) -> Bool {
      var (low, high) = (0, runs.count)
      while low < high {
        let middle = (low + high) / 2
        if runs[middle].total >= total { low = middle + 1 } else { high = middle }
      }
      return low > 0 && runs[low - 1].moment > moment
    }
  }

  private static func list(missingOf present: [Int], count: Int) -> String {
    var ranges: [String] = []
    var next = 0
    for index in present + [count] {
      switch index - next {
      case ..<1: break
      case 1: ranges.append("\(next)")
      default: ranges.append("\(next)–\(index - 1)")
      }
      next = index + 1
    }
    return "\(ranges.joined(separator: ", ")) of \(count)"
  }
}

extension BatchRun {
  /// When it began, seconds from 1970.
  var moment: Double { ReportTime.order(start.time) }

  /// The order of runs in a merged report.
  static func isEarlier(_ a: BatchRun, _ b: BatchRun) -> Bool {
    let (first, second) = (a.start, b.start)
    if a.moment != b.moment { return a.moment < b.moment }
    let (x, y) = (
      [first.time, first.node, first.shard ?? "", first.batch ?? "", first.version],
      [second.time, second.node, second.shard ?? "", second.batch ?? "", second.version]
    )
    if x != y { return x.lexicographicallyPrecedes(y) }
    return [first.total, first.jobs, first.memoryBytes].lexicographicallyPrecedes(
      [second.total, second.jobs, second.memoryBytes])
  }
}
