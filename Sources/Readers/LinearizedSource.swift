import ImageCore

/// The linear values of a decoded picture, upright: computed from its code values on demand, so
/// that only these are in memory.
struct LinearizedSource: PixelSource {
  typealias State = DisplayReferred

  let info: DisplayReferred.Info
  private let picture: DecodedSamples
  private let orientation: Orientation
  private let linearization: Linearization
  private let pool = BufferPool()

  /// `orientation`: that of the stored rows.
  init(_ picture: DecodedSamples, _ color: ColorDescription, _ orientation: Orientation) {
    self.picture = picture
    self.orientation = orientation
    linearization = Linearization(color, picture.format)
    info = DisplayReferred.Info(primaries: color.primaries, headroom: linearization.peak)
  }

  var size: PixelSize { orientation.upright(picture.size) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    guard orientation != .up else { return fill(buffer, rect) }
    let stored = orientation.storedRect(of: rect, stored: picture.size)
    buffer.reshape(rect.size)
    pool.withBuffer(stored.size) { scratch in
      fill(scratch, stored)
      orientation.copy(scratch, to: buffer)
    }
  }

  private func fill(_ buffer: PlanarBuffer, _ rect: PixelRect) {
    buffer.reshape(rect.size)
    for y in 0..<rect.height {
      linearization.read(
        picture, x: rect.x, y: rect.y + y, count: rect.width,
        into: buffer.rows(y))
    }
  }
}
