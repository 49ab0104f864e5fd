import Foundation
public import HDRRender
public import ImageCore

/// An affine transform of a picture, by bicubic interpolation in linear light.
///
/// Source: Keys, "Cubic convolution interpolation for digital image processing", IEEE Trans. ASSP
/// 29 (1981), a = −1/2, over 4 × 4 pixels, along columns first, as p₁ + Σ w · (p − p₁), which keeps
/// every bit of flat areas. Ringing is clamped between the minimum and maximum of the 2 × 2 pixels
/// around the position, so that values below 0 and above 1 survive and highlights get no rim; the
/// headroom is unchanged. Units: pixels, corners of pixels at whole numbers. Positions outside the
/// picture are black; its edge is half a pixel wide. Known failure: reduced by more than two,
/// detail aliases; use ``ResizeFilter`` before.
public struct AffineFilter: ImageFilter, GeometryFilter, Hashable {
  private enum Target: Hashable {
    case size(PixelSize)
    case rotation
  }

  /// The source position of position x, y of the result: (a x + b y + c, d x + e y + f).
  private struct Map: Hashable {
    var a, b, c, d, e, f: Double
    var isIdentity: Bool { self == Map(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0) }
  }

  private let target: Target
  private let map: Map

  /// A result of `size` whose position (x, y) shows the source at (a x + b y + c, d x + e y + f),
  /// `toSource` = [a, b, c, d, e, f]. Throws when that is not six numbers within ±1e7 or is
  /// singular, or a side is not 1 to `PixelSize.largestSide`.
  public init(size: PixelSize, toSource m: [Double]) throws(OperatorError) {
    guard m.count == 6, m.allSatisfy({ abs($0) <= 1e7 }), abs(m[0] * m[4] - m[1] * m[3]) > 1e-12
    else { throw OperatorError("affine", "\(m); give six numbers that do not flatten the picture") }
    for side in [size.width, size.height] where !(1...PixelSize.largestSide).contains(side) {
      throw OperatorError(
        "affine", "a side of \(side) pixels; give 1 to \(PixelSize.largestSide)")
    }
    target = .size(size)
    map = Map(a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5])
  }

  /// Rotated clockwise about the center and cropped to the largest rectangle of the same aspect
  /// ratio without an empty corner. Throws beyond ±45°; apply ``OrientFilter`` first for more.
  public init(straightenedBy degrees: Double) throws(OperatorError) {
    guard abs(degrees) <= 45 else {
      throw OperatorError("affine", "\(degrees)°; give -45 to 45 and turn by quarters before")
    }
    let angle = degrees * .pi / 180
    target = .rotation
    map = Map(a: cos(angle), b: sin(angle), c: 0, d: -sin(angle), e: cos(angle), f: 0)
  }

  /// `.affine`.
  public var operation: EditOperation { .affine }

  func isNeutral(on size: PixelSize) -> Bool {
    map.isIdentity && (target == .rotation || target == .size(size))
  }

  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize {
    guard size.width > 0, size.height > 0 else {
      throw OperatorError("affine", "the picture of \(size) has no pixel; give one that has")
    }
    guard target == .rotation, !map.isIdentity else {
      if case .size(let result) = target { return result }
      return size
    }
    let (w, h) = (Double(size.width), Double(size.height))
    let (c, s) = (map.a, abs(map.b))
    let scale = min(w / (w * c + h * s), h / (w * s + h * c))
    return PixelSize(width: max(Int(w * scale), 1), height: max(Int(h * scale), 1))
  }

  /// The map for a picture and a result of these sizes.
  private func map(from size: PixelSize, to result: PixelSize) -> Map {
    var map = map
    if target == .rotation {
      let (x, y) = (Double(result.width) / 2, Double(result.height) / 2)
      map.c = Double(size.width) / 2 - map.a * x - map.b * y
      map.f = Double(size.height) / 2 - map.d * x - map.e * y
    }
    return map
  }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    let result = try resultSize(of: source.size)
    let map = map(from: source.size, to: result)
    if isNeutral(on: source.size) { return source }
    if source is Image<DisplayReferred> { return stage(source, map, result) }
    return stage(CachedBlocks(source, limit: blocks(map, result)), map, result)
  }

  /// Blocks of the source that a band of the result reads, and as many again for the next, within
  /// about 256 MB.
  private func blocks(_ map: Map, _ result: PixelSize) -> Int {
    let block = CachedBlocks<DisplayReferred>.block
    let (width, height) = (Double(result.width), Double(AffineStage.band))
    func count(_ x: Double, _ y: Double, _ side: Int) -> Double {
      (abs(x) * width + abs(y) * height) / Double(side) + 2
    }
    let needed = count(map.a, map.b, block.width) * count(map.d, map.e, block.height)
    return Int(min(needed, 160))
  }

  private func stage(
    _ source: any PixelSource<DisplayReferred>, _ map: Map, _ size: PixelSize
  ) -> AffineStage {
    AffineStage(
      source: source, size: size, across: SIMD2(map.a, map.d), down: SIMD2(map.b, map.e),
      origin: SIMD2(map.c, map.f))
  }

  func moved(_ gains: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
  {
    let result = try resultSize(of: picture)
    var map = map(from: picture, to: result)
    // From the new map's position to the result's, to the picture's, to the old map's.
    let (x, y) = (
      Double(result.width) / Double(size.width), Double(result.height) / Double(size.height)
    )
    let (u, v) = (
      Double(gains.size.width) / Double(picture.width),
      Double(gains.size.height) / Double(picture.height)
    )
    map = Map(
      a: map.a * x * u, b: map.b * y * u, c: map.c * u, d: map.d * x * v, e: map.e * y * v,
      f: map.f * v)
    return try gains.replacing(by: stage(gains.asPicture(), map, size))
  }
}

