import ImageCore

/// Supplies a worker pool with tasks, decides the next step after each reply, and receives the end
/// of each task. All calls come from the pool's thread.
protocol WorkerPoolDelegate: AnyObject {
  /// The next task; nil where no task is available at present.
  func next() -> WorkerTask?
  /// Whether no task will ever follow.
  var isFinished: Bool { get }
  /// What to do after `reply`, which answers the last request of `task`.
  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep
  /// `fraction` of `task`, 0…1, is done.
  func progressed(_ fraction: Double, of task: WorkerTask)
  /// `task` ended without a result. It is not tried again.
  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure)
  /// Called after every wait for input: several times a second.
  func tick()
}

/// One source under way. Tasks with the same `id` are equal.
struct WorkerTask: Sendable, Hashable {
  /// Unique among the tasks of a pool.
  let id: Int
  /// The request that the task begins with.
  let first: WorkerRequest
  /// Whether no other task may run at the same time.
  var isAlone = false
  /// Whether a worker died at it that had done other tasks before.
  var isDoubted = false

  init(id: Int, first: WorkerRequest) {
    (self.id, self.first) = (id, first)
  }

  static func == (a: WorkerTask, b: WorkerTask) -> Bool { a.id == b.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What follows a reply.
enum WorkerStep {
  /// Send this request once `bytes` of memory are free for it.
  case send(WorkerRequest, bytes: Int)
  /// The task has ended, and its result is recorded.
  case finish
}

/// Why a task ended without a result.
enum WorkerFailure: Sendable, Hashable {
  /// The worker process died; the last line that it wrote to standard error.
  case crash(WorkerProcess.Termination, lastStderrLine: String?)
  /// The worker sent an invalid reply; it was ended.
  case nonsense
  /// The task took longer than ``WorkerPool/Settings/timeoutSeconds``.
  case timeout
  /// The worker did not take its request in time; it was ended.
  case deaf
  /// The task exceeded ``WorkerPool/Settings/memoryBytes``, even as the only one.
  case memory
  /// The task or the batch was cancelled.
  case cancelled
  /// No worker could be started for the task, for this reason; another time may be better.
  case unstarted(String)

  /// What it means to the caller.
  var kind: FailureKind {
    switch self {
    case .crash, .nonsense, .unstarted: .badInput
    case .timeout, .deaf, .memory: .overLimit
    case .cancelled: .cancelled
    }
  }
}
