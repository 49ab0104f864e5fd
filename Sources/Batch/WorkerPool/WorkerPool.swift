import Foundation
import ImageCore
import SystemPackage

/// A number of worker processes with one task each: kept busy, within a limit of memory and of time
/// per task, and replaced when they die.
///
/// One thread; all waiting is in one `poll`. Every decision about time goes by `Settings.now`.
final class WorkerPool {
  struct Settings: Sendable {
    /// Executable and arguments of a worker.
    var command: [String]
    /// Workers at a time.
    var jobs: Int
    /// Threads of each; nil to divide the cores among those tasks that have memory to run side by
    /// side.
    var threads: Int?
    /// Memory limit of all workers and this process together, bytes.
    var memoryBytes: Int
    /// What one file may cost.
    var limits = DecodeLimits()
    /// Seconds that one task may take, not counting those that it waits for memory.
    var timeoutSeconds: Double
    /// Seconds that tasks may take after a cancellation.
    var graceSeconds = 8.0
    /// The clock.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Bytes that this process itself takes.
    var ownMemoryBytes: @Sendable () -> Int = { ProcessMemory.resident(getpid()) }
  }

  private final class Member {
    let process: WorkerProcess
    var task: WorkerTask?
    /// A request that waits for memory.
    var held: (request: WorkerRequest, bytes: Int, since: ContinuousClock.Instant)?
    /// Bytes set aside for the request under way.
    var reserved = 0
    /// Whether it has ever replied.
    var isReady = false
    /// Whether it has finished a task, which may have left damage.
    var isUsed = false
    /// When its task began, later by the time that the task waited for memory.
    var began: ContinuousClock.Instant
    init(_ process: WorkerProcess, now: ContinuousClock.Instant) {
      (self.process, began) = (process, now)
    }
  }

  private let settings: Settings
  private let cancellation: CancellationToken
  private unowned let delegate: any WorkerPoolDelegate
  private var members: [Member] = []
  /// Tasks to repeat: their worker died, most likely not because of their file.
  private var retries: [WorkerTask] = []
  /// Tasks to repeat by workers that have done nothing else: their worker died, and may have been
  /// damaged by an earlier file.
  private var doubts: [WorkerTask] = []
  /// Workers that died at a task, not counting those whose task is tried again.
  private(set) var crashes = 0
  /// Workers that were killed because their task took too long.
  private(set) var timeouts = 0
  /// Waits that ended because there was input, and not because time had passed.
  private(set) var wakeups = 0
  private var cancelledSince: ContinuousClock.Instant?
  private var lastCheck: ContinuousClock.Instant
  /// Workers in a row that ended before their first reply.
  private var startupFailures = 0
  /// What `maxStartupFailures` of them mean: none can be started.
  private var startupError: BatchError?
  private static let maxStartupFailures = 3
  /// Handlers of other input, by descriptor.
  var listeners: [FileDescriptor: () -> Void] = [:]

  init(
    _ settings: Settings, delegate: any WorkerPoolDelegate, cancellation: CancellationToken
  ) {
    (self.settings, self.delegate, self.cancellation) = (settings, delegate, cancellation)
    lastCheck = settings.now()
  }

  private var busy: [Member] { members.filter { $0.task != nil } }

  /// Tasks whose next request waits for memory.
  var waitingForMemory: Int { members.count { $0.held != nil } }

  /// Works until the delegate has no more tasks, or until a cancellation and the end of what was
  /// under way. Throws ``BatchError/Code/badSetting`` where workers cannot be started at all.
  func run() throws(BatchError) {
    defer { shutdown() }
    while true {
      if cancellation.isCancelled, cancelledSince == nil { cancelledSince = settings.now() }
      if cancelledSince == nil { try assign() }
      if busy.isEmpty, cancelledSince != nil || (isIdle && delegate.isFinished) { break }
      release()
      wait()
      check()
      if let startupError { throw startupError }
      delegate.tick()
    }
    for task in retries + doubts { delegate.taskFailed(task, .cancelled) }
  }

