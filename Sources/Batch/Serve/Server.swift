public import Develop
import Foundation
import ImageCore
import Recipes
public import SystemPackage

/// Develops what clients request as JSON lines, with the workers of a batch: a crash fails only its
/// request. Without a journal: every request is developed.
///
/// Use from one thread; ``CancellationToken`` may be used from any.
public final class Server {
  private final class Job {
    let request: ServeRequest
    let client: ServeConnection
    let began = ContinuousClock.now
    var source: RawSource?
    var folder = FilePath()
    var info: SourceInfo?
    var plan: SourcePlan?
    /// Set once the output files may be written: staged files of these names are this job's own.
    var outputs: OutputPlan?
    /// The paths that it writes to.
    var paths: [FilePath] { outputs?.files.values.map { folder.pushing($0.path) } ?? [] }
    init(_ request: ServeRequest, _ client: ServeConnection) {
      (self.request, self.client) = (request, client)
    }
  }

  /// What tells an unfinished request from all others.
  private struct Name: Hashable {
    let client: ObjectIdentifier
    let id: String
    init(_ id: String, of client: ServeConnection) {
      (self.client, self.id) = (ObjectIdentifier(client), id)
    }
  }

  private let options: BatchOptions
  private let planner: SourcePlanner
  private let cancellation: CancellationToken
  private let listener: ServeSocket?
  private let maxClients: Int
  private var clients: [ServeConnection] = []
  private var jobs: [Int: Job] = [:]
  private var numbers: [Name: Int] = [:]
  /// The jobs under way by the paths that they write to.
  private var writers: [FilePath: Job] = [:]
  /// Jobs that were not begun, in their order, and some that were cancelled since.
  private var waiting: ArraySlice<Int> = []
  private var lastJob = 0
  private var pool: WorkerPool?

  /// A server on the Unix socket `socket`, which is created; without one on the socket that systemd
  /// passed to this process, otherwise on standard input and output. The output folder of `options`
  /// is for requests that name no folder. Throws ``BatchError``.
  public init(
    recipes: RecipePlanner, options: BatchOptions, socket: FilePath? = nil,
    cancellation: CancellationToken
  ) throws(BatchError) {
    try options.validate()
    (self.options, self.cancellation) = (options, cancellation)
    planner = SourcePlanner(recipes, colorMatrix: options.colorMatrix)
    maxClients = options.maxClients ?? ServeSocket.maxClients(besides: options.jobs)
    listener =
      if let socket {
        try ServeSocket(socket)
      } else {
        ServeSocket(inheritedIn: ProcessInfo.processInfo.environment)
      }
    if listener == nil { clients = [ServeConnection()] }
  }

  /// Serves until it is cancelled or, on standard input, until the input ends and all requests are
  /// finished. Throws where no worker ever replied; a worker that fails to start fails one request.
  public func run() throws(BatchError) {
    var settings = options.pool
    settings.isLasting = true
    let pool = WorkerPool(settings, delegate: self, cancellation: cancellation)
    self.pool = pool
    defer { self.pool = nil }
    if let listener {
      pool.listeners[listener.descriptor] = { [unowned self] in
        if let client = listener.accept() { admit(client) }
      }
    }
    for client in clients { add(client) }
    do { try pool.run() } catch {
      finishAll { finish($0, .failed, failure: .init(error)) }
      throw error
    }
    finishAll { finish($0, .interrupted) }
  }

  /// Ends all remaining requests by `end`, and lets clients read the last replies; for two seconds
  /// at most after a cancellation.
  private func finishAll(_ end: (Int) -> Void) {
    jobs.keys.sorted().forEach(end)
    let clock = ContinuousClock.now
    for client in clients {
      client.drain { !cancellation.isCancelled || clock.duration(to: .now) < .seconds(2) }
    }
  }

  /// Adds a client that has connected. One beyond the limit gets an error and is disconnected.
  private func admit(_ client: ServeConnection) {
    guard clients.count < maxClients else {
      let message =
        "\(maxClients) clients are connected, the maximum for the limit of open files; "
        + "connect again when one has gone"
      _ = client.send(.refused(id: nil, message: message))
      return
    }
    add(client)
  }

