internal import CPOSIX
import Develop
import Formats
import Foundation
import ImageCore
import SystemPackage

/// One worker process, the socket and the pipes to it. Not synchronized: for one thread.
final class WorkerProcess {
  /// How a process ended.
  enum Termination: Sendable, Hashable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    /// For messages: `exit status 3`, `signal 11, Segmentation fault`.
    var description: String {
      switch self {
      case .exit(let code): "exit status \(code)"
      case .signal(let number): "signal \(number), \(unsafe String(cString: strsignal(number)))"
      }
    }
  }

  private let process: pid_t
  private let requests: Descriptor
  private let output: Descriptor
  private let errors: Descriptor
  private var lines = LineReader()
  private var stderrTail: [UInt8] = []
  /// Whether the end of its standard error was not read yet.
  private(set) var isStderrOpen = true
  /// How it ended; nil until ``wait()`` or ``terminate()`` returned.
  private(set) var termination: Termination?
  /// The largest resident memory that it has had, once it has ended; bytes. 0 where the
  /// system reports the value of this process, which every child inherits.
  private(set) var peakBytes = 0
  private let inheritedBytes: Int
  /// Whether it did not take a request in time, and was killed for that.
  private(set) var isDeaf = false
  /// Seconds within which it must accept a request.
  static let secondsToSend = 10

  /// Its identifier in the system.
  var identifier: pid_t { process }
  /// Its standard output, which does not block.
  var replies: FileDescriptor { output.file }
  /// Its standard error, which does not block.
  var stderr: FileDescriptor { errors.file }

  /// Starts `command`, the executable's path and its arguments, apart from the signals of the
  /// terminal. It is refused memory far beyond `memoryBytes`, in case that it takes that faster
  /// than is noticed, opens files within `limits`, and is refused outputs far beyond these. Throws
  /// ``BatchError/Code/badSetting``.
  init(
    _ command: [String], memoryBytes: Int, limits: DecodeLimits = DecodeLimits()
  ) throws(BatchError) {
    do {
      // File descriptors are passed with requests.
      let input = try SocketEnds()
      let replies = try PipeEnds()
      let errors = try PipeEnds()
      process = try ProcessSpawn.start(
        command, input: input.other.file, output: replies.write.file, errors: errors.write.file)
      requests = input.own
      output = replies.read
      self.errors = errors.read
    } catch {
      throw BatchError(.badSetting, "cannot start a worker (\(command.first ?? "")): \(error)")
    }
    inheritedBytes = ProcessMemory.peak
    ProcessMemory.limit(process, to: memoryBytes)
    DiskSpace.limit(process, within: limits)
    requests.file.setNonBlocking()
    output.file.setNonBlocking()
    errors.file.setNonBlocking()
    // Where it is gone already, the end of its replies tells how it ended.
    if limits != DecodeLimits() { send(.limits(limits)) }
  }

  deinit { if termination == nil { _ = terminate() } }

  /// Sends a request, and with it `files`; waits some seconds where the socket is full. False where
  /// the process is gone or does not read; it is killed then, as it has received a part of the
  /// request, and the end of its replies tells so.
  @discardableResult
  func send(_ request: WorkerRequest, handing files: [FileDescriptor] = []) -> Bool {
    do {
      try requests.file.send(
        JSONLine.encode(request), handing: files, within: .seconds(Self.secondsToSend))
      return true
    } catch {
      isDeaf = error as? Errno == .timedOut
      if termination == nil { kill(-process, SIGKILL) }
      return false
    }
  }

  /// Sends a request and passes the files that its answer is written to, which are created.
  /// False where the process is gone or does not read. Throws where a file cannot be created.
  func send(creatingOutputsOf request: WorkerRequest) throws(DevelopError) -> Bool {
    var files: [Descriptor.Owned] = []
    for text in request.outputs {
      let path = FilePath(text: text).bytes
      do {
        let file = FileDescriptor(rawValue: try AtomicFile.newFile(at: path))
        files.append(Descriptor.Owned(Descriptor(file)))
      } catch { throw .write(error) }
    }
    defer { withExtendedLifetime(files) {} }
    return send(request, handing: files.map(\.file))
  }

  /// The replies that have arrived since the last call; nil at the end of its output.
  func read() -> [WorkerReply]? {
    let isOpen = lines.read(from: replies)
    // What libraries print to standard output is not a reply.
    let found = lines.all().compactMap { try? JSONLine.decode(WorkerReply.self, $0) }
    return isOpen || !found.isEmpty ? found : nil
  }

  /// Reads what its standard error holds, 256 KiB at most, and keeps the last 2 KiB.
  func readStderr() {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    // More than a pipe holds; one that never stops may not hold up the others.
    for _ in 0..<4 {
      guard let count = try? stderr.read(into: &chunk) else { return }
      if count == 0 {
        isStderrOpen = false
        return
      }
      stderrTail = (stderrTail + chunk[..<count]).suffix(2048)
    }
  }

  /// The last line of its standard error, 200 characters at most.
  var lastStderrLine: String? {
    String(decoding: stderrTail, as: UTF8.self).split(whereSeparator: \.isNewline).last
      .map { String($0.prefix(200)) }
  }

  /// Resident memory without mapped files, bytes.
  var memoryBytes: Int { ProcessMemory.resident(process) }

  /// Seconds of processor time of all its threads; 0 where that is unknown.
  var processorSeconds: Double { Double(cposix_cpu_of(process)) / 1e9 }

  /// Kills it with all processes of its group, waits, and returns how it ended.
  @discardableResult
  func terminate() -> Termination {
    if termination == nil { kill(-process, SIGKILL) }
    return wait()
  }

  /// Waits for it to exit, after its output ended or it was killed. One that closed its output and
  /// continues is killed.
  @discardableResult
  func wait() -> Termination {
    if let termination { return termination }
    var status: Int32 = 0
    for attempt in 0... {
      var usage = rusage()
      let found = unsafe wait4(process, &status, WNOHANG, &usage)
      let peak = Int(usage.ru_maxrss) << 10
      if found == process, peak > inheritedBytes { peakBytes = peak }
      if found == process || found < 0 && errno != EINTR { break }
      if attempt == 20 { kill(-process, SIGKILL) }
      usleep(attempt < 20 ? 250 : 5000)
    }
    let signal = status & 0x7F
    let termination: Termination = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    self.termination = termination
    return termination
  }
}
