import Batch
internal import CPOSIX
import Foundation
import ImageCore
import SystemPackage

/// A program that is fed by a pipe, or read from one. Not synchronized: for one thread.
///
/// Its messages are always read: a full pipe would block it. It is killed when it has moved no byte
/// and used no processor time for ``stallSeconds``, or has moved no byte for ``silenceSeconds``:
/// one combination of encoder and muxer waits forever and outlives SIGTERM.
final class Child {
  /// Seconds without any sign of life.
  static let stallSeconds = 60.0
  /// Seconds without a byte, whatever it computes.
  static let silenceSeconds = 1800.0

  private let name: String
  private let process: Int32
  private var input, output, errors: PipeEnd?
  private var tail: [UInt8] = []
  private var exit: Int32?
  private let stall, silence: Double
  private var lastByte = ContinuousClock.now
  private var lastSign = ContinuousClock.now
  private var cpu: Int64 = 0
  /// Whether to give up.
  var isCancelled: () -> Bool = { Cancellation.isCancelled }

  /// Starts `command`, the path of a program and its arguments. What it reads, where `takesInput`,
  /// is written by ``write(_:)``; what it prints is read by ``read(into:from:)`` where it
  /// `givesOutput`, and dropped otherwise. `memoryBytes`: addresses that it is refused beyond, for
  /// programs that read files of strangers.
  init(
    _ command: [String], takesInput: Bool, givesOutput: Bool, memoryBytes: Int? = nil,
    stallSeconds: Double = stallSeconds, silenceSeconds: Double = silenceSeconds
  ) throws(FilmError) {
    name = FilePath(command.first ?? "").lastComponent?.string ?? ""
    (stall, silence) = (stallSeconds, silenceSeconds)
    do {
      let nothing = PipeEnd(
        try FileDescriptor.open(FilePath("/dev/null"), .readWrite, options: .closeOnExec))
      let errors = try PipeEnd.pair()
      let input = takesInput ? try PipeEnd.pair() : nil
      let output = givesOutput ? try PipeEnd.pair() : nil
      process = try ProcessSpawn.start(
        command, input: (input?.read ?? nothing).file, output: (output?.write ?? nothing).file,
        errors: errors.write.file)
      (self.input, self.output, self.errors) = (input?.write, output?.read, errors.read)
    } catch {
      throw FilmError(.noEncoder, "\(name) cannot be started: \(error); install ffmpeg")
    }
    if let memoryBytes { cposix_limit(process, Int64(memoryBytes)) }
    for end in [input, output, errors] { end?.setNonBlocking() }
  }

  deinit { kill() }

  /// One end of a pipe, closed with this value. No other program inherits it.
  private final class PipeEnd {
    let file: FileDescriptor

    init(_ file: FileDescriptor) { self.file = file }

    static func pair() throws -> (read: PipeEnd, write: PipeEnd) {
      let ends = try FileDescriptor.pipe(options: .closeOnExec)
      return (PipeEnd(ends.readEnd), PipeEnd(ends.writeEnd))
    }

    func setNonBlocking() { _ = fcntl(file.rawValue, F_SETFL, O_NONBLOCK) }

    deinit { try? file.close() }
  }

  /// Ends it with all processes of its group.
  func kill() {
    guard exit == nil else { return }
    Foundation.kill(-process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    exit = status
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8]) throws(FilmError) {
    var done = 0
    while done < bytes.count {
      guard let file = input?.file else { throw died() }
      let count = unsafe bytes.withUnsafeBytes {
        unsafe cposix_write(file.rawValue, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
      }
      if count > 0 {
        done += count
        alive(moved: true)
      } else if count < 0, errno == EAGAIN || errno == EINTR {
        try pause(writing: true)
      } else {
        throw died()
      }
    }
    readMessages()
  }

  /// No more is written: how it ends well.
  func closeInput() { input = nil }

  /// Reads once into `bytes`; 0 at the end.
  func read(into bytes: inout [UInt8], from offset: Int) throws(FilmError) -> Int {
    while true {
      guard let file = output?.file else { throw died() }
      let room = bytes.count - offset
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe Foundation.read(file.rawValue, $0.baseAddress.map { unsafe $0 + offset }, room)
      }
      if count >= 0 {
        alive(moved: true)
        if count == 0 { output = nil }
        return count
      }
      guard errno == EAGAIN || errno == EINTR else { throw died() }
      try pause(writing: false)
    }
  }

