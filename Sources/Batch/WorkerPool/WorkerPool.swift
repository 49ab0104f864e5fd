import Foundation

/// A number of worker processes, each with one task at a time, kept busy, within memory, in time, and
/// replaced when they die. One thread; all waiting is in one `poll`.
final class WorkerPool {
  struct Settings: Sendable {
    /// Executable and arguments of a worker.
    var command: [String]
    /// Workers at a time.
    var jobs: Int
    /// Threads of each; nil for as many as share the cores among those that have room beside each other.
    var threads: Int?
    /// Bytes that all of them together may take.
    var memoryBytes: Int
    /// Seconds that one task may take.
    var timeoutSeconds: Double
    /// Seconds that tasks may go on after a stop was asked for.
    var graceSeconds = 8.0
  }

  private final class Member {
    let process: WorkerProcess
    var task: WorkerTask?
    var held: (request: WorkerRequest, bytes: Int, since: ContinuousClock.Instant)?
    var reserved = 0
    /// Whether it has ever said anything.
    var isReady = false
    var began = ContinuousClock.now
    init(_ process: WorkerProcess) { self.process = process }
  }

  private let settings: Settings
  private let cancellation: CancellationToken
  private unowned let delegate: any WorkerPoolDelegate
  private var members: [Member] = []
  /// Tasks that lost their worker through no fault that is certain: once more, alone.
  private var retries: [WorkerTask] = []
  private(set) var crashes = 0
  private(set) var timeouts = 0
  private var cancelledSince: ContinuousClock.Instant?
  private var lastCheck = ContinuousClock.now
  /// Workers in a row that ended before they said anything, and what that means in the end.
  private var startupFailures = 0
  private var startupError: BatchError?
  private static let maxStartupFailures = 3
  /// Where other input comes from, with what to do then.
  var listeners: [Int32: () -> Void] = [:]

  init(_ settings: Settings, delegate: any WorkerPoolDelegate, cancellation: CancellationToken) {
    (self.settings, self.delegate, self.cancellation) = (settings, delegate, cancellation)
  }

  private var busy: [Member] { members.filter { $0.task != nil } }

  /// Works until the delegate has no more, or a stop was asked for and what was under way has ended. Throws
  /// where workers cannot be started at all.
  func run() throws(BatchError) {
    defer { shutdown() }
    while true {
      if cancellation.isCancelled, cancelledSince == nil { cancelledSince = .now }
      if cancelledSince == nil { try assign() }
      if busy.isEmpty, cancelledSince != nil || (retries.isEmpty && delegate.isFinished) { break }
      release()
      wait()
      check()
      if let startupError { throw startupError }
      delegate.tick()
    }
    for task in retries { delegate.taskFailed(task, .cancelled) }
  }

  /// Ends a task, which is then lost.
  func cancel(_ id: Int) {
    if let index = retries.firstIndex(where: { $0.id == id }) {
      delegate.taskFailed(retries.remove(at: index), .cancelled)
    }
    if let member = busy.first(where: { $0.task?.id == id }) { end(member, .cancelled) }
  }

  /// Gives tasks to those who have none.
  private func assign() throws(BatchError) {
    while busy.count < settings.jobs {
      if busy.contains(where: { $0.task?.isAlone ?? false }) { return }
      let task: WorkerTask
      if !retries.isEmpty {
        guard busy.isEmpty else { return }
        task = retries.removeFirst()
      } else if let next = delegate.next() {
        task = next
      } else {
        return
      }
      let member: Member
      if let idle = members.first(where: { $0.task == nil }) {
        member = idle
      } else {
        do { member = Member(try WorkerProcess(settings.command)) } catch {
          // The machine is short of something; those at work may go on.
          guard !busy.isEmpty else { throw error }
          retries.append(task)
          return
        }
        members.append(member)
      }
      (member.task, member.began, member.reserved) = (task, .now, 0)
      if !member.process.send(task.first.request), member.isReady {
        // It died while it had nothing to do; the task is not to blame. One that never began is noticed
        // at the next read.
        member.task = nil
        members.removeAll { $0 === member }
        retries.append(task)
      }
    }
  }

  /// Sends what waited for memory, in the order in which it came, so that a big one is not passed by small
  /// ones for ever; a task that is the only one need not wait.
  private func release() {
    let waiting = members.compactMap { member in member.held.map { (member, $0) } }
    for (member, held) in waiting.sorted(by: { $0.1.since < $1.1.since }) {
      let others = members.reduce(0) { $0 + $1.reserved }
      let threads = threads(for: held.bytes)
      let bytes = held.bytes + (threads - 1) * MemoryEstimate.bytesPerThread
      guard others == 0 || bytes <= settings.memoryBytes - others else { return }
      (member.held, member.reserved) = (nil, bytes)
      // The time that it waited is not its own.
      member.began += held.since.duration(to: .now)
      _ = member.process.send(held.request.on(threads: threads))
    }
  }

