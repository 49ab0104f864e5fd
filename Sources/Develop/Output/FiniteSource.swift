package import ImageCore
import Synchronization

/// Passes a picture through, and stops reading at a value that is infinite or NaN.
///
/// Writers would store the nearest value of their format. In a development such values mean that
/// numbers of the file, each valid by itself, overflow in combination: the result is not the
/// picture that was taken, and the file must be discarded.
package struct FiniteSource: PixelSource {
  package typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let found = Found()

  private final class Found: Sendable {
    let isFinite = Atomic<Bool>(true)
  }

  package init(_ source: any PixelSource<DisplayReferred>) { self.source = source }

  /// Whether everything read is finite: otherwise reading stopped as if it was cancelled.
  package var isFinite: Bool { found.isFinite.load(ordering: .relaxed) }

  package var size: PixelSize { source.size }
  package var info: DisplayReferred.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height where !buffer.rows(y).isFinite(rect.width) {
      found.isFinite.store(false, ordering: .relaxed)
      throw .cancelled
    }
  }
}
