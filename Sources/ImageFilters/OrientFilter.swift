public import HDRRender
public import ImageCore

/// A picture turned by quarter turns and mirrored. `up` is the picture itself.
public struct OrientFilter: ImageFilter, GeometryFilter, Hashable {
  /// How the picture stands before: as a file's orientation says.
  public let orientation: Orientation

  /// Makes upright what is stored as `orientation` says.
  public init(_ orientation: Orientation) { self.orientation = orientation }

  /// Turned clockwise by `quarterTurns` times 90°, any number of them; negative turns are
  /// counter-clockwise.
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

  /// The edit put on `source`.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    orientation == .up ? source : OrientedSource(source, orientation)
  }

  func moved(_ map: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
  {
    let turned = orientation.upright(map.size)
    var codes: [UInt16] = []
    codes.reserveCapacity(map.codes.count)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let from = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: map.size)
        let start = (from.y * map.size.width + from.x) * map.channels
        for channel in 0..<map.channels { codes.append(map.codes[start + channel]) }
      }
    }
    return try map.replacing(size: turned, codes: codes)
  }
}
