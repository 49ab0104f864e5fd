import Foundation

/// One segment that is being coded: frames go through a short queue to a thread that feeds the
/// encoder, so that the next frame is made meanwhile, and the end of a segment while the next
/// begins.
final class SegmentEncoder: @unchecked Sendable {
  /// Frames that wait.
  private static let depth = 2

  private let condition = NSCondition()
  // Guarded by the condition.
  private var waiting: [[UInt8]] = []
  private var isClosed = false
  private var isAborted = false
  private var isDone = false
  private var failure: FilmError?

  /// Starts `command`.
  init(_ command: [String]) throws(FilmError) {
    let child = try Child(command, takesInput: true, givesOutput: false)
    let box = Box(child)
    child.isCancelled = { [weak self] in self?.aborted ?? true }
    let thread = Thread { [self] in feed(box.child) }
    thread.name = "rawdev encoder"
    thread.start()
  }

  /// A child that the feeding thread alone uses from now on.
  private struct Box: @unchecked Sendable {
    let child: Child
    init(_ child: Child) { self.child = child }
  }

  private var aborted: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isAborted
  }

  /// Hands over the planes of a frame. Waits while the encoder is behind; throws where it failed.
  func append(_ frame: [UInt8]) throws(FilmError) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= Self.depth, failure == nil { condition.wait() }
    if let failure { throw failure }
    waiting.append(frame)
    condition.broadcast()
  }

  /// No more frames follow.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  /// Ends the encoder; what it has written is of no use.
  func abort() {
    condition.lock()
    isAborted = true
    isClosed = true
    waiting = []
    condition.broadcast()
    while !isDone { condition.wait() }
    condition.unlock()
  }

  /// Waits until the file is complete. Throws where it is not.
  func finish() throws(FilmError) {
    close()
    condition.lock()
    defer { condition.unlock() }
    while !isDone { condition.wait() }
    if let failure { throw failure }
  }

  private func feed(_ child: Child) {
    var found: FilmError?
    do throws(FilmError) {
      while let frame = next() { try child.write(frame) }
      if aborted { child.kill() } else { try child.finish() }
    } catch {
      child.kill()
      found = error
    }
    condition.lock()
    failure = found
    isDone = true
    condition.broadcast()
    condition.unlock()
  }

  /// The next frame; nil at the end.
  private func next() -> [UInt8]? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isClosed { condition.wait() }
    guard !isAborted, !waiting.isEmpty else { return nil }
    let frame = waiting.removeFirst()
    condition.broadcast()
    return frame
  }
}
