import Synchronization

/// Records how much CPU time each stage takes, on all threads of the work.
///
/// Each thread has a clock of its own (POSIX `CLOCK_THREAD_CPUTIME_ID`), which stops while it waits
/// or another process runs. A stage gets the time between its start and its end, less the nested
/// stages: nothing is counted twice, and the stages add up to the time of the threads. When nothing
/// is recorded, a stage costs one lookup of a task-local value.
package final class StageRecorder: Sendable {
  /// An interval of one thread's work: a stage, usually one rectangle of it.
  package struct Span: Sendable {
    package let name: String
    /// Nanoseconds of a monotonic clock.
    package let start, duration: Int64
    /// Nanoseconds of CPU, including nested spans.
    package let cpu: Int64
    /// Numbers the threads from 0.
    package let thread: Int
    package let details: [String: Int]
  }

  private struct State {
    var cpu: [MeasuredStage: Int64] = [:]
    var spans: [Span] = []
    var threads: [UInt64] = []
    var regions = 0
  }

  private let state = Mutex(State())
  let keepsSpans: Bool

  /// With `keepsSpans` it remembers every span, some 200 bytes each.
  package init(keepsSpans: Bool = false) { self.keepsSpans = keepsSpans }

  /// Calls `body` and records its stages; the rest is ``MeasuredStage/other``.
  package func record<R>(_ body: () throws -> R) rethrows -> R {
    try StageThread(self).run(.other, "run", region: 0, body)
  }

  /// Nanoseconds of CPU of each stage so far.
  package var cpu: [MeasuredStage: Int64] { state.withLock { $0.cpu } }

  /// All spans so far; the spans of a thread in the order in which they ended.
  package var spans: [Span] { state.withLock { $0.spans } }

  func number(ofThread thread: UInt64) -> Int {
    state.withLock { state in
      if let known = state.threads.firstIndex(of: thread) { return known }
      state.threads.append(thread)
      return state.threads.count - 1
    }
  }

  func newRegion() -> Int {
    state.withLock { state in
      state.regions += 1
      return state.regions
    }
  }

  func add(_ cpu: [MeasuredStage: Int64], _ spans: [Span]) {
    state.withLock { state in
      state.cpu.merge(cpu, uniquingKeysWith: +)
      state.spans += spans
    }
  }
}
