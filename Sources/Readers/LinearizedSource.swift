import ImageCore

/// The linear values of a decoded picture, as stored: computed from its code values on demand, so
/// that only these are in memory.
struct LinearizedSource: PixelSource {
  typealias State = DisplayReferred

  private(set) var info: DisplayReferred.Info
  private let picture: DecodedSamples
  private let linearization: Linearization

  /// `sources`: the file that the picture comes from.
  init(_ picture: DecodedSamples, _ color: ColorDescription, of sources: Set<FileIdentity>) {
    self.picture = picture
    linearization = Linearization(color, picture.format)
    info = DisplayReferred.Info(
      primaries: color.primaries, headroom: linearization.peak, sources: sources)
  }

  /// The same with the headroom that its pixels have.
  func measured() throws(ReadError) -> LinearizedSource {
    let found = try ReadError.translating { () throws(PixelError) in try lightStatistics() }
    var source = self
    source.info = DisplayReferred.Info(
      primaries: info.primaries, headroom: max(found.contentHeadroom, 1), sources: info.sources)
    return source
  }

  var size: PixelSize { picture.size }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      linearization.read(
        picture, x: rect.x, y: rect.y + y, count: rect.width,
        into: buffer.rows(y))
    }
  }
}
