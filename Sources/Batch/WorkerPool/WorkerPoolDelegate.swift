/// What a pool works on: who hands out tasks, decides what follows each reply, and learns how they end.
protocol WorkerPoolDelegate: AnyObject {
  /// The next task; nil where there is none now.
  func next() -> WorkerTask?
  /// Whether no task will ever follow.
  var isFinished: Bool { get }
  /// What to ask next for `task` after `reply`, which is no progress.
  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep
  /// The share of `task` that is done.
  func progressed(_ fraction: Double, of task: WorkerTask)
  /// `task` came to nothing, because its worker was lost or work has to end.
  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure)
  /// Called now and then, several times a second.
  func tick()
}

/// One source under way.
struct WorkerTask: Sendable, Hashable {
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

  static func == (a: WorkerTask, b: WorkerTask) -> Bool { a.id == b.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A request as a stored value.
struct WorkerRequestBox: Sendable { let request: WorkerRequest }

/// What follows a reply.
enum WorkerStep {
  /// This, once `bytes` of memory are free for it.
  case send(WorkerRequest, bytes: Int)
  /// Nothing: the task is done with.
  case finish
}

/// Why a task came to nothing.
enum WorkerFailure: Sendable, Hashable {
  /// The worker died of this signal or exit status; its last message.
  case crash(WorkerProcess.Termination, String?)
  /// It took longer than a file may.
  case timeout
  /// It took more memory than there is for all.
  case memory
  /// The work has to end.
  case cancelled
}
