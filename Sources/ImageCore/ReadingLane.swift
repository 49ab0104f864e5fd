/// A reader's way down a picture: it reads rectangles of the same columns from top to bottom, and
/// stages that need pixels around a rectangle keep the rows that the next one needs as well, so
/// that none is made twice. The pixels are the same as without it.
///
/// One thread reads at a time. The memory of the stages ends with the lane.
@safe package final class ReadingLane: @unchecked Sendable {
  @TaskLocal private static var current: ReadingLane?

  /// Identifies what a stage stores for one of the rectangles into which it divides a request.
  private struct Key: Hashable {
    let pool: ObjectIdentifier
    let part: Int
  }

  /// The workspace, and its pool, which is retained so that its address is not reused.
  private var stored: [Key: (pool: AnyObject, workspace: Any)] = [:]

  package init() {}

  /// Whether what is read now is read by a lane.
  static var isReading: Bool { current != nil }

  /// Reads `rect` of `picture` as the next on this way.
  package func read<State>(
    _ rect: PixelRect, of picture: some PixelSource<State>, into buffer: PlanarBuffer
  ) throws(PixelError) {
    try Self.$current.withValue(self) { () -> Result<Void, PixelError> in
      Result { () throws(PixelError) in try picture.read(rect, into: buffer) }
    }.get()
  }

  fileprivate static func workspace<Workspace>(
    of pool: WorkspacePool<Workspace>, part: Int, _ make: () throws(PixelError) -> Workspace
  ) throws(PixelError) -> Workspace? {
    guard let current else { return nil }
    let key = Key(pool: ObjectIdentifier(pool), part: part)
    if let held = current.stored[key]?.workspace as? Workspace { return held }
    let workspace: Workspace
    if let idle = pool.takeIdle() { workspace = idle } else { workspace = try make() }
    current.stored[key] = (pool, workspace)
    return workspace
  }
}

extension ReadingLane {
  /// Ends a workspace that a read which failed has left half written.
  fileprivate static func drop(_ part: Int, of pool: AnyObject) {
    current?.stored[Key(pool: ObjectIdentifier(pool), part: part)] = nil
  }
}

extension WorkspacePool {
  /// Like ``with(_:)``, but the reads of a ``ReadingLane`` have a workspace that no other has, one
  /// for each `part`: with what the one before has left in it.
  package func keeping<R>(
    part: Int = 0, _ body: (Workspace) throws(PixelError) -> R
  ) throws(PixelError) -> R {
    guard let workspace = try ReadingLane.workspace(of: self, part: part, make) else {
      return try with(body)
    }
    do throws(PixelError) { return try body(workspace) } catch {
      ReadingLane.drop(part, of: self)
      throw error
    }
  }
}
