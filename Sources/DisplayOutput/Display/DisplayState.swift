import Synchronization

/// A display whose headroom changes, and who wants to know of it.
///
/// Rendering is a pure function of picture and display (``DisplayRendering``), so a program that
/// shows pictures renders again for each value of ``changes()``. What watches the display calls
/// ``update(_:)``.
public final class DisplayState: Sendable {
  private struct State {
    var display: DisplayInfo
    var next = 0
    var listeners: [Int: AsyncStream<DisplayInfo>.Continuation] = [:]
  }

  private let state: Mutex<State>

  /// A display in its first state.
  public init(_ display: DisplayInfo = .headless) { state = Mutex(State(display: display)) }

  deinit { state.withLock { $0.listeners.values.forEach { $0.finish() } } }

  /// The display as it is now.
  public var display: DisplayInfo { state.withLock { $0.display } }

  /// Sets the display and tells all who listen, unless nothing has changed.
  public func update(_ display: DisplayInfo) {
    state.withLock { state in
      guard state.display != display else { return }
      state.display = display
      // In the lock, so that nobody hears of two changes in the wrong order.
      for listener in state.listeners.values { listener.yield(display) }
    }
  }

  /// The display as it is now, then as it is after each change. Who is slow hears of the last one
  /// only. Ends with the state itself.
  public func changes() -> AsyncStream<DisplayInfo> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DisplayInfo.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      continuation.yield(state.display)
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}
