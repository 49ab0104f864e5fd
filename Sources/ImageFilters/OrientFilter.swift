import HDRRender
public import ImageCore

/// Rotates by quarter turns and mirrors. `up` returns the picture itself.
public struct OrientFilter: ImageFilter, GeometryFilter, Hashable {
  /// The orientation in which the source is stored, as in Exif.
  public let orientation: Orientation

  /// Makes a source stored in `orientation` upright.
  public init(_ orientation: Orientation) { self.orientation = orientation }

  /// Rotates clockwise by `quarterTurns` · 90°; negative turns are counter-clockwise.
  public init(quarterTurns: Int) {
    let turns: [Orientation] = [.up, .right, .down, .left]
    self.init(turns[((quarterTurns % 4) + 4) % 4])
  }

  /// Left and right exchanged.
  public static let mirroredHorizontally = OrientFilter(.upMirrored)
  /// Top and bottom exchanged.
  public static let mirroredVertically = OrientFilter(.downMirrored)

  /// `.orient`.
  public var operation: EditOperation { .orient }

  func isNeutral(on size: PixelSize) -> Bool { orientation == .up }

  func resultSize(of size: PixelSize) -> PixelSize { orientation.upright(size) }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    orientation.applied(to: source)
  }

  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    -> GainMapImage
  {
    map.upright(orientation)
  }
}
