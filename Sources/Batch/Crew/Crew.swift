import Foundation

/// A number of worker processes, each with one task at a time, kept busy, within memory, in time, and
/// replaced when they die. One thread; all waiting is in one `poll`.
final class Crew {
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
    var task: CrewTask?
    var held: (request: WorkerRequest, bytes: Int, since: ContinuousClock.Instant)?
    var reserved = 0
    /// Whether it has ever said anything.
    var isReady = false
    var began = ContinuousClock.now
    init(_ process: WorkerProcess) { self.process = process }
  }

  private let settings: Settings
  private let stop: BatchStop
  private unowned let lead: any CrewLead
  private var members: [Member] = []
  /// Tasks that lost their worker through no fault that is certain: once more, alone.
  private var again: [CrewTask] = []
  private(set) var crashes = 0
  private(set) var timeouts = 0
  private var stoppedSince: ContinuousClock.Instant?
  private var lastCheck = ContinuousClock.now
  /// Workers in a row that ended before they said anything, and what that means in the end.
  private var stillborn = 0
  private var failure: BatchError?
  private static let mostStillborn = 3
  /// Where other input comes from, with what to do then.
  var listeners: [Int32: () -> Void] = [:]

  init(_ settings: Settings, lead: any CrewLead, stop: BatchStop) {
    (self.settings, self.lead, self.stop) = (settings, lead, stop)
  }

  private var busy: [Member] { members.filter { $0.task != nil } }

  /// Works until the lead has no more, or a stop was asked for and what was under way has ended. Throws
  /// where workers cannot be started at all.
  func run() throws(BatchError) {
    defer { dismiss() }
    while true {
      if stop.isRequested, stoppedSince == nil { stoppedSince = .now }
      if stoppedSince == nil { try assign() }
      if busy.isEmpty, stoppedSince != nil || (again.isEmpty && lead.isFinished) { break }
      release()
      wait()
      check()
      if let failure { throw failure }
      lead.tick()
    }
    for task in again { lead.lost(task, .stopped) }
  }

  /// Ends a task, which is then lost.
  func cancel(_ id: Int) {
    if let index = again.firstIndex(where: { $0.id == id }) {
      lead.lost(again.remove(at: index), .stopped)
    }
    if let member = busy.first(where: { $0.task?.id == id }) { end(member, .stopped) }
  }

  /// Gives tasks to those who have none.
  private func assign() throws(BatchError) {
    while busy.count < settings.jobs {
      if busy.contains(where: { $0.task?.isAlone ?? false }) { return }
      let task: CrewTask
      if !again.isEmpty {
        guard busy.isEmpty else { return }
        task = again.removeFirst()
      } else if let next = lead.next() {
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
          again.append(task)
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
        again.append(task)
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

  /// Waits for replies, complaints, other input, a stop, or a while.
  private func wait() {
    var polls = members.flatMap {
      [
        pollfd(fd: $0.process.replies, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: $0.process.isComplaining ? $0.process.complaints : -1, events: Int16(POLLIN),
          revents: 0),
      ]
    }
    polls.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0))
    let others = listeners.keys.sorted()
    polls += others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // A stop that is noted must not wake again.
    if stoppedSince != nil { polls[members.count * 2].fd = -1 }
    guard poll(&polls, nfds_t(polls.count), 200) > 0 else { return }
    let (count, current) = (members.count, members)
    for (index, member) in current.enumerated() {
      if polls[index * 2 + 1].revents != 0 { member.process.readComplaints() }
      if polls[index * 2].revents != 0 { hear(member) }
    }
    for (index, descriptor) in others.enumerated()
    where polls[count * 2 + 1 + index].revents != 0 {
      listeners[descriptor]?()
    }
  }

  private func hear(_ member: Member) {
    guard let replies = member.process.read() else {
      let end = member.process.wait()
      member.process.readComplaints()
      bury(member, .crash(end, member.process.lastComplaint))
      return
    }
    if !replies.isEmpty { (member.isReady, stillborn) = (true, 0) }
    for reply in replies {
      guard let task = member.task else { continue }
      switch reply {
      case .ready: break
      case .progress(let share): lead.progressed(share, of: task)
      default:
        switch lead.answer(reply, to: task) {
        case .ask(let request, let bytes):
          member.held = (request, min(max(bytes, 0), 1 << 60), .now)
        case .finish: (member.task, member.held, member.reserved) = (nil, nil, 0)
        }
      }
    }
  }

  /// Parts with a member that is gone, and tells of its task.
  private func bury(_ member: Member, _ loss: CrewLoss) {
    members.removeAll { $0 === member }
    guard var task = member.task else { return }
    member.task = nil
    switch loss {
    case .crash(let end, let complaint) where !member.isReady:
      // It never looked at the file.
      stillborn += 1
      again.append(task)
      guard stillborn >= Self.mostStillborn else { return }
      failure = BatchError(
        .badSetting,
        "workers end as soon as they begin (\(settings.command.joined(separator: " ")), \(end.words))"
          + (complaint.map { ": \($0)" } ?? ""))
      return
    case .crash(.signal(SIGKILL), _) where !task.isAlone, .memory where !task.isAlone:
      // Killed from outside, most likely because memory ran out.
      task.isAlone = true
      again.append(task)
      return
    case .crash: crashes += 1
    case .timeout: timeouts += 1
    case .memory, .stopped: break
    }
    lead.lost(task, loss)
  }

  /// Ends what takes too long or too much, or goes on too long after a stop.
  private func check() {
    let now = ContinuousClock.now
    if let since = stoppedSince, now - since > .seconds(settings.graceSeconds) {
      for member in busy { end(member, .stopped) }
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
      for member in idle { end(member, .stopped) }
      if idle.isEmpty { end(youngest, .memory) }
    }
  }

  private func end(_ member: Member, _ loss: CrewLoss) {
    member.process.stop()
    bury(member, loss)
  }

  /// Sends everybody home.
  private func dismiss() {
    for member in members { member.process.stop() }
    members = []
  }
}