  /// Whether no task is to be repeated.
  private var isIdle: Bool { retries.isEmpty && doubts.isEmpty }

  /// Ends the task `id`, which then fails as cancelled; nothing where there is none.
  func cancel(_ id: Int) {
    if let index = retries.firstIndex(where: { $0.id == id }) {
      delegate.taskFailed(retries.remove(at: index), .cancelled)
    }
    if let index = doubts.firstIndex(where: { $0.id == id }) {
      delegate.taskFailed(doubts.remove(at: index), .cancelled)
    }
    if let member = busy.first(where: { $0.task?.id == id }) { end(member, .cancelled) }
  }

  /// Gives tasks to workers that have none; starts workers up to `jobs`.
  private func assign() throws(BatchError) {
    while busy.count < settings.jobs {
      if busy.contains(where: { $0.task?.isAlone ?? false }) { return }
      let task: WorkerTask
      if !retries.isEmpty {
        guard busy.isEmpty else { return }
        task = retries.removeFirst()
      } else if !doubts.isEmpty {
        task = doubts.removeFirst()
        // So that a new one is started for it.
        for member in members where member.task == nil && member.isUsed {
          end(member, .cancelled)
        }
      } else if let next = delegate.next() {
        task = next
      } else {
        return
      }
      let member: Member
      if let idle = members.first(where: { $0.task == nil }) {
        member = idle
      } else {
        do {
          member = Member(
            try WorkerProcess(
              settings.command, memoryBytes: settings.memoryBytes, limits: settings.limits),
            now: settings.now())
        } catch {
          // The machine lacks resources; the existing workers continue.
          guard !busy.isEmpty else { throw error }
          retries.append(task)
          return
        }
        members.append(member)
      }
      (member.task, member.began, member.reserved) = (task, settings.now(), 0)
      if !member.process.send(task.first), member.isReady {
        // It died while it was idle; the task is not to blame. One that never replied is noticed at
        // the next read.
        member.task = nil
        members.removeAll { $0 === member }
        retries.append(task)
      }
    }
  }

  /// Sends requests that waited for memory, in the order of their arrival, so that small ones do
  /// not overtake a big one forever. A task that is the only one need not wait.
  private func release() {
    let waiting = members.compactMap { member in member.held.map { (member, $0) } }
    for (member, held) in waiting.sorted(by: { $0.1.since < $1.1.since }) {
      let others = members.reduce(0) { $0 + $1.reserved }
      let threads = threads(for: held.bytes)
      let bytes = held.bytes + (threads - 1) * MemoryEstimate.bytesPerThread
      guard others == 0 || bytes <= settings.memoryBytes - others else { return }
      (member.held, member.reserved) = (nil, bytes)
      member.began += held.since.duration(to: settings.now())
      do {
        _ = try member.process.send(creatingOutputsOf: held.request.on(threads: threads))
      } catch {
        take(.failed(BatchItem.Failure(error)), from: member)
      }
    }
  }

  /// Threads for a task of so many bytes: more than one where memory admits big tasks one by one
  /// only, or the last tasks are running, as cores would idle.
  private func threads(for bytes: Int) -> Int {
    if let threads = settings.threads { return threads }
    let beside = min(busy.count, settings.jobs, settings.memoryBytes / max(bytes, 1))
    return max(1, Machine.cores / max(beside, 1))
  }