private struct AffineStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let size: PixelSize
  let across: SIMD2<Double>
  let down: SIMD2<Double>
  let origin: SIMD2<Double>
  private let pool = BufferPool()

  init(
    source: any PixelSource<DisplayReferred>, size: PixelSize, across: SIMD2<Double>,
    down: SIMD2<Double>, origin: SIMD2<Double>
  ) {
    (self.source, self.size) = (source, size)
    (self.across, self.down, self.origin) = (across, down, origin)
  }

  /// Rows that are preferred in one read.
  static let band = 64

  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { Self.band }

  /// The position of the center of pixel x, y among the centers of the source's pixels.
  private func position(_ x: Int, _ y: Int) -> SIMD2<Double> {
    origin + across * (Double(x) + 0.5) + down * (Double(y) + 0.5) - 0.5
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    // In pieces, so that a rotated band does not read all rows between its ends.
    for piece in rect.tiles(width: 256, height: Self.band) {
      read(piece, of: rect, into: buffer)
    }
  }

  private func read(_ piece: PixelRect, of rect: PixelRect, into buffer: PlanarBuffer) {
    let corners = [
      position(piece.x, piece.y), position(piece.endX - 1, piece.y),
      position(piece.x, piece.endY - 1),
      position(piece.endX - 1, piece.endY - 1),
    ]
    let whole = PixelRect(source.size)
    func span(_ values: [Double], _ count: Int) -> Range<Int> {
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      let first = Int(max(low.rounded(.down) - 2, -4))
      let last = Int(min(high.rounded(.up) + 3, Double(count) + 4))
      let from = min(max(first, 0), count - 1)
      return from..<min(max(last, from) + 1, count)
    }
    let (wide, high) = (span(corners.map(\.x), whole.width), span(corners.map(\.y), whole.height))
    let needed = PixelRect(
      x: wide.lowerBound, y: high.lowerBound, width: wide.count, height: high.count)
    pool.withBuffer(needed.size) { pixels in
      source.read(needed, into: pixels)
      for y in piece.y..<piece.endY {
        for x in piece.x..<piece.endX {
          sample(pixels, position(x, y), needed, into: buffer, x - rect.x, y - rect.y)
        }
      }
    }
  }

  private func sample(
    _ pixels: PlanarBuffer, _ at: SIMD2<Double>, _ held: PixelRect, into buffer: PlanarBuffer,
    _ x: Int, _ y: Int
  ) {
    let (width, height) = (source.size.width, source.size.height)
    // A tiny fraction of a pixel outside is due to rounding.
    guard at.x > -0.5 - 1e-6, at.y > -0.5 - 1e-6, at.x < Double(width) - 0.5 + 1e-6,
      at.y < Double(height) - 0.5 + 1e-6
    else {
      for plane in 0..<3 { buffer.row(plane, y)[x] = 0 }
      return
    }
    let (left, top) = (Int(at.x.rounded(.down)), Int(at.y.rounded(.down)))
    let across = Self.weights(Float(at.x - Double(left)))
    let down = Self.weights(Float(at.y - Double(top)))
    func offset(_ j: Int) -> Int {
      (min(max(top - 1 + j, 0), height - 1) - held.y) * pixels.stride - held.x
    }
    let rows = SIMD4(offset(0), offset(1), offset(2), offset(3))
    let isInside = left >= 1 && left + 2 < width
    for plane in 0..<3 {
      let first = pixels.plane(plane)
      func line(_ j: Int) -> SIMD4<Float> {
        let row = first.from(rows[j])
        if isInside {
          return row.lanes4(left - 1)
        }
        var values = SIMD4<Float>()
        for i in 0..<4 { values[i] = row[min(max(left - 1 + i, 0), width - 1)] }
        return values
      }
      let (b, c) = (line(1), line(2))
      let (above, next, below) = (down.x * (line(0) - b), down.y * (c - b), down.z * (line(3) - b))
      let column: SIMD4<Float> = b + above + next + below
      let middle = column.y
      let value =
        middle + across.x * (column.x - middle) + across.y * (column.z - middle)
        + across.z * (column.w - middle)
      let least = min(min(b.y, b.z), min(c.y, c.z))
      let most = max(max(b.y, b.z), max(c.y, c.z))
      buffer.row(plane, y)[x] = min(max(value, least), most)
    }
  }

  /// Keys' weights of the first, third and fourth of four samples, at `t` after the second.
  private static func weights(_ t: Float) -> SIMD3<Float> {
    let u = 1 - t
    return SIMD3(-t * u * u / 2, t * (1 + t * (4 - 3 * t)) / 2, -t * t * u / 2)
  }
}
