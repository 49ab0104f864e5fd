/// Counts the results of sources, and their rate.
struct BatchTally: Sendable {
  let total: Int
  private(set) var done = 0
  private(set) var skipped = 0
  private(set) var failed = 0
  private(set) var interrupted = 0
  private var pixels = 0
  private let start = ContinuousClock.now
  private var lastProgress = ContinuousClock.now

  init(total: Int) { self.total = total }

  /// Seconds since the start.
  var seconds: Double { start.duration(to: .now) / .seconds(1) }

  mutating func count(_ item: BatchItem, pixels: Int) {
    switch item.status {
    case .done:
      done += 1
      // A worker reports this number: do not trust it.
      let (sum, isOver) = self.pixels.addingReportingOverflow(pixels)
      self.pixels = isOver ? .max : sum
    case .skipped: skipped += 1
    case .failed: failed += 1
    case .interrupted: interrupted += 1
    case .planned: break
    }
  }

  /// Whether a second has passed since it was last true.
  var isProgressDue: Bool {
    mutating get {
      guard ContinuousClock.now - lastProgress >= .seconds(1) else { return false }
      lastProgress = .now
      return true
    }
  }

  var progress: BatchProgress {
    let finished = done + skipped + failed
    let worked = done + failed
    let left = total - finished
    return BatchProgress(
      finished: finished, total: total, failed: failed, skipped: skipped, seconds: seconds,
      megapixelsPerSecond: seconds > 0 ? Double(pixels) / 1e6 / seconds : 0,
      secondsLeft: worked > 0 ? seconds / Double(worked) * Double(left) : nil)
  }
}
