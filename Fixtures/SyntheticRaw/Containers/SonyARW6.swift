import Foundation
package import ImageCore

/// Sony's ARW 6 in one or more tiles, and what its description makes of the codes.
///
/// Of the 12-bit codes of the samples, less 2048, come four planes of half the size: the green
/// beside red L, raised by half the mean of the neighboring D; what the green beside blue differs
/// from its four diagonal neighbors, D; and half of what red and blue differ from the mean of both
/// greens. The first and the last two go through three levels of the reversible 5/3 wavelet. Then
/// magnitudes lose some bits, and rows are written in groups of four with their number of bits.
///
/// Here each row of a plane has its coordinate on the canvas, and a coefficient keeps that of the
/// value in whose place it stands; everything else follows from it: its kind from its parity, its
/// chunk from dividing it by 8. Source: the published description of the format (rawspeed).
package struct SonyARW6 {
  /// What an encoder may choose.
  package struct Options: Sendable {
    /// Tiles side by side and below each other.
    package var tiles = PixelSize(width: 1, height: 1)
    /// Bits that the magnitudes lose, for each region, and for the bands in it each one more or
    /// less.
    package var shifts = [0, 0, 0, 0, 0]
    /// The values of the codes.
    package var curve = SonyARW6.curve
  }

  /// Near the camera's curve.
  static let curve: [UInt16] = (0..<4096).map { code in
    let above = 761 + 1708 * exp(0.0015187 * Double(code - 2048))
    return code < 1430 ? UInt16(code) : UInt16(above.rounded())
  }

  private let raw: CameraContainer
  let options: Options
  /// The nearest code of each sample.
  private let codes: [Int]
  /// The samples that a reader gets.
  private(set) var decoded: [UInt16]
  /// The strip.
  private(set) var bytes: [UInt8] = []

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    (self.raw, options, decoded) = (raw, raw.arw6, raw.samples)
    codes = Self.codes(of: options.curve)
    let (across, down) = (options.tiles.width, options.tiles.height)
    let tile = PixelSize(width: raw.size.width / across, height: raw.size.height / down)
    try raw.require(
      tile.width % 16 == 0 && tile.height % 4 == 0 && tile.height >= 32
        && tile.width * across == raw.size.width && tile.height * down == raw.size.height,
      "tiles of 16 columns and 4 rows, and as many")
    var head = ByteStream(order: .little)
    head.append(UInt32(across * down))
    head.append(UInt32(0))
    var data: [UInt8] = []
    for index in 0..<across * down {
      let (x, y) = (index / down * tile.width, index % down * tile.height)
      head.append(UInt64(512 + data.count))
      for field in [x, y, tile.width, tile.height] { head.append(UInt32(field)) }
      data += write(tile, x, y, number: index)
    }
    bytes = head.bytes + [UInt8](repeating: 0, count: 512 - head.bytes.count) + data
  }

  /// Values of a plane, or coefficients in their places, by row of the canvas and column.
  struct Plane {
    let width: Int
    let rows: Range<Int>
    var values: [Int]

    init(width: Int, rows: Range<Int>) {
      (self.width, self.rows) = (width, rows)
      values = [Int](repeating: 0, count: width * rows.count)
    }

    subscript(x: Int, y: Int) -> Int {
      get { values[(y - rows.lowerBound) * width + x] }
      set { values[(y - rows.lowerBound) * width + x] = newValue }
    }

    /// The value at `x`, `y`, mirrored at the edge `h` places away.
    func mirrored(_ x: Int, _ y: Int, _ h: Int) -> Int {
      let column = x < 0 ? x + 2 * h : x >= width ? x - 2 * h : x
      let row = y < rows.lowerBound ? y + 2 * h : y >= rows.upperBound ? y - 2 * h : y
      return self[column, row]
    }

    /// One level between the places at multiples of `h`, in one direction: those at odd ones lose
    /// the mean of their neighbors, and the others gain half of that of theirs; or back.
    mutating func lift(_ h: Int, vertical: Bool, back: Bool) {
      let (dx, dy) = vertical ? (0, h) : (h, 0)
      for odd in back ? [0, 1] : [1, 0] {
        for y in rows where y % h == 0 && (!vertical || y / h % 2 == odd) {
          for x in stride(from: 0, to: width, by: h) where vertical || x / h % 2 == odd {
            let sum = mirrored(x - dx, y - dy, h) + mirrored(x + dx, y + dy, h)
            let change = odd == 1 ? -(sum >> 1) : (sum + 2) >> 2
            self[x, y] += back ? -change : change
          }
        }
      }
    }

    /// Three levels: rows, then columns of each; or back.
    mutating func transform(back: Bool) {
      for h in back ? [4, 2, 1] : [1, 2, 4] {
        lift(h, vertical: back, back: back)
        lift(h, vertical: !back, back: back)
      }
    }
  }

  /// Writes the tile of `size` at `left`, `top`, and what a reader makes of it.
  private mutating func write(_ size: PixelSize, _ left: Int, _ top: Int, number: Int) -> [UInt8] {
    let (width, height) = (size.width / 2, size.height / 2)
    let first = (6...).first { (height + 2 * $0) % 16 == 8 } ?? 6
    let rows = first..<first + height
    func code(_ x: Int, _ y: Int) -> Int {
      codes[Int(raw.samples[(top + y) * raw.size.width + left + x])] - 2048
    }
    var greens = Plane(width: width, rows: rows)
    var others = greens
    var (low, red, blue, differences) = (greens, greens, greens, greens)
    for y in 0..<height {
      for x in 0..<width {
        let (beside, other) = (code(2 * x + 1, 2 * y), code(2 * x, 2 * y + 1))
        (greens[x, first + y], others[x, first + y]) = (beside, other)
        red[x, first + y] = (code(2 * x, 2 * y) - (beside + other) >> 1) >> 1
        blue[x, first + y] = (code(2 * x + 1, 2 * y + 1) - (beside + other) >> 1) >> 1
      }
    }
    for y in rows {
      for x in 0..<width { differences[x, y] = others[x, y] - Self.around(greens, x, y, -1, 1) }
    }
    var parts = [[[UInt8]]](repeating: [], count: 5)
    parts[4] = [component(&differences, region: 4)]
    for y in rows {
      for x in 0..<width {
        low[x, y] = (2 * greens[x, y] + Self.around(differences, x, y, 1, -1) + 1) >> 1
      }
    }
    for index in 0..<3 {
      var plane = [low, red, blue][index]
      plane.transform(back: false)
      for region in 0..<4 { parts[region].append(component(&plane, region: region)) }
      plane.transform(back: true)
      switch index {
      case 0: low = plane
      case 1: red = plane
      default: blue = plane
      }
    }
    for y in rows {
      for x in 0..<width {
        greens[x, y] = (2 * low[x, y] - Self.around(differences, x, y, 1, -1)) >> 1
      }
    }
    func put(_ x: Int, _ y: Int, _ code: Int) {
      decoded[(top + y) * raw.size.width + left + x] = options.curve[Self.limited(code)]
    }
    for y in rows {
      for x in 0..<width {
        let other = Self.limited(differences[x, y] + Self.around(greens, x, y, -1, 1) + 2048)
        let beside = Self.limited(greens[x, y] + 2048)
        let mean = (other + beside) >> 1
        put(2 * x, 2 * (y - first), mean + 2 * red[x, y])
        put(2 * x + 1, 2 * (y - first), beside)
        put(2 * x, 2 * (y - first) + 1, other)
        put(2 * x + 1, 2 * (y - first) + 1, mean + 2 * blue[x, y])
      }
    }
    return tile(size, parts, number: number)
  }

  /// A quarter of the four values at `x`, `y` and the places beside and below, those outside being
  /// the ones at the edge.
  private static func around(_ plane: Plane, _ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Int {
    let column = min(max(x + dx, 0), plane.width - 1)
    let row = min(max(y + dy, plane.rows.lowerBound), plane.rows.upperBound - 1)
    return (plane[x, y] + plane[column, y] + plane[x, row] + plane[column, row]) >> 2
  }

  private static func limited(_ code: Int) -> Int { min(max(code, 0), 4095) }

  private static func codes(of curve: [UInt16]) -> [Int] {
    var code = 0
    return (0...65_535).map { sample in
      while code < 4095, Int(curve[code + 1]) - sample <= sample - Int(curve[code]) { code += 1 }
      return code
    }
  }
}
