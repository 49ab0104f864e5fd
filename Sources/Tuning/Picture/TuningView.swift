import ImageCore
import RawFilter

/// The displayed part of the finished picture, and the scale at which it is rendered.
struct TuningView: Sendable {
  /// The settings with the scale of the finished picture.
  var settings: RAWSettings
  /// The finished picture at full size, pixels.
  let finishedSize: PixelSize
  /// The displayed part of it.
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
    finishedSize = filter.outputSize
    part = request.part.map { Self.part($0, of: filter.outputSize) } ?? PixelRect(filter.outputSize)
    guard !part.isEmpty, request.fit.width > 0, request.fit.height > 0 else {
      throw RAWError(
        .badSetting, .settings,
        "the part to show has no pixel of the picture of \(finishedSize); choose another")
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
    var (wanted, visible) = (Double(full) * reduction, part)
    for _ in 0..<8 {
      filter.scaleFactor = Float(wanted)
      visible = Self.scaled(part, from: finishedSize, to: filter.outputSize)
      if visible.width <= request.fit.width, visible.height <= request.fit.height { break }
      wanted *= 1 - 0.5 / Double(max(part.width, part.height)) / reduction
    }
    scale = filter.scaleFactor
    rect = PixelRect(
      x: visible.x, y: visible.y, width: min(visible.width, request.fit.width),
      height: min(visible.height, request.fit.height))
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

  /// `part` of a picture of `finishedSize` in the same picture of `size`, at least a pixel.
  static func scaled(_ part: PixelRect, from finishedSize: PixelSize, to size: PixelSize)
    -> PixelRect
  {
    func stretch(_ from: Int, _ to: Int, _ finishedSize: Int, _ side: Int) -> (Int, Int) {
      let ratio = Double(side) / Double(finishedSize)
      let first = min(Int((Double(from) * ratio).rounded()), side - 1)
      return (first, max(min(Int((Double(to) * ratio).rounded()), side) - first, 1))
    }
    let (x, width) = stretch(part.x, part.endX, finishedSize.width, size.width)
    let (y, height) = stretch(part.y, part.endY, finishedSize.height, size.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
