import Synchronization

/// Working memory for the readers of one picture: each call has a workspace of its own, which is
/// reused by later calls, so there are never more of them than concurrent calls.
package final class WorkspacePool<Workspace>: Sendable {
  /// A workspace between two calls; only one of them holds it at a time.
  private struct Idle: @unchecked Sendable {
    let workspace: Workspace
  }

  private let idle = Mutex<[Idle]>([])
  let make: @Sendable () throws(PixelError) -> Workspace

  package init(_ make: @escaping @Sendable () throws(PixelError) -> Workspace) { self.make = make }

  /// Frees all idle workspaces.
  package func dropIdle() { idle.withLock { $0 = [] } }

  /// An idle workspace, for a caller that keeps it.
  func takeIdle() -> Workspace? { idle.withLock { $0.popLast() }?.workspace }

  private func giveBack(_ workspace: Workspace) {
    let idle = Idle(workspace: workspace)
    self.idle.withLock { $0.append(idle) }
  }

  /// Calls `body` with a workspace whose contents are left from an earlier call. A call that throws
  /// leaves it half written, so it is then discarded.
  package func with<R>(_ body: (Workspace) throws(PixelError) -> R) throws(PixelError) -> R {
    let workspace: Workspace
    if let held = takeIdle() { workspace = held } else { workspace = try make() }
    let result = try body(workspace)
    giveBack(workspace)
    return result
  }
}

package typealias BufferPool = WorkspacePool<PlanarBuffer>

extension WorkspacePool where Workspace == PlanarBuffer {
  package convenience init() {
    self.init { PlanarBuffer() }
  }

  /// Calls `body` with a buffer of `size` whose contents are undefined.
  package func withBuffer<R>(
    _ size: PixelSize, _ body: (PlanarBuffer) throws(PixelError) -> R
  ) throws(PixelError) -> R {
    try with { buffer throws(PixelError) in
      try buffer.reshape(size)
      return try body(buffer)
    }
  }
}