  /// Threads for a task that takes so much memory. Where big ones have room one by one only, or the last ones
  /// are at work, cores would have nothing to do.
  private func threads(for bytes: Int) -> Int {
    if let threads = settings.threads { return threads }
    let beside = min(busy.count, settings.jobs, settings.memoryBytes / max(bytes, 1))
    return max(1, Machine.cores / max(beside, 1))
  }

  /// Waits for replies, stderr, other input, a stop, or a while.
  private func wait() {
    var polls = members.flatMap {
      [
        pollfd(fd: $0.process.replies, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: $0.process.isStderrOpen ? $0.process.stderr : -1, events: Int16(POLLIN),
          revents: 0),
      ]
    }
    polls.append(pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0))
    let others = listeners.keys.sorted()
    polls += others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // A stop that is noted must not wake again.
    if cancelledSince != nil { polls[members.count * 2].fd = -1 }
    guard poll(&polls, nfds_t(polls.count), 200) > 0 else { return }
    let (count, current) = (members.count, members)
    for (index, member) in current.enumerated() {
      if polls[index * 2 + 1].revents != 0 { member.process.readStderr() }
      if polls[index * 2].revents != 0 { readReplies(of: member) }
    }
    for (index, descriptor) in others.enumerated()
    where polls[count * 2 + 1 + index].revents != 0 {
      listeners[descriptor]?()
    }
  }

  private func readReplies(of member: Member) {
    guard let replies = member.process.read() else {
      let end = member.process.wait()
      member.process.readStderr()
      reap(member, .crash(end, member.process.lastStderrLine))
      return
    }
    if !replies.isEmpty { (member.isReady, startupFailures) = (true, 0) }
    for reply in replies {
      guard let task = member.task else { continue }
      switch reply {
      case .ready: break
      case .progress(let fraction): delegate.progressed(fraction, of: task)
      default:
        switch delegate.nextStep(after: reply, for: task) {
        case .send(let request, let bytes):
          member.held = (request, min(max(bytes, 0), 1 << 60), .now)
        case .finish: (member.task, member.held, member.reserved) = (nil, nil, 0)
        }
      }
    }
  }

  /// Parts with a member that is gone, and tells of its task.
  private func reap(_ member: Member, _ failure: WorkerFailure) {
    members.removeAll { $0 === member }
    guard var task = member.task else { return }
    member.task = nil
    switch failure {
    case .crash(let end, let message) where !member.isReady:
      // It never looked at the file.
      startupFailures += 1
      retries.append(task)
      guard startupFailures >= Self.maxStartupFailures else { return }
      startupError = BatchError(
        .badSetting,
        "workers end as soon as they begin (\(settings.command.joined(separator: " ")), \(end))"
          + (message.map { ": \($0)" } ?? ""))
      return
    case .crash(.signal(SIGKILL), _) where !task.isAlone, .memory where !task.isAlone:
      // Killed from outside, most likely because memory ran out.
      task.isAlone = true
      retries.append(task)
      return
    case .crash: crashes += 1
    case .timeout: timeouts += 1
    case .memory, .cancelled: break
    }
    delegate.taskFailed(task, failure)
  }

  /// Ends what takes too long or too much, or goes on too long after a stop.
  private func check() {
    let now = ContinuousClock.now
    if let since = cancelledSince, now - since > .seconds(settings.graceSeconds) {
      for member in busy { end(member, .cancelled) }
    }
    guard now - lastCheck > .milliseconds(150) else { return }
    lastCheck = now
    for member in busy
    where member.held == nil && now - member.began > .seconds(settings.timeoutSeconds) {
      end(member, .timeout)
    }
    let taken = members.reduce(ProcessMemory.own(getpid())) { $0 + $1.process.memoryBytes }
    if taken > settings.memoryBytes, let youngest = busy.max(by: { $0.began < $1.began }) {
      // An idle worker gives back what it kept.
      let idle = members.filter { $0.task == nil }
      for member in idle { end(member, .cancelled) }
      if idle.isEmpty { end(youngest, .memory) }
    }
  }

  private func end(_ member: Member, _ failure: WorkerFailure) {
    member.process.terminate()
    reap(member, failure)
  }

  /// Sends everybody home.
  private func shutdown() {
    for member in members { member.process.terminate() }
    members = []
  }
}
