import CKernels
package import ImageCore

/// A picture seen through a ``ProjectiveMap``, by bicubic interpolation of linear values.
///
/// Source: Keys, "Cubic convolution interpolation for digital image processing", IEEE Trans. ASSP
/// 29 (1981), a = −1/2, over 4 × 4 pixels, along columns first, as p₁ + Σ w · (p − p₁), which keeps
/// every bit of flat areas. Ringing is clamped between the minimum and maximum of the 2 × 2 pixels
/// around the position, so that values below 0 and above 1 survive and highlights get no rim; the
/// headroom is unchanged. Units: pixels, corners of pixels at integers. Positions outside the
/// picture are black; its edge is half a pixel wide. Known failure: where the map reduces by more
/// than two, detail aliases.
package struct ProjectedSource: PixelSource {
  package typealias State = DisplayReferred

  /// Rows that are preferred in one read.
  private static let band = 64

  let source: any PixelSource<DisplayReferred>
  package let size: PixelSize
  /// From positions of the result to positions of the source.
  let map: ProjectiveMap
  private let pool = BufferPool()

  init(source: any PixelSource<DisplayReferred>, size: PixelSize, map: ProjectiveMap) {
    (self.source, self.size, self.map) = (source, size, map)
  }

  /// `source` under `map`, which maps the result of `size` to it.
  package static func projecting(
    _ source: any PixelSource<DisplayReferred>, _ map: ProjectiveMap, to size: PixelSize
  ) -> any PixelSource<DisplayReferred> {
    if source is Image<DisplayReferred> {
      return ProjectedSource(source: source, size: size, map: map)
    }
    let cached = CachedBlocks(source, limit: blocks(map, size))
    return ProjectedSource(source: cached, size: size, map: map)
  }

  /// Blocks of the source that a band of the result reads, and as many again for the next, within
  /// about 256 MB.
  private static func blocks(_ map: ProjectiveMap, _ result: PixelSize) -> Int {
    let block = CachedBlocks<DisplayReferred>.block
    let (width, height) = (Double(result.width), Double(band))
    func count(_ row: SIMD3<Double>, _ side: Int) -> Double {
      (abs(row.x) * width + abs(row.y) * height) / Double(side) + 2
    }
    let needed = count(map.across, block.width) * count(map.down, block.height)
    return Int(min(needed, 160))
  }

  package var info: DisplayReferred.Info { source.info }
  package var bandHeight: Int { Self.band }

  /// The position of the center of pixel x, y in the source, in coordinates of pixel centers.
  /// ``behind`` at the horizon.
  private func position(_ x: Int, _ y: Int) -> SIMD2<Double> {
    (map(Double(x) + 0.5, Double(y) + 0.5) ?? Self.behind) - 0.5
  }

  /// Outside of any picture.
  private static let behind = SIMD2<Double>(repeating: -1e9)

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    // In tiles, so that a rotated band does not read all rows between its ends.
    for tile in rect.tiles(width: 256, height: Self.band) {
      try read(tile, of: rect, into: buffer)
    }
  }

  private func read(_ tile: PixelRect, of rect: PixelRect, into buffer: PlanarBuffer)
    throws(PixelError)
  {
    let corners = [
      position(tile.x, tile.y), position(tile.endX - 1, tile.y),
      position(tile.x, tile.endY - 1),
      position(tile.endX - 1, tile.endY - 1),
    ]
    let full = PixelRect(source.size)
    func span(_ values: [Double], _ count: Int) -> Range<Int> {
      // What lies between such a corner and the others is not known.
      if corners.contains(Self.behind - 0.5) { return 0..<count }
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      let first = Int(max(low.rounded(.down) - 2, -4))
      let last = Int(min(high.rounded(.up) + 3, Double(count) + 4))
      let from = min(max(first, 0), count - 1)
      return from..<min(max(last, from) + 1, count)
    }
    let (wide, high) = (span(corners.map(\.x), full.width), span(corners.map(\.y), full.height))
    let needed = PixelRect(
      x: wide.lowerBound, y: high.lowerBound, width: wide.count, height: high.count)
    try pool.withBuffer(needed.size) { pixels throws(PixelError) in
      try source.read(needed, into: pixels)
      func row(_ row: SIMD3<Double>) -> (Double, Double, Double) { (row.x, row.y, row.z) }
      var projection = ck_projection(
        across: row(map.across), down: row(map.down), scale: row(map.scale),
        width: Int64(full.width), height: Int64(full.height), firstColumn: Int64(needed.x),
        firstRow: Int64(needed.y), stride: Int64(pixels.stride))
      for y in tile.y..<tile.endY {
        unsafe ck_projectRow(
          &projection, Int64(tile.x), Int64(y), ck_threeRows(0, behind: 0) { pixels.plane($0) },
          buffer.rows(y - rect.y).from(tile.x - rect.x).kernel, Int64(tile.width))
      }
    }
  }
}
