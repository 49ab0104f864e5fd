import Synchronization

extension PixelSource {
  /// The same picture, which tells `report` what fraction of it has been read so far, on any
  /// thread: the progress of whoever reads it once, as writers do.
  public func reporting(
    progress report: @escaping @Sendable (_ fraction: Double) -> Void
  ) -> some PixelSource<State> {
    ProgressSource(source: self, report: report)
  }
}

private struct ProgressSource<Source: PixelSource>: PixelSource {
  typealias State = Source.State

  let source: Source
  let report: @Sendable (Double) -> Void
  let meter = Meter()

  final class Meter: Sendable {
    let pixels = Atomic<Int>(0)
  }

  var size: PixelSize { source.size }
  var info: State.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let done = meter.pixels.add(rect.size.area, ordering: .relaxed).newValue
    report(min(Double(done) / Double(max(size.area, 1)), 1))
  }
}
