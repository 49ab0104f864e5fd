import Develop
import Foundation
import ImageCore
import SystemPackage

/// A number of worker processes with one task each: kept busy, within a limit of memory and of time
/// per task, and replaced when they die.
///
/// One thread; all waiting is in one `poll`. All times are from `Settings.now`.
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
    /// Seconds that one task may take, excluding its wait for memory, which is at most `jobs` times
    /// as long.
    var timeoutSeconds: Double
    /// Seconds that tasks may take after a cancellation.
    var graceSeconds = 8.0
    /// Seconds of processor time that a worker without a task may take.
    var idleSeconds = 1.0
    /// Whether a worker that cannot be started fails only its task, as resources may be available
    /// for the next one; otherwise the pool ends.
    var isLasting = false
    /// The clock.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Bytes that this process itself uses.
    var ownMemoryBytes: @Sendable () -> Int = { ProcessMemory.resident(getpid()) }
  }

  private final class Member {
    let process: WorkerProcess
    var task: WorkerTask?
    /// A request that waits for memory.
    var held: (request: WorkerRequest, bytes: Int, since: ContinuousClock.Instant)?
    /// The request under way.
    var asked: WorkerRequest?
    /// Bytes set aside for it.
    var reserved = 0
    /// Whether it has ever replied.
    var isReady = false
    /// Whether it has finished a task, which may have left damage.
    var isUsed = false
    /// When its task began, later by the time that the task waited for memory.
    var began: ContinuousClock.Instant
    /// Whether it said something since the last check.
    var hasSpoken = false
    /// Checks that its task outlasted because of that.
    var extensions = 0
    /// The processor time that it had taken at the first check without a task.
    var restedAt: Double?
    init(_ process: WorkerProcess, now: ContinuousClock.Instant) {
      (self.process, began) = (process, now)
    }
  }

  private let settings: Settings
  private let cancellation: CancellationToken
  private unowned let delegate: any WorkerPoolDelegate
  private var members: [Member] = []
  /// Tasks to repeat: their worker died, probably not because of their file.
  private var retries: [WorkerTask] = []
  /// Tasks to repeat in fresh workers: their worker died, and an earlier file may have damaged it.
  private var doubts: [WorkerTask] = []
  /// Workers that died or sent an invalid reply during a task, except where the task is repeated.
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
  /// Whether any worker has replied.
  private var hasWorked = false
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

  /// Works until the delegate has no more tasks, or until a cancellation and the end of the tasks
  /// in progress. Throws ``BatchError/Code/badSetting`` where workers cannot be started at all.
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

  /// Ends the task `id`, which then fails as cancelled; does nothing for an unknown `id`.
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
          if !busy.isEmpty {
            retries.append(task)
          } else if settings.isLasting {
            delegate.taskFailed(task, .unstarted(error.message))
          } else {
            throw error
          }
          return
        }
        members.append(member)
      }
      (member.task, member.asked) = (task, task.first)
      (member.began, member.extensions, member.restedAt) = (settings.now(), 0, nil)
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
    for (member, held) in waiting.sorted(by: { $0.1.since < $1.1.since })
    where member.task != nil {
      // A waiting worker has no reservation.
      let others = members.reduce(0) { $0 + $1.reserved }
      let threads = threads(for: held.bytes)
      let bytes = held.bytes + (threads - 1) * MemoryEstimate.bytesPerThread
      guard others == 0 || bytes <= settings.memoryBytes - others else { return }
      (member.held, member.asked, member.reserved) = (nil, held.request, bytes)
      member.began += held.since.duration(to: settings.now())
      do {
        let isSent = try member.process.send(creatingOutputsOf: held.request.on(threads: threads))
        // Where it is gone, the end of its replies tells how it ended.
        if !isSent, member.process.isDeaf { end(member, .deaf) }
      } catch {
        take(.failed(BatchItem.Failure(error)), from: member)
      }
    }
  }

  /// Threads for a task of this many bytes: more than one where memory admits big tasks only one by
  /// one, or the last tasks are running, as cores would idle.
  private func threads(for bytes: Int) -> Int {
    if let threads = settings.threads { return threads }
    let parallel = min(busy.count, settings.jobs, settings.memoryBytes / max(bytes, 1))
    return max(1, Machine.cores / max(parallel, 1))
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
    member.hasSpoken = true
    guard let replies = member.process.read() else {
      let termination = member.process.wait()
      member.process.readStderr()
      reap(member, .crash(termination, lastStderrLine: member.process.lastStderrLine))
      return
    }
    if !replies.isEmpty { (member.isReady, hasWorked, startupFailures) = (true, true, 0) }
    for reply in replies { take(reply, from: member) }
  }

  /// Reads what a worker has sent while this thread was busy.
  private func catchUp(with member: Member) {
    if !Poll.readable([member.process.replies], milliseconds: 0).isEmpty {
      readReplies(of: member)
    }
  }

  private func take(_ reply: WorkerReply, from member: Member) {
    if case .ready = reply { return }
    if case .progress(let fraction) = reply {
      if let task = member.task { delegate.progressed(fraction, of: task) }
      return
    }
    guard let task = member.task, let asked = member.asked, asked.isAnswered(by: reply) else {
      end(member, .nonsense)
      return
    }
    (member.asked, member.reserved) = (nil, 0)
    switch delegate.nextStep(after: reply, for: task) {
    case .send(let request, let bytes):
      member.held = (request, min(max(bytes, 0), 1 << 60), settings.now())
    case .finish:
      member.task = nil
      member.isUsed = true
    }
  }

  /// Removes a worker that is gone; its task is tried again or fails.
  private func reap(_ member: Member, _ failure: WorkerFailure) {
    members.removeAll { $0 === member }
    guard var task = member.task else { return }
    member.task = nil
    var failure = failure
    if case .crash = failure, member.process.peakBytes > settings.memoryBytes {
      // An allocation was refused before the process was ended for its memory use.
      failure = .memory
    }
    let isDoubtful = member.isUsed && !task.isDoubted && !task.isAlone
    switch failure {
    case .crash(let termination, let line) where !member.isReady:
      // It never opened the file.
      startupFailures += 1
      guard startupFailures >= BatchLimits.startupFailures else {
        retries.append(task)
        return
      }
      let command = settings.command.joined(separator: " ")
      let message =
        "workers exit at start (\(command), \(termination))"
        + (line.map { ": \($0)" } ?? "")
      guard settings.isLasting, hasWorked else {
        retries.append(task)
        startupError = BatchError(.badSetting, message)
        return
      }
      startupFailures = 0
      failure = .unstarted(message)
    case .crash(.signal(SIGKILL), _) where !task.isAlone, .memory where !task.isAlone:
      // Killed by the system, probably because memory ran out.
      task.isAlone = true
      retries.append(task)
      return
    case .crash where isDoubtful, .nonsense where isDoubtful:
      task.isDoubted = true
      doubts.append(task)
      return
    case .crash, .nonsense: crashes += 1
    case .timeout, .deaf: timeouts += 1
    case .memory, .cancelled, .unstarted: break
    }
    delegate.taskFailed(task, failure)
  }

  /// Ends tasks that take too long or too much memory, or run on too long after a cancellation, and
  /// idle workers that compute.
  private func check() {
    let now = settings.now()
    if let since = cancelledSince, now - since > .seconds(settings.graceSeconds) {
      for member in busy {
        catchUp(with: member)
        end(member, .cancelled)
      }
    }
    guard now - lastCheck > .milliseconds(150) else { return }
    lastCheck = now
    for member in busy where isLate(member, at: now) {
      // What came while this thread planned came in time.
      catchUp(with: member)
      guard isLate(member, at: now) else { continue }
      if member.hasSpoken, member.extensions < BatchLimits.extensions {
        member.extensions += 1
      } else {
        end(member, .timeout)
      }
    }
    for member in members {
      member.hasSpoken = false
      guard member.task == nil else { continue }
      let taken = member.process.processorSeconds
      let before = member.restedAt ?? taken
      member.restedAt = before
      if taken - before > settings.idleSeconds { end(member, .cancelled) }
    }
    let taken = members.reduce(settings.ownMemoryBytes()) { $0 + $1.process.memoryBytes }
    if taken > settings.memoryBytes, let youngest = busy.max(by: { $0.began < $1.began }) {
      // Idle workers first, which free what they still hold.
      let idle = members.filter { $0.task == nil }
      for member in idle { end(member, .cancelled) }
      if idle.isEmpty { end(youngest, .memory) }
    }
  }

  /// Whether the time of a member's task is over.
  private func isLate(_ member: Member, at now: ContinuousClock.Instant) -> Bool {
    guard member.task != nil else { return false }
    guard let held = member.held else {
      return now - member.began > .seconds(settings.timeoutSeconds)
    }
    // Those before it in the line for memory have their time each.
    return now - held.since > .seconds(settings.timeoutSeconds * Double(settings.jobs))
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
