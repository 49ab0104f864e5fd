import Synchronization

/// A picture that is read once, from top to bottom, in lanes side by side, and reports how far it
/// was read: rows above are not read again. When it is read in any other way it stops reporting.
package struct DownwardReading<State: ImageState>: PixelSource {
  private let source: any PixelSource<State>
  private let progress = Progress()
  private let passed: @Sendable (Int) -> Void

  /// The end of what each lane has read, by its first column; nil where they are not known.
  private final class Progress: Sendable {
    let lanes = Mutex<[Int: (width: Int, end: Int)]?>([:])
  }

  /// `passed` gets the first row that is still to be read by some lane.
  package init(_ source: any PixelSource<State>, passed: @escaping @Sendable (Int) -> Void) {
    (self.source, self.passed) = (source, passed)
  }

  package var size: PixelSize { source.size }
  package var info: State.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let row = progress.lanes.withLock { lanes -> Int? in
      let lane = lanes?[rect.x] ?? (rect.width, 0)
      guard lane.width == rect.width, lane.end == rect.y else {
        lanes = nil
        return nil
      }
      lanes?[rect.x] = (rect.width, rect.endY)
      guard let all = lanes?.values, all.reduce(0, { $0 + $1.width }) == size.width else {
        return nil
      }
      return all.map(\.end).min()
    }
    if let row { passed(row) }
  }
}