  private func add(_ client: ServeConnection) {
    if !clients.contains(where: { $0 === client }) { clients.append(client) }
    pool?.listeners[client.input] = { [unowned self] in readRequests(of: client) }
  }

  private func readRequests(of client: ServeConnection) {
    for line in client.read() where !line.allSatisfy({ [9, 13, 32].contains($0) }) {
      // An earlier line may have disconnected it.
      guard clients.contains(where: { $0 === client }) else { return }
      handle(line, from: client)
    }
    guard !client.isOpen else { return }
    pool?.listeners[client.input] = nil
    // Standard input ends before its requests do; disconnecting from a socket cancels them.
    if listener != nil { disconnect(client) }
  }

  private func disconnect(_ client: ServeConnection) {
    pool?.listeners[client.input] = nil
    clients.removeAll { $0 === client }
    for (id, job) in jobs where job.client === client { cancel(id) }
  }

  private func handle(_ line: Data, from client: ServeConnection) {
    let request: ServeRequest
    do {
      request = try JSONLine.decode(
        ServeRequest.self, line, maxValues: DecodeLimits.standard.maxItems)
    } catch {
      let excess = (error as? DecodingError)?.excess.map { "no request: \($0)" }
      reply(
        .refused(
          id: nil, message: excess ?? "no request; a line is {\"id\": …, \"in\": PATH}"),
        to: client)
      return
    }
    let name = Name(request.id, of: client)
    let known = numbers[name]
    if request.cancel ?? false {
      if let known { cancel(known) }
      return
    }
    let refusal: String? =
      if known != nil {
        "a request with this id is in progress"
      } else if request.in == nil {
        "no \"in\"; name the raw"
      } else if jobs.count >= options.maxRequests {
        "\(options.maxRequests) requests are unfinished, which is the limit; send it again when "
          + "some have ended"
      } else {
        nil
      }
    if let refusal {
      reply(.refused(id: request.id, message: refusal), to: client)
      return
    }
    lastJob += 1
    jobs[lastJob] = Job(request, client)
    numbers[name] = lastJob
    waiting.append(lastJob)
    if waiting.count > 2 * options.maxRequests { waiting.removeAll { jobs[$0] == nil } }
  }

  private func reply(_ reply: ServeReply, to client: ServeConnection) {
    if !client.send(reply) { disconnect(client) }
  }

  private func cancel(_ id: Int) {
    // One that was not started is skipped when its turn comes.
    if jobs[id]?.source == nil { finish(id, .interrupted) } else { pool?.cancel(id) }
  }

  private func finish(
    _ id: Int, _ status: BatchItem.Status, failure: BatchItem.Failure? = nil,
    result: WorkerResult? = nil, outputs: [BatchItem.Output] = []
  ) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    numbers[Name(job.request.id, of: job.client)] = nil
    release(job)
    var item = BatchItem(
      id: job.request.id, input: job.source?.path.text ?? job.request.in ?? "", status: status)
    (item.error, item.outputs) = (failure, outputs)
    item.time = ReportTime.now
    item.add(job.plan, job.info, result)
    item.seconds = job.began.duration(to: .now) / .seconds(1)
    if clients.contains(where: { $0 === job.client }) { reply(.item(item), to: job.client) }
  }
}

extension Server: WorkerPoolDelegate {
  var isFinished: Bool {
    listener == nil && waiting.isEmpty && !clients.contains(where: \.isOpen)
  }

  func next() -> WorkerTask? {
    while let id = waiting.popFirst() {
      guard let job = jobs[id] else { continue }
      let path = FilePath(text: job.request.in ?? "")
      guard path.isAbsolute, !path.isTooLong, let name = path.lastComponent else {
        finish(
          id, .failed,
          failure: .init(
            code: "badSetting",
            message: "\"in\" is not an absolute path of at most \(FilePath.maxLength) bytes; give "
              + "one"))
        continue
      }
      var source = RawSource(
        path: path, relativePath: FilePath(root: nil, [name]), id: job.request.id)
      (source.recipe, source.output) = (job.request.recipe, job.request.out)
      job.source = source
      return WorkerTask(id: id, first: .open(path: path.text))
    }
    return nil
  }

