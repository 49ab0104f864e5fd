import ImageCore
import Synchronization

/// Passes a picture through and reports how much of it has been read.
struct MeteredSource<Source: PixelSource>: PixelSource {
  typealias State = Source.State

  let source: Source
  private let meter: Meter
  private let report: @Sendable (Double) -> Void

  private final class Meter: Sendable {
    let pixels = Atomic<Int>(0)
  }

  /// `report` gets the share of pixels read so far, from any thread.
  init(_ source: Source, report: @escaping @Sendable (Double) -> Void) {
    self.source = source
    self.report = report
    meter = Meter()
  }

  var size: PixelSize { source.size }
  var info: Source.State.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    source.read(rect, into: buffer)
    let done = meter.pixels.add(rect.size.area, ordering: .relaxed).newValue
    report(min(Double(done) / Double(max(size.area, 1)), 1))
  }
}
