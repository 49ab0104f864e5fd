public import ImageCore

/// A picture turned by quarter turns and mirrored. `up` is the picture itself.
public struct OrientEdit: PictureEdit, GeometryEdit, Hashable {
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
  public static let mirroredHorizontally = OrientEdit(.upMirrored)
  /// Top and bottom exchanged.
  public static let mirroredVertically = OrientEdit(.downMirrored)

  /// `.orient`.
  public var operation: EditOperation { .orient }

  func isNeutral(on size: PixelSize) -> Bool { orientation == .up }

  func resultSize(of size: PixelSize) -> PixelSize { orientation.upright(size) }

  /// The edit put on `source`.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    orientation == .up ? source : OrientStage(source: source, orientation: orientation)
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

private struct OrientStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let orientation: Orientation
  private let pool = BufferPool()

  init(source: any PixelSource<DisplayReferred>, orientation: Orientation) {
    (self.source, self.orientation) = (source, orientation)
  }

  var size: PixelSize { orientation.upright(source.size) }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    let stored = orientation.storedRect(of: rect, stored: source.size)
    let place = { (x: Int, y: Int) in
      orientation.storedPoint(
        of: PixelPoint(x: rect.x + x, y: rect.y + y), stored: source.size)
    }
    let (origin, right, down) = (place(0, 0), place(1, 0), place(0, 1))
    pool.withBuffer(stored.size) { from in
      source.read(stored, into: from)
      let stride = from.stride
      let across = (right.y - origin.y) * stride + right.x - origin.x
      let below = (down.y - origin.y) * stride + down.x - origin.x
      let start = (origin.y - stored.y) * stride + origin.x - stored.x
      for plane in 0..<3 {
        let samples = from.row(plane, 0) + start
        for y in 0..<rect.height {
          let out = buffer.row(plane, y)
          for x in 0..<rect.width { out[x] = samples[y &* below &+ x &* across] }
        }
      }
    }
  }
}
