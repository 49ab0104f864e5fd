import ImageCore

/// The linear values of a decoded picture, as stored: computed from its code values on demand, so
/// that only the code values are in memory.
struct LinearizedSource: PixelSource {
  typealias State = DisplayReferred

  private(set) var info: DisplayReferred.Info
  private let picture: DecodedSamples
  private let linearization: Linearization
  private let transparency: Transparency

  /// How a picture that is not opaque is read.
  enum Transparency: Sendable {
    /// Composited over reference white; over black for premultiplied floats.
    case flat
    /// Its colors alone, not multiplied by alpha.
    case colors
  }

  /// `sources`: the file of the picture.
  init(
    _ picture: DecodedSamples, _ color: ColorDescription, of sources: Set<FileIdentity>,
    _ transparency: Transparency = .flat
  ) {
    (self.picture, self.transparency) = (picture, transparency)
    linearization = Linearization(color, picture.format)
    info = DisplayReferred.Info(
      primaries: color.primaries,
      headroom: max(linearization.peak, picture.alpha == nil ? 0 : 1), sources: sources)
  }

  /// The same with the headroom that its pixels have.
  func measured() throws(ReadError) -> LinearizedSource {
    let found = try ReadError.translating { () throws(PixelError) in try lightStatistics() }
    var source = self
    source.info = DisplayReferred.Info(
      primaries: info.primaries, headroom: max(found.contentHeadroom, 1), sources: info.sources)
    return source
  }

  /// Whether premultiplied pixels emit without covering, such as flames and glows: their color
  /// divided by alpha is more than twice the brightest pixel with an alpha of at least 0.5, and
  /// they are visible (3 of 255 in sRGB; below that, denoisers leave residue). Reads the complete
  /// picture.
  func hasEmission() throws(PixelError) -> Bool {
    guard let alpha = picture.alpha, alpha.isPremultiplied else { return false }
    let opacity = LinearizedSource(alpha.samples, .linearGray, of: [])
    let (colors, alphas) = (PlanarBuffer(), PlanarBuffer())
    // The brightest pixel of alpha ≥ 0.5, and half of the brightest color divided by alpha.
    var (covered, cover): (Float, Float) = (1, 0)
    for y in 0..<size.height {
      let row = PixelRect(x: 0, y: y, width: size.width, height: 1)
      try read(row, into: colors)
      try opacity.read(row, into: alphas)
      let (rgb, alpha) = (colors.rows(0), alphas.row(0, 0))
      for x in 0..<size.width {
        let color = max(rgb.red[x], rgb.green[x], rgb.blue[x])
        if alpha[x] >= 0.5 { covered = max(covered, color) }
        if color > 1 / 1024 { cover = max(cover, (color - 1 / 1024) / (2 * max(alpha[x], 0))) }
      }
    }
    return cover > covered
  }

  var size: PixelSize { picture.size }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      linearization.read(
        picture, x: rect.x, y: rect.y + y, count: rect.width,
        into: buffer.rows(y))
      if let alpha = picture.alpha { apply(alpha, x: rect.x, y: rect.y + y, buffer.rows(y)) }
    }
  }

  private func apply(_ alpha: DecodedSamples.Alpha, x: Int, y: Int, _ rows: RGBRows) {
    let samples = alpha.samples
    let start = unsafe samples.row(y) + x * samples.format.bytes
    for i in 0..<rows.count {
      let value =
        switch samples.format {
        case .codes(let bits) where bits <= 8:
          unsafe Float(start.assumingMemoryBound(to: UInt8.self)[i]) / Float(1 << bits - 1)
        case .codes(let bits):
          unsafe Float(start.assumingMemoryBound(to: UInt16.self)[i]) / Float(1 << bits - 1)
        case .floats: unsafe start.assumingMemoryBound(to: Float.self)[i]
        case .halves: unsafe Float(half: start.assumingMemoryBound(to: UInt16.self)[i])
        }
      let opacity = value > 0 ? min(value, 1) : 0
      for plane in 0..<3 {
        let color = rows[plane][i]
        switch (transparency, alpha.isPremultiplied) {
        case (.flat, false): rows[plane][i] = color * opacity + (1 - opacity)
        case (.flat, true), (.colors, false): break
        case (.colors, true): rows[plane][i] = opacity > 0 ? color / opacity : 0
        }
      }
    }
  }
}
