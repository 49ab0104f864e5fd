package import ImageCore

/// A rectangle of a picture.
package struct PartSource: PixelSource {
  package typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let rect: PixelRect

  /// The pixels of `source` in `rect`.
  package init(_ source: any PixelSource<DisplayReferred>, _ rect: PixelRect) {
    (self.source, self.rect) = (source, rect)
  }

  package var size: PixelSize { rect.size }
  package var info: DisplayReferred.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  package func read(_ part: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(
      PixelRect(x: rect.x + part.x, y: rect.y + part.y, width: part.width, height: part.height),
      into: buffer)
  }
}
