import Foundation

/// One worker process and the pipes to it. Not synchronized: for one thread.
final class WorkerProcess {
  /// How a process ended.
  enum Termination: Sendable, Hashable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    /// For messages: `exit 3`, `signal 11, Segmentation fault`.
    var description: String {
      switch self {
      case .exit(let code): "exit \(code)"
      case .signal(let number): "signal \(number), \(String(cString: strsignal(number)))"
      }
    }
  }

  private let process: pid_t
  private let requests: Int32
  /// The descriptor of its standard output, which does not block.
  let replies: Int32
  /// The descriptor of its standard error, which does not block.
  let stderr: Int32
  private var lines = LineReader()
  private var stderrTail: [UInt8] = []
  /// Whether the end of its standard error was not read yet.
  private(set) var isStderrOpen = true
  /// How it ended; nil until ``wait()`` or ``terminate()`` returned.
  private(set) var termination: Termination?

  /// Starts `command`, the executable's path and its arguments, in a process group of its own, so
  /// that signals of the terminal do not reach it. Throws ``BatchError/Code/badSetting``.
  init(_ command: [String]) throws(BatchError) {
    let pipes = (0..<3).compactMap { _ in Pipe.make() }
    guard pipes.count == 3 else {
      let reason = BatchError.reason()
      for end in pipes.flatMap({ [$0.read, $0.write] }) { close(end) }
      throw BatchError(.badSetting, "cannot start a worker: \(reason)")
    }
    let (input, output, errors) = (pipes[0], pipes[1], pipes[2])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = command.map { strdup($0) } + [nil]
    var identifier: pid_t = 0
    let failure = posix_spawn(
      &identifier, command.first ?? "", &actions, &attributes, &arguments, environ)
    for argument in arguments { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(input.read)
    close(output.write)
    close(errors.write)
    (process, requests, replies, stderr) = (identifier, input.write, output.read, errors.read)
    for descriptor in [replies, stderr] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    guard failure == 0 else {
      termination = .exit(127)
      throw BatchError(
        .badSetting,
        "cannot start a worker (\(command.first ?? "")): \(String(cString: strerror(failure)))")
    }
  }

  deinit {
    if termination == nil { _ = terminate() }
    close(requests)
    close(replies)
    close(stderr)
  }

  /// Sends a request; waits where the pipe is full. False where the process is gone.
  func send(_ request: WorkerRequest) -> Bool {
    guard let data = try? JSONEncoder().encode(request) else { return false }
    return LineWriter.write(data, to: requests)
  }

  /// The replies that have come since the last call; nil at the end of its output.
  func read() -> [WorkerReply]? {
    let isOpen = lines.read(from: replies)
    var found: [WorkerReply] = []
    while let line = lines.next() {
      // What libraries print to standard output is not a reply.
      if let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(line)) {
        found.append(reply)
      }
    }
    return isOpen || !found.isEmpty ? found : nil
  }

  /// Reads what there is of its standard error, 256 KiB at most, and keeps the last 2 KiB.
  func readStderr() {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    // More than a pipe holds; one that never stops may not hold up the others.
    for _ in 0..<4 {
      let count = Foundation.read(stderr, &chunk, chunk.count)
      if count == 0 { isStderrOpen = false }
      guard count > 0 else { return }
      stderrTail = (stderrTail + chunk[..<count]).suffix(2048)
    }
  }

  /// The last line of its standard error, 200 characters at most.
  var lastStderrLine: String? {
    String(decoding: stderrTail, as: UTF8.self).split(whereSeparator: \.isNewline).last
      .map { String($0.prefix(200)) }
  }

  /// Resident memory that belongs to no file, bytes.
  var memoryBytes: Int { ProcessMemory.own(process) }

  /// Kills it with all processes of its group, waits, and says how it ended.
  @discardableResult
  func terminate() -> Termination {
    if termination == nil { kill(-process, SIGKILL) }
    return wait()
  }

  /// Waits for an end that is near, after its output ended or it was killed. One that closed its
  /// output and lives on is killed after five seconds.
  @discardableResult
  func wait() -> Termination {
    if let termination { return termination }
    var status: Int32 = 0
    for attempt in 0... {
      let found = waitpid(process, &status, WNOHANG)
      if found == process || found < 0 && errno != EINTR { break }
      if attempt == 1000 { kill(process, SIGKILL) }
      usleep(5000)
    }
    let signal = status & 0x7F
    let termination: Termination = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    self.termination = termination
    return termination
  }
}

/// Memory of processes, from `/proc`.
enum ProcessMemory {
  /// Resident pages that are no part of any file, bytes; 0 for a process that is gone.
  static func own(_ process: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else {
      return 0
    }
    let pages = text.split(separator: " ").compactMap { Int($0) }
    return pages.count > 2 ? max(0, pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
