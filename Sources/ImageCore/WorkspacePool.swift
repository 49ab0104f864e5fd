import Synchronization

/// Working memory for the readers of one picture: each call has a workspace of its own, which is
/// kept for the next call, so there are never more of them than calls at one time.
package final class WorkspacePool<Workspace>: Sendable {
  /// A workspace between two calls; only one of them holds it at a time.
  private struct Idle: @unchecked Sendable {
    let workspace: Workspace
  }

  private let idle = Mutex<[Idle]>([])
  let make: @Sendable () -> Workspace

  package init(_ make: @escaping @Sendable () -> Workspace) { self.make = make }

  /// Ends all workspaces that no call has now.
  package func dropIdle() { idle.withLock { $0 = [] } }

  /// A workspace that no call has now, for one that keeps it.
  func takeIdle() -> Workspace? { idle.withLock { $0.popLast() }?.workspace }

  /// Calls `body` with a workspace whose contents are those of an earlier call.
  package func with<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R {
    let held = idle.withLock { $0.popLast() } ?? Idle(workspace: make())
    defer { idle.withLock { $0.append(held) } }
    return try body(held.workspace)
  }
}

package typealias BufferPool = WorkspacePool<PlanarBuffer>

extension WorkspacePool where Workspace == PlanarBuffer {
  package convenience init() {
    self.init { PlanarBuffer(size: PixelSize(width: 0, height: 0)) }
  }

  /// Calls `body` with a buffer of `size` whose contents are undefined.
  package func withBuffer<R, E: Error>(
    _ size: PixelSize, _ body: (PlanarBuffer) throws(E) -> R
  ) throws(E) -> R {
    try with { (buffer) throws(E) -> R in
      buffer.reshape(size)
      return try body(buffer)
    }
  }
}
