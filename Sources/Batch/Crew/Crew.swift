import Foundation
import SystemPackage

/// What a crew works on: who hands out tasks, decides what follows each reply, and learns how they end.
protocol CrewLead: AnyObject {
  /// The next task; nil where there is none now.
  func next() -> CrewTask?
  /// Whether no task will ever follow.
  var isFinished: Bool { get }
  /// What to ask next for `task` after `reply`, which is no progress.
  func answer(_ reply: WorkerReply, to task: CrewTask) -> CrewStep
  /// The share of `task` that is done.
  func progressed(_ share: Double, of task: CrewTask)
  /// `task` came to nothing, because its worker was lost or work has to end.
  func lost(_ task: CrewTask, _ loss: CrewLoss)
  /// Called now and then, several times a second.
  func tick()
}

/// One source under way.
struct CrewTask: Sendable, Hashable {
  /// Tells tasks apart.
  let id: Int
  /// The first request.
  let first: WorkerRequestBox
  /// Whether nothing else may run beside it.
  var isAlone = false

  init(id: Int, first: WorkerRequest) {
    self.id = id
    self.first = WorkerRequestBox(request: first)
  }

  static func == (a: CrewTask, b: CrewTask) -> Bool { a.id == b.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A request as a stored value.
struct WorkerRequestBox: Sendable { let request: WorkerRequest }

/// What follows a reply.
enum CrewStep {
  /// This, once `bytes` of memory are free for it.
  case ask(WorkerRequest, bytes: Int)
  /// Nothing: the task is done with.
  case finish
}

/// Why a task came to nothing.
enum CrewLoss: Sendable, Hashable {
  /// The worker died of this signal or exit status; its last complaint.
  case crash(WorkerProcess.End, String?)
  /// It took longer than a file may.
  case timeout
  /// It took more memory than there is for all.
  case memory
  /// The work has to end.
  case stopped
}

/// A number of worker processes, each with one task at a time, kept busy, within memory, in time, and
/// replaced when they die. One thread; all waiting is in one `poll`.
final class Crew {
  struct Settings: Sendable {
    /// Executable and arguments of a worker.
    var command: [String]
    /// Workers at a time.
    var jobs: Int
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
    var held: (request: WorkerRequest, bytes: Int)?
    var reserved = 0
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
      try check()
      lead.tick()
    }
    for task in again { lead.lost(task, .stopped) }
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
      var member = members.first { $0.task == nil }
      if member == nil {
        let new = Member(try WorkerProcess(settings.command))
        members.append(new)
        member = new
      }
      guard let member else { return }
      (member.task, member.began, member.reserved) = (task, .now, 0)
      // One who is gone is noticed at the next read.
      _ = member.process.send(task.first.request)
    }
  }

  /// Sends what waited for memory; a task that is the only one need not wait.
  private func release() {
    for member in members {
      guard let held = member.held else { continue }
      let others = members.reduce(0) { $0 + ($1 === member ? 0 : $1.reserved) }
      guard others == 0 || others + held.bytes <= settings.memoryBytes else { continue }
      member.held = nil
      member.reserved = held.bytes
      _ = member.process.send(held.request)
    }
  }

  /// Waits for replies, complaints, other input, a stop, or a while.
  private func wait() {
    var polls = members.flatMap {
      [
        pollfd(fd: $0.process.replies, events: Int16(POLLIN), revents: 0),
        pollfd(fd: $0.process.complaints, events: Int16(POLLIN), revents: 0),
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
      if polls[index * 2 + 1].revents & Int16(POLLIN) != 0 { member.process.readComplaints() }
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
    for reply in replies {
      guard let task = member.task else { continue }
      switch reply {
      case .ready: break
      case .progress(let share): lead.progressed(share, of: task)
      default:
        switch lead.answer(reply, to: task) {
        case .ask(let request, let bytes): member.held = (request, bytes)
        case .finish: (member.task, member.held, member.reserved) = (nil, nil, 0)
        }
      }
    }
  }

  /// Parts with a member that is gone, and tells of its task.
  private func bury(_ member: Member, _ loss: CrewLoss) {
    members.removeAll { $0 === member }
    guard var task = member.task else { return }
    switch loss {
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
  private func check() throws(BatchError) {
    let now = ContinuousClock.now
    if let since = stoppedSince, now - since > .seconds(settings.graceSeconds) {
      for member in busy { end(member, .stopped) }
    }
    guard now - lastCheck > .milliseconds(150) else { return }
    lastCheck = now
    for member in busy where now - member.began > .seconds(settings.timeoutSeconds) {
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
