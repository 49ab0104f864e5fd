import HDRRender
public import ImageCore
import ImageFilters
import RawFilter

/// The size of a film: that of its first frame, or at most or exactly another.
public enum FilmSize: Sendable, Hashable {
  /// That of the first frame.
  case ofSource
  /// The same, reduced to fit; on its side where the frame is upright.
  case atMost(PixelSize)
  /// Exactly this, with bars where the frames have other proportions.
  case exactly(PixelSize)
}

/// How frames of any size become frames of the film: all of each, in the middle, on black.
struct FilmFraming: Sendable, Hashable {
  /// Of the film.
  let size: PixelSize

  /// The largest side.
  static let largestSide = 16_384

  /// A film whose first frame has the size `source`, in a chroma format that may take even sides
  /// alone.
  init(_ source: PixelSize, _ wanted: FilmSize, _ chroma: FilmChroma) throws(FilmError) {
    var size = source
    switch wanted {
    case .ofSource: break
    case .exactly(let exact):
      let isOdd =
        chroma != .yuv444 && exact.width % 2 != 0 || chroma == .yuv420 && exact.height % 2 != 0
      guard !isOdd else {
        throw FilmError(
          .badSetting,
          "chroma \(chroma.rawValue) takes even sides, and the size is \(exact); change it by one")
      }
      size = exact
    case .atMost(var box):
      if source.height > source.width { box = PixelSize(width: box.height, height: box.width) }
      let scale = min(
        Double(box.width) / Double(source.width), Double(box.height) / Double(source.height), 1)
      size = Self.scaled(source, by: scale)
    }
    func whole(_ side: Int, _ isEven: Bool) -> Int { isEven ? side & ~1 : side }
    self.size = PixelSize(
      width: whole(size.width, chroma != .yuv444), height: whole(size.height, chroma == .yuv420))
    guard self.size.width >= 16, self.size.height >= 16,
      max(self.size.width, self.size.height) <= Self.largestSide
    else {
      throw FilmError(
        .badSetting,
        "the film would have \(self.size) pixels; films have 16 to \(Self.largestSide) on a side, "
          + "give a size")
    }
  }

  private static func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    PixelSize(
      width: max(Int((Double(size.width) * scale).rounded()), 1),
      height: max(Int((Double(size.height) * scale).rounded()), 1))
  }

  /// By how much frames of `source` are reduced or enlarged.
  func scale(of source: PixelSize) -> Double {
    min(
      Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
  }

  /// `picture` as a frame, and the part of the frame that is no bar.
  func framed(
    _ picture: any PixelSource<DisplayReferred>
  ) throws(OperatorError) -> (any PixelSource<DisplayReferred>, active: PixelRect) {
    let source = picture.size
    let full = PixelRect(size)
    // A side may be one larger than what the chroma takes.
    if (0...1).contains(source.width - size.width), (0...1).contains(source.height - size.height) {
      return (try CropFilter(full).applied(to: picture), full)
    }
    // Two pixels more than the film are cut off rather than framed by bars.
    let cover = Self.scaled(
      source,
      by: max(
        Double(size.width) / Double(source.width), Double(size.height) / Double(source.height)))
    if cover.width - size.width <= 2, cover.height - size.height <= 2 {
      let resized = try ResizeFilter(to: cover).applied(to: picture)
      let part = PixelRect(
        x: max(cover.width - size.width, 0) / 2, y: max(cover.height - size.height, 0) / 2,
        width: size.width, height: size.height)
      return (try CropFilter(part).applied(to: resized), full)
    }
    var fitted = Self.scaled(source, by: scale(of: source))
    fitted.width = min(fitted.width, size.width)
    fitted.height = min(fitted.height, size.height)
    let resized = try ResizeFilter(to: fitted).applied(to: picture)
    // Even positions, so that no chroma sample is of bar and picture.
    let position = PixelPoint(
      x: (size.width - fitted.width) / 4 * 2, y: (size.height - fitted.height) / 4 * 2)
    let black = BlackPicture(size: size, info: picture.info)
    return (
      try CompositeFilter(resized, at: position).applied(to: black),
      PixelRect(
        x: position.x, y: position.y, width: fitted.width, height: fitted.height)
    )
  }
}

/// A picture without light.
private struct BlackPicture: PixelSource {
  typealias State = DisplayReferred

  let size: PixelSize
  let info: DisplayReferred.Info

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height { buffer.row(plane, y).update(repeating: 0, count: rect.width) }
    }
  }
}

extension FrameSettings {
  /// The size of such a picture of `size`.
  func cropped(_ size: PixelSize) throws(OperatorError) -> PixelSize {
    try cropped(
      BlackPicture(size: size, info: DisplayReferred.Info(primaries: .srgb, headroom: 1))
    ).size
  }

  /// A finished picture by the crop; other frame settings are for raws.
  func cropped(
    _ picture: any PixelSource<DisplayReferred>
  ) throws(OperatorError) -> any PixelSource<DisplayReferred> {
    var result = picture
    if let crop { result = try CropFilter(crop).applied(to: result) }
    guard let ratio = cropAspect?.value else { return result }
    let size = result.size
    let width = min(Double(size.width), Double(size.height) * ratio)
    let (w, h) = (max(Int(width.rounded()), 1), max(Int((width / ratio).rounded()), 1))
    let part = PixelRect(
      x: (size.width - w) / 2, y: (size.height - h) / 2, width: w, height: h)
    return try CropFilter(part).applied(to: result)
  }
}