  /// Waits for replies, standard error, other input or a cancellation, for 200 ms at most.
  private func wait() {
    var inputs: [(descriptor: FileDescriptor, handler: () -> Void)] = []
    for member in members {
      if member.process.isStderrOpen {
        inputs.append((member.process.stderr, { member.process.readStderr() }))
      }
      inputs.append((member.process.replies, { self.readReplies(of: member) }))
    }
    // A cancellation that is noted must not wake again.
    if cancelledSince == nil { inputs.append((cancellation.descriptor, {})) }
    for descriptor in listeners.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      inputs.append((descriptor, { self.listeners[descriptor]?() }))
    }
    let ready = Poll.readable(inputs.map(\.descriptor), milliseconds: 200)
    if !ready.isEmpty { wakeups += 1 }
    for index in ready { inputs[index].handler() }
  }

  private func readReplies(of member: Member) {
    guard let replies = member.process.read() else {
      let termination = member.process.wait()
      member.process.readStderr()
      reap(member, .crash(termination, lastStderrLine: member.process.lastStderrLine))
      return
    }
    if !replies.isEmpty { (member.isReady, startupFailures) = (true, 0) }
    for reply in replies { take(reply, from: member) }
  }

  private func take(_ reply: WorkerReply, from member: Member) {
    guard let task = member.task else { return }
    switch reply {
    case .ready: break
    case .progress(let fraction): delegate.progressed(fraction, of: task)
    default:
      switch delegate.nextStep(after: reply, for: task) {
      case .send(let request, let bytes):
        member.held = (request, min(max(bytes, 0), 1 << 60), settings.now())
      case .finish:
        (member.task, member.held, member.reserved) = (nil, nil, 0)
        member.isUsed = true
      }
    }
  }

  /// Removes a worker that is gone; its task is tried again or fails.
  private func reap(_ member: Member, _ failure: WorkerFailure) {
    members.removeAll { $0 === member }
    guard var task = member.task else { return }
    member.task = nil
    var failure = failure
    if case .crash = failure, member.process.peakBytes > settings.memoryBytes {
      // More was refused to it before it was ended for what it had.
      failure = .memory
    }
    switch failure {
    case .crash(let termination, let line) where !member.isReady:
      // It never opened the file.
      startupFailures += 1
      retries.append(task)
      guard startupFailures >= Self.maxStartupFailures else { return }
      let command = settings.command.joined(separator: " ")
      startupError = BatchError(
        .badSetting,
        "workers end as soon as they begin (\(command), \(termination))"
          + (line.map { ": \($0)" } ?? ""))
      return
    case .crash(.signal(SIGKILL), _) where !task.isAlone, .memory where !task.isAlone:
      // Killed by the system, most likely because memory ran out.
      task.isAlone = true
      retries.append(task)
      return
    case .crash where member.isUsed && !task.isDoubted && !task.isAlone:
      task.isDoubted = true
      doubts.append(task)
      return
    case .crash: crashes += 1
    case .timeout: timeouts += 1
    case .memory, .cancelled: break
    }
    delegate.taskFailed(task, failure)
  }

  /// Ends tasks that take too long or too much memory, or run on too long after a cancellation.
  private func check() {
    let now = settings.now()
    if let since = cancelledSince, now - since > .seconds(settings.graceSeconds) {
      for member in busy { end(member, .cancelled) }
    }
    guard now - lastCheck > .milliseconds(150) else { return }
    lastCheck = now
    for member in busy
    where member.held == nil && now - member.began > .seconds(settings.timeoutSeconds) {
      end(member, .timeout)
    }
    let taken = members.reduce(settings.ownMemoryBytes()) { $0 + $1.process.memoryBytes }
    if taken > settings.memoryBytes, let youngest = busy.max(by: { $0.began < $1.began }) {
      // Idle workers first, which free what they still hold.
      let idle = members.filter { $0.task == nil }
      for member in idle { end(member, .cancelled) }
      if idle.isEmpty { end(youngest, .memory) }
    }
  }

  private func end(_ member: Member, _ failure: WorkerFailure) {
    member.process.terminate()
    reap(member, failure)
  }

  /// Shuts down all workers and waits for them.
  private func shutdown() {
    for member in members { member.process.terminate() }
    members = []
  }
}
