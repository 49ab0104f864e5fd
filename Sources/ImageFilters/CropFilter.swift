public import HDRRender
public import ImageCore

/// Crops to a rectangle. The rectangle of the full picture returns the picture itself.
public struct CropFilter: ImageFilter, GeometryFilter, Hashable {
  /// The part to keep.
  public let area: CropArea

  /// Throws when the rectangle holds no pixel or starts outside any picture.
  public init(_ rect: PixelRect) throws(OperatorError) {
    guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0,
      !rect.x.addingReportingOverflow(rect.width).overflow,
      !rect.y.addingReportingOverflow(rect.height).overflow
    else {
      throw OperatorError(
        "crop", "\(Self.text(rect)); give a rectangle with a pixel, from 0, 0 on")
    }
    area = CropArea(rect)
  }

  /// Crops to a part that may depend on the size of the picture.
  public init(_ area: CropArea) { self.area = area }

  private static func text(_ rect: PixelRect) -> String {
    "\(rect.width)x\(rect.height) at \(rect.x), \(rect.y)"
  }

  /// `.crop`.
  public var operation: EditOperation { .crop }

  func isNeutral(on size: PixelSize) -> Bool { area.rect(in: size) == PixelRect(size) }

  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize {
    let rect = area.rect(in: size)
    guard PixelRect(size).contains(rect) else {
      throw OperatorError(
        "crop", "\(Self.text(rect)) is not inside the picture of \(size); give one that is")
    }
    return rect.size
  }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    _ = try resultSize(of: source.size)
    if isNeutral(on: source.size) { return source }
    return PartSource(source, area.rect(in: source.size))
  }

  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
  {
    let rect = area.rect(in: picture)
    return try map.resampled(
      columns: AxisTaps.lanczos(
        count: size.width, of: map.size.width,
        from: Double(rect.x) * Double(map.size.width) / Double(picture.width),
        length: Double(rect.width) * Double(map.size.width) / Double(picture.width)),
      rows: AxisTaps.lanczos(
        count: size.height, of: map.size.height,
        from: Double(rect.y) * Double(map.size.height) / Double(picture.height),
        length: Double(rect.height) * Double(map.size.height) / Double(picture.height)))
  }
}