  func nextStep(after reply: WorkerReply, for task: WorkerTask) -> WorkerStep {
    guard let job = jobs[task.id] else { return .finish }
    do {
      switch reply {
      case .opened(let info): return try begin(job, info)
      case .developed(let result):
        finish(task.id, .done, result: result, outputs: try publish(result, job))
      case .failed(let failure):
        discard(job)
        finish(task.id, .failed, failure: failure)
      case .ready, .progress, .measured, .digests, .openedPicture, .converted:
        taskFailed(task, .nonsense)
      }
    } catch {
      discard(job)
      finish(task.id, .failed, failure: .init(error))
    }
    return .finish
  }

  private func begin(_ job: Job, _ info: SourceInfo) throws -> WorkerStep {
    guard let source = job.source else { return .finish }
    job.info = info
    // Sidecars may have changed since the last request.
    planner.forget()
    var plan = try planner.plan(source, info)
    plan.outputs = plan.outputs.made(by: options.run)
    job.plan = plan
    let given = job.request.folder.map { FilePath(text: $0) } ?? options.output
    guard given.isAbsolute, !given.isTooLong else {
      throw BatchError(
        .badSetting,
        "\"folder\" is not an absolute path of at most \(FilePath.maxLength) bytes; give one")
    }
    let folder = given.lexicallyNormalized()
    for file in plan.outputs.files.values {
      let path = folder.pushing(file.path)
      try Folders.requireNoWayOut(of: folder, to: file.path)
      let status = FileStatus(path)
      if let status, let own = FileStatus(source.path), status.isSameFile(as: own) {
        throw BatchError(.exists, "\(path.shown) is the raw; name another folder")
      }
      if let status { try plan.requireNoInput(path, status, options.lensDatabase) }
      if status != nil, !(job.request.overwrite ?? options.overwrites) {
        throw BatchError(.exists, "\(path.shown) exists; send \"overwrite\": true to replace it")
      }
      if let other = writers[path], other !== job {
        throw BatchError(.sameOutput, "\(path.shown) is being written by another request")
      }
      try Folders.create(path.removingLastComponent())
    }
    // Of an earlier attempt.
    release(job)
    // Only from here on staged files of these names are this job's own.
    (job.folder, job.outputs) = (folder, plan.outputs)
    for path in job.paths { writers[path] = job }
    return WorkerStep(develop: plan, info, in: folder, options)
  }

  private func publish(_ result: WorkerResult, _ job: Job) throws -> [BatchItem.Output] {
    let finished = result.outputs.compactMap { output in
      job.outputs?.files[output.name].map { (output: output, file: $0) }
    }
    for (output, file) in finished {
      _ = try output.status(staged: job.folder.pushing(file.staged))
    }
    return try finished.map { output, file in
      let path = job.folder.pushing(file.path)
      try Folders.put(
        job.folder.pushing(file.staged), at: path, digest: output.xxh128,
        overwrites: job.request.overwrite ?? options.overwrites
      ) { _ in false }
      var output = output
      output.path = path.text
      return output
    }
  }

  /// Lets others write to the paths of `job`.
  private func release(_ job: Job) {
    for path in job.paths where writers[path] === job { writers[path] = nil }
  }

  private func discard(_ job: Job) { job.outputs?.discard(in: job.folder) }

  func progressed(_ fraction: Double, of task: WorkerTask) {
    guard let job = jobs[task.id] else { return }
    reply(.progress(id: job.request.id, fraction: fraction), to: job.client)
  }

  func taskFailed(_ task: WorkerTask, _ failure: WorkerFailure) {
    guard let job = jobs[task.id] else { return }
    discard(job)
    if failure == .cancelled { return finish(task.id, .interrupted) }
    finish(task.id, .failed, failure: BatchItem.Failure(failure, options))
  }

  func tick() {
    for client in clients where client.hasUnsent && !client.flush() { disconnect(client) }
  }
}
