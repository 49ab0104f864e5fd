import Synchronization

extension PixelSource {
  /// The same picture; `report` gets the fraction of it that has been read so far, on any thread:
  /// the progress of a reader that reads it once, as writers do.
  public func reporting(
    progress report: @escaping @Sendable (_ fraction: Double) -> Void
  ) -> some PixelSource<State> {
    let meter = Meter()
    let all = Double(max(size.area, 1))
    return seen { _, rect in
      let done = meter.pixels.add(rect.size.area, ordering: .relaxed).newValue
      report(min(Double(done) / all, 1))
    }
  }

  /// The same picture; `see` gets each rectangle of it that was read, on any thread.
  package func seen(
    by see: @escaping @Sendable (PlanarBuffer, PixelRect) -> Void
  ) -> some PixelSource<State> {
    SeenSource(source: self, see: see)
  }
}

private final class Meter: Sendable {
  let pixels = Atomic<Int>(0)
}

private struct SeenSource<Source: PixelSource>: PixelSource {
  typealias State = Source.State

  let source: Source
  let see: @Sendable (PlanarBuffer, PixelRect) -> Void

  var size: PixelSize { source.size }
  var info: State.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    see(buffer, rect)
  }
}
