import Synchronization

/// A display whose headroom changes, and its observers.
///
/// Rendering is a pure function of picture and display (`DisplayRendering`), so a program that
/// shows pictures renders again for each value of ``changes()``. The code that watches the display
/// calls ``update(_:)``.
public final class DisplayState: Sendable {
  private struct State {
    var display: DisplayInfo
    var next = 0
    var listeners: [Int: AsyncStream<DisplayInfo>.Continuation] = [:]
  }

  private let state: Mutex<State>

  /// Starts with `display`.
  public init(_ display: DisplayInfo = .headless) { state = Mutex(State(display: display)) }

  deinit { state.withLock { $0.listeners.values.forEach { $0.finish() } } }

  /// The display as it is now.
  public var display: DisplayInfo { state.withLock { $0.display } }

  /// Sets the display and notifies all observers, unless nothing has changed.
  public func update(_ display: DisplayInfo) {
    state.withLock { state in
      guard state.display != display else { return }
      state.display = display
      // Within the lock, so that no observer gets two changes in the wrong order.
      for listener in state.listeners.values { listener.yield(display) }
    }
  }

  /// The current display, then the display after each change. A slow consumer gets the latest
  /// change only. The stream finishes when this object is released.
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
