internal import CPOSIX

/// The stages that one thread passes through, for a ``StageRecorder``.
final class StageThread: @unchecked Sendable {
  /// The recording of the calling thread; nil where nothing is recorded.
  @TaskLocal static var current: StageThread?

  private struct Frame {
    let stage: MeasuredStage
    let name: String
    let details: [String: Int]
    /// The shared work that it is part of.
    let region: Int
    let start, cpu: Int64
    /// CPU time of the process at the start, where that counts.
    let process: Int64?
    /// Time of the nested frames.
    var inner: Int64 = 0
  }

  private let recorder: StageRecorder
  private let number: Int
  private var frames: [Frame] = []
  private var cpu: [MeasuredStage: Int64] = [:]
  private var spans: [StageRecorder.Span] = []
  /// CPU time of a library's threads that counts as this one's.
  private var foreign: Int64 = 0

  init(_ recorder: StageRecorder) {
    self.recorder = recorder
    number = recorder.number(ofThread: cposix_thread())
  }

  /// Calls `body` as `stage`, the first one of this thread, and reports what was recorded.
  func run<R>(
    _ stage: MeasuredStage, _ name: String, region: Int, _ body: () throws -> R
  ) rethrows -> R {
    try Self.$current.withValue(self) {
      begin(stage, name, [:], region: region)
      defer {
        end()
        recorder.add(cpu, spans)
      }
      return try body()
    }
  }

  private var used: Int64 { cposix_thread_cpu() + foreign }

  func begin(
    _ stage: MeasuredStage, _ name: String, _ details: @autoclosure () -> [String: Int],
    region: Int? = nil, countsProcess: Bool = false
  ) {
    frames.append(
      Frame(
        stage: stage, name: name, details: recorder.keepsSpans ? details() : [:],
        region: region ?? frames.last?.region ?? 0, start: cposix_time(), cpu: used,
        process: countsProcess ? cposix_process_cpu() : nil))
  }

  func end() {
    guard let frame = frames.popLast() else { return }
    if let process = frame.process {
      foreign += max(cposix_process_cpu() - process - (used - frame.cpu), 0)
    }
    let own = used - frame.cpu
    cpu[frame.stage, default: 0] += own - frame.inner
    if !frames.isEmpty { frames[frames.count - 1].inner += own }
    guard recorder.keepsSpans else { return }
    spans.append(
      StageRecorder.Span(
        name: frame.name, start: frame.start, duration: cposix_time() - frame.start, cpu: own,
        thread: number, details: frame.details))
  }
}

extension StageThread {
  /// Calls `distribute` with a function that makes `body` the work of a thread that is part of this
  /// one's stage.
  static func sharing(
    _ name: String, _ details: @autoclosure () -> [String: Int],
    _ body: @escaping @Sendable (Int) -> Void, by distribute: (@Sendable (Int) -> Void) -> Void
  ) {
    guard let caller = current, let stage = caller.frames.last?.stage else {
      return distribute(body)
    }
    let (recorder, region) = (caller.recorder, caller.recorder.newRegion())
    caller.begin(stage, name, details().merging(["region": region]) { $1 }, region: region)
    defer { caller.end() }
    distribute { worker in
      // The thread that distributes the work takes part in it.
      if current != nil { return body(worker) }
      StageThread(recorder).run(stage, "thread", region: region) { body(worker) }
    }
  }

  /// A part of shared work.
  static func part<R, E: Error>(
    _ name: String, _ details: @autoclosure () -> [String: Int], _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let thread = current, let frame = thread.frames.last else { return try body() }
    thread.begin(
      frame.stage, name, details().merging(["region": frame.region]) { $1 })
    defer { thread.end() }
    return try body()
  }
}
