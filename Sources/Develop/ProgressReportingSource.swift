import ImageCore
import Synchronization

/// Passes a picture through, reports how much of it has been read, and samples it. Once the work is
/// cancelled the rest is black, at no cost, and the file must be discarded.
struct ProgressReportingSource: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  private let meter = Meter()
  private let sample: PictureSample?
  private let cancellation: DevelopCancellation?
  private let report: @Sendable (Double) -> Void

  private final class Meter: Sendable {
    let pixels = Atomic<Int>(0)
  }

  /// `report` gets the fraction of pixels read so far, on any thread.
  init(
    _ source: any PixelSource<DisplayReferred>, sample: PictureSample? = nil,
    cancellation: DevelopCancellation? = nil, report: @escaping @Sendable (Double) -> Void
  ) {
    self.source = source
    self.sample = sample
    self.cancellation = cancellation
    self.report = report
  }

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    if cancellation?.isCancelled ?? false {
      return BlackPicture(size: size, info: info).read(rect, into: buffer)
    }
    source.read(rect, into: buffer)
    sample?.add(buffer, at: rect)
    let done = meter.pixels.add(rect.size.area, ordering: .relaxed).newValue
    report(min(Double(done) / Double(max(size.area, 1)), 1))
  }
}
