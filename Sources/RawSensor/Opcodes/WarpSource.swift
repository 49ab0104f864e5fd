import CVector
import ImageCore
import RawDecode

/// A picture resampled along a ``WarpField``.
///
/// Source: R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = −½:
/// as sharp as four taps allow, exact for gradients. The reference renderer's kernel has a = −¾,
/// which is not. Beyond the edges the picture goes on as at them. Units: any; overshoot beside
/// edges stays. Pixels whose source is a pixel come through bit for bit, as do planes whose
/// coefficients change nothing. The loop is `cv_warpRow`. Reads as much of its source as the
/// positions of the tile in hand say, so every tap is there.
struct WarpSource: PixelSource {
  typealias State = CameraRGB

  private static let tileWidth = 704
  private static let tileHeight = 256

  let source: any PixelSource<CameraRGB>
  let field: WarpField
  /// Whether the file has one plane, which all three channels then are.
  let isGray: Bool
  private let sources = BufferPool()
  private let positions = BufferPool()

  var size: PixelSize { source.size }
  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, 256) }

  /// Number of the coefficients for channel `channel`.
  private func set(_ channel: Int) -> Int {
    isGray ? 0 : min(channel, field.warp.planes.count - 1)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    let isIdentity = field.warp.planes.map(\.isIdentity)
    let parts = set(2) == 0 ? [0..<3] : [0..<1, 1..<2, 2..<3]
    for tile in rect.evenTiles(width: Self.tileWidth, height: Self.tileHeight) {
      let first = tile.x / field.spacing
      let nodes = (tile.endX - 1) / field.spacing + 2 - first
      // For each row of the tile one of displacements right and one of displacements down, a plane
      // for each set.
      positions.withBuffer(PixelSize(width: nodes, height: 2 * tile.height)) { displacements in
        let box = fillDisplacements(tile, first, nodes, displacements)
        sources.withBuffer(box.size) { pixels in
          source.read(box, into: pixels)
          for y in 0..<tile.height {
            // Channels of one set of coefficients share their positions.
            for channels in parts {
              let set = set(channels.lowerBound)
              guard isIdentity[set] else {
                resample(channels, tile, y, displacements, set, pixels, box, into: buffer, of: rect)
                continue
              }
              for channel in channels {
                let row = buffer.row(channel, tile.y - rect.y + y).from(tile.x - rect.x)
                row.update(
                  from: pixels.row(channel, tile.y + y - box.y).from(tile.x - box.x),
                  count: tile.width)
              }
            }
          }
        }
      }
    }
  }

  /// Writes row `y` of `tile` from `pixels`, which are those of `box`, to `buffer`, which holds
  /// `rect`.
  private func resample(
    _ channels: Range<Int>, _ tile: PixelRect, _ y: Int, _ displacements: PlanarBuffer, _ set: Int,
    _ pixels: PlanarBuffer, _ box: PixelRect, into buffer: PlanarBuffer, of rect: PixelRect
  ) {
    let first = channels.lowerBound
    var taps = cv_warpSource(
      plane0: pixels.row(first, 0).start, plane1: pixels.row(1, 0).start,
      plane2: pixels.row(2, 0).start,
      stride: pixels.stride, x: Int32(box.x), y: Int32(box.y), width: Int32(box.width),
      height: Int32(box.height))
    let (column, row) = (tile.x - rect.x, tile.y - rect.y + y)
    cv_warpRow(
      &taps, Int32(channels.count), tile.x, tile.y + y, tile.width,
      displacements.row(set, 2 * y).start, displacements.row(set, 2 * y + 1).start, field.spacing,
      buffer.row(first, row).from(column).start, buffer.row(1, row).from(column).start,
      buffer.row(2, row).from(column).start)
  }

  /// Writes the displacements at every `spacing`-th column of `tile`, from column number `first`, and says
  /// what they and the taps around their ends cover of the picture.
  private func fillDisplacements(
    _ tile: PixelRect, _ first: Int, _ nodes: Int, _ displacements: PlanarBuffer
  ) -> PixelRect {
    var (lowX, lowY) = (Float(tile.x), Float(tile.y))
    var (highX, highY) = (Float(tile.endX), Float(tile.endY))
    for set in field.warp.planes.indices where set < 3 && !field.warp.planes[set].isIdentity {
      for y in 0..<tile.height {
        let (right, down) = (displacements.row(set, 2 * y), displacements.row(set, 2 * y + 1))
        field.displacements(
          first, count: nodes, y: tile.y + y, set: set, right: right, down: down)
        let (x, row) = (Float(first * field.spacing), Float(tile.y + y))
        for node in 0..<nodes {
          let endX = x + Float(node &* field.spacing) + right[node]
          let endY = row + down[node]
          (lowX, highX) = (min(lowX, endX), max(highX, endX))
          (lowY, highY) = (min(lowY, endY), max(highY, endY))
        }
      }
    }
    func bounds(_ low: Float, _ high: Float, _ side: Int) -> (Int, Int) {
      let first = min(max(Int(low.rounded(.down)) - 2, 0), side - 1)
      let last = min(max(Int(high.rounded(.up)) + 3, 0), side - 1)
      return (first, last - first + 1)
    }
    let (x, width) = bounds(lowX, highX, size.width)
    let (y, height) = bounds(lowY, highY, size.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