  /// All that it prints, `limit` bytes at most, until it ends.
  func text(limit: Int) throws(FilmError) -> [UInt8] {
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = try read(into: &buffer, from: 0)
      if count == 0 { return all }
      all += buffer[..<count]
      guard all.count <= limit else {
        kill()
        throw FilmError(.badInput, "\(name) prints more than \(limit) bytes about the file")
      }
    }
  }

  /// Waits until it has ended. Throws where it failed.
  func finish() throws(FilmError) {
    input = nil
    while exit == nil {
      var status: Int32 = 0
      let found = unsafe waitpid(process, &status, WNOHANG)
      if found == process || found < 0 && errno != EINTR {
        exit = found < 0 ? 0 : status
        break
      }
      // Its messages end with it.
      try pause(writing: false)
    }
    readMessages()
    // A muxer that cannot write its index says so, and ends as if all were well.
    if exit != 0 || isDiskFull { throw died() }
  }

  private var isDiskFull: Bool {
    messages.contains("No space left on device") || messages.contains("Disk quota exceeded")
  }

  /// The last of its messages.
  var messages: String { String(decoding: tail, as: UTF8.self) }

  private func alive(moved: Bool) {
    lastSign = .now
    if moved { lastByte = .now }
  }

  /// Waits for a pipe, a moment at most.
  private func pause(writing: Bool) throws(FilmError) {
    if isCancelled() {
      kill()
      throw FilmError(.cancelled, "cancelled")
    }
    var polls: [pollfd] = []
    if writing, let file = input?.file {
      polls.append(pollfd(fd: file.rawValue, events: Int16(POLLOUT), revents: 0))
    } else if !writing, let file = output?.file {
      polls.append(pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0))
    }
    if let file = errors?.file {
      polls.append(pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0))
    }
    if polls.isEmpty { usleep(5000) }
    _ = unsafe poll(&polls, nfds_t(polls.count), 250)
    readMessages()
    let now = cposix_cpu_of(process)
    if now != cpu {
      cpu = now
      alive(moved: false)
    }
    let time = ContinuousClock.now
    if (time - lastSign) / .seconds(1) > stall || (time - lastByte) / .seconds(1) > silence {
      kill()
      throw FilmError(
        .encoderFailed,
        "\(name) has stopped and was ended\(said); try again, or take another codec")
    }
  }

  private func readMessages() {
    guard let file = errors?.file else { return }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    for _ in 0..<16 {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Foundation.read(file.rawValue, $0.baseAddress, $0.count)
      }
      if count == 0 { errors = nil }
      guard count > 0 else { return }
      tail = (tail + buffer[..<count]).suffix(4096)
    }
  }

  /// The last message, for a line.
  private var said: String {
    let line = messages.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    return line.map { " (\($0.prefix(200)))" } ?? ""
  }

  /// How it failed.
  private func died() -> FilmError {
    if exit == nil {
      // It has closed its pipe, and says why while it ends.
      for _ in 0..<200 where exit == nil {
        var status: Int32 = 0
        readMessages()
        if unsafe waitpid(process, &status, WNOHANG) == process {
          exit = status
        } else {
          usleep(5000)
        }
      }
      kill()
    }
    readMessages()
    let text = messages
    if isDiskFull {
      return FilmError(
        .diskFull, "the disk is full; free some space or choose another folder")
    }
    if text.contains("Unknown encoder") {
      return FilmError(.noEncoder, "this ffmpeg has no such encoder\(said); install another")
    }
    let status = exit ?? 0
    let how =
      status & 0x7F == 0
      ? "exit status \((status >> 8) & 0xFF)"
      : "signal \(status & 0x7F), \(unsafe String(cString: strsignal(status & 0x7F)))"
    return FilmError(.encoderFailed, "\(name) failed with \(how)\(said)")
  }
}
