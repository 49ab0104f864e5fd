import ImageCore
import RawFilter

/// What is shown of the finished picture, and at which scale that is rendered.
struct TuningView: Sendable {
  /// The settings with the scale of the finished picture.
  var settings: RAWSettings
  /// The finished picture at full size, pixels.
  let whole: PixelSize
  /// The part of it that is shown.
  let part: PixelRect
  /// The scale factor at which the picture is rendered.
  let scale: Float
  /// The same part of the rendered picture.
  let rect: PixelRect

  /// Throws a `RAWError` where the part holds no pixel of the picture.
  init(_ request: TuningRequest, of base: RAWFilter) throws {
    var filter = base
    filter.settings = request.settings
    if request.isUncropped { filter.settings.frame = FrameSettings() }
    settings = filter.settings
    whole = filter.outputSize
    part = request.part.map { Self.part($0, of: filter.outputSize) } ?? PixelRect(filter.outputSize)
    guard !part.isEmpty, request.fit.width > 0, request.fit.height > 0 else {
      throw RAWError(
        .badSetting, .settings,
        "the part to show has no pixel of the picture of \(whole); choose another")
    }
    let reduction = min(
      Double(request.fit.width) / Double(part.width),
      Double(request.fit.height) / Double(part.height), 1)
    let full = filter.scaleFactor
    guard reduction < 1 else {
      (scale, rect) = (full, part)
      return
    }
    // The size of a reduced picture is rounded, so the first guess may be a pixel too large.
    var (wanted, shown) = (Double(full) * reduction, part)
    for _ in 0..<8 {
      filter.scaleFactor = Float(wanted)
      shown = Self.scaled(part, from: whole, to: filter.outputSize)
      if shown.width <= request.fit.width, shown.height <= request.fit.height { break }
      wanted *= 1 - 0.5 / Double(max(part.width, part.height)) / reduction
    }
    scale = filter.scaleFactor
    rect = PixelRect(
      x: shown.x, y: shown.y, width: min(shown.width, request.fit.width),
      height: min(shown.height, request.fit.height))
  }

  /// What `rect` has of a picture of `size`, whatever its numbers are.
  private static func part(_ rect: PixelRect, of size: PixelSize) -> PixelRect {
    func stretch(_ start: Int, _ length: Int, _ side: Int) -> (Int, Int) {
      let (end, isFar) = start.addingReportingOverflow(max(length, 0))
      let first = min(max(start, 0), side)
      return (first, max(min(isFar ? side : end, side) - first, 0))
    }
    let (x, width) = stretch(rect.x, rect.width, size.width)
    let (y, height) = stretch(rect.y, rect.height, size.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// `part` of a picture of `whole` in the same picture of `size`, at least a pixel.
  static func scaled(_ part: PixelRect, from whole: PixelSize, to size: PixelSize) -> PixelRect {
    func stretch(_ from: Int, _ to: Int, _ whole: Int, _ side: Int) -> (Int, Int) {
      let ratio = Double(side) / Double(whole)
      let first = min(Int((Double(from) * ratio).rounded()), side - 1)
      return (first, max(min(Int((Double(to) * ratio).rounded()), side) - first, 1))
    }
    let (x, width) = stretch(part.x, part.endX, whole.width, size.width)
    let (y, height) = stretch(part.y, part.endY, whole.height, size.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
