import Containers
import ImageCore

/// The lossy compression of Sony's ARW 6 (TIFF compression 32766: "Compressed" and "Compressed HQ"
/// of the α 7 V and α 7R VI), not supported by any released LibRaw.
///
/// Each tile (``SonyARW6Header``) contains, in 12-bit codes less 2048, wavelets of three components
/// of half its size (``SonyARW6Geometry``, ``SonyARW6Coefficients``, ``SonyARW6Wavelet``), with the
/// lowest band as differences along rows, and the differences D of the greens. With L the first
/// component and neighbors clamped at the edge, the greens of the 2 × 2 pixels x, y are
///
///     G1 = (2 L − ((D[x, y−1] + D[x+1, y−1] + D[x, y] + D[x+1, y]) >> 2)) >> 1   beside red
///     G0 = D + ((G1[x−1, y] + G1[x, y] + G1[x−1, y+1] + G1[x, y+1]) >> 2)        beside blue
///
/// and red and blue are the mean of both, as codes, plus twice their component. ``SonyARW6Curve``
/// converts the codes to linear values.
///
/// Sources: published decoders, used as documentation only (rawspeed's SonyArw6Decompressor,
/// LibRaw's sony_arw6). Domain: RGGB, tiles of a multiple of 16 columns and 4 rows. Tested only
/// with files of an independent encoder (Fixtures), not with a camera's, and a warning says so.
struct SonyARW6Decoder: RawStorageDecoder {
  private let storage: SonyARW6Storage

  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    guard let storage = tiff.flatMap({ SonyARW6Storage($0, file) }) else { return nil }
    self.storage = storage
  }

  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, workers) = (request.file, request.workers)
    let data = try SensorData.decoded(request) { windows throws(PixelError) in
      // Enough tiles at once to give each worker a component.
      let step = max(workers / SonyARW6Planes.count, 1)
      let all = storage.header.tiles
      for first in stride(from: 0, to: all.count, by: step) {
        let tiles = all[first..<min(first + step, all.count)]
        guard try Self.decode(Array(tiles), file, into: windows, workers: workers) else {
          return false
        }
      }
      return true
    }
    var levels = data.levels
    (levels.blackOrigin, levels.whiteOrigin) = (.file, .file)
    return SensorData(
      size: data.size, layout: data.layout, samples: data.samples, levels: levels)
  }

  private static func decode(
    _ tiles: [SonyARW6Header.Tile], _ file: FileBytes, into windows: [MosaicWindow], workers: Int
  ) throws(PixelError) -> Bool {
    let number = SonyARW6Planes.count
    let planes = try Parallel.map(count: tiles.count * number, workers: workers) {
      index throws(PixelError) in
      try SonyARW6Planes.plane(index % number, tiles[index / number], file)
    }
    let decoded = planes.compactMap(\.self)
    guard decoded.count == planes.count else { return false }
    for (index, tile) in tiles.enumerated() {
      let own = SonyARW6Planes(Array(decoded[index * number..<(index + 1) * number]))
      let band = 64
      try Parallel.forEach(count: (own.size.height + band - 1) / band, workers: workers) {
        index, _ in
        let rows = index * band..<min((index + 1) * band, own.size.height)
        own.samples(rows) { y, row in
          for window in windows { window.take(row, of: tile.area, tile.area.y + y) }
        }
      }
    }
    return true
  }
}

extension MosaicWindow {
  /// Copies the requested part of `row`, the part of row `y` in `tile`.
  fileprivate func take(_ row: CodeRowView, of tile: PixelRect, _ y: Int) {
    let columns = (tile.x..<tile.endX).clamped(to: area.x..<area.endX)
    guard (area.y..<area.endY).contains(y), !columns.isEmpty else { return }
    target(columns.lowerBound, y)
      .update(from: row.from(columns.lowerBound - tile.x), count: columns.count)
  }
}
