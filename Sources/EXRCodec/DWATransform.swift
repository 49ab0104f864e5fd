import Foundation

/// The lossy part of OpenEXR's DWA for R, G and B: lines of pixels → quantized coefficients.
///
/// Source: `ImfDwaCompressor.cpp` of OpenEXR, by DreamWorks Animation, which describes the format.
/// Values become halves and are curved: v to the power of 1/2.2 up to 1, 1 + ln v ÷ 2.2 above, with
/// their sign. Blocks of 8 × 8, mirrored at the edges, are transformed to Y′CbCr of BT.709 and by
/// the orthonormal DCT. A coefficient becomes the half with most zeros at its end among those less
/// than level ÷ 100 000 × q away, where q is the table of JPEG (ITU-T T.81, K.1 and K.2) over its
/// smallest entry: such halves are few and have short codes. They are stored in the order of JPEG's
/// zigzag, the first separately from the others; 0xFF00 stands for zeros up to the end of the
/// block, 0xFFnn for nn of them.
struct DWATransform: Sendable {
  /// Maximum words of the coefficients of a block of three channels.
  static let maxWords = 3 * side * side
  static let side = 8

  private let isHalf: Bool
  /// Of a line: three, or four whose first one is no color.
  private let channels: Int
  /// What a coefficient may be off, for Y and for Cb and Cr; in each vector rows of one column.
  private let tolerance: [[SIMD8<Float>]]

  init(level: Float, isHalf: Bool, channels: Int) {
    (self.isHalf, self.channels) = (isHalf, channels)
    tolerance = [(Self.luma, Float(10)), (Self.chroma, 17)].map { table, smallest in
      (0..<8).map { column in
        var entries = SIMD8<Float>()
        for row in 0..<8 { entries[row] = level / 100_000 * table[8 * row + column] / smallest }
        return entries
      }
    }
  }

  /// Blocks of `width` × `height` pixels.
  static func blocks(_ width: Int, _ height: Int) -> Int {
    (width + side - 1) / side * ((height + side - 1) / side)
  }

  /// Blocks of `byteCount` bytes of lines.
  func blocks(_ byteCount: Int, width: Int) -> Int {
    Self.blocks(width, height(byteCount, width: width))
  }

  private func height(_ byteCount: Int, width: Int) -> Int {
    byteCount / (channels * width * (isHalf ? 2 : 4))
  }

  /// Transforms lines in the order of a chunk, of each all B, then G, then R, after the other
  /// channels. `out`, which takes ``maxWords`` for each block, gets the first coefficients, for Y,
  /// for Cb, for Cr, then the others. Returns the number of words.
  func transform(
    _ lines: UnsafeRawBufferPointer, width: Int, into out: UnsafeMutableBufferPointer<UInt16>
  ) -> Int {
    let lineBytes = width * (isHalf ? 2 : 4)
    let height = height(lines.count, width: width)
    guard let base = lines.baseAddress, let out = out.baseAddress, height > 0 else {
      return 0
    }
    let blocks = Self.blocks(width, height)
    var (block, used) = (0, 3 * blocks)
    var words = [UInt16](repeating: 0, count: 64)
    let zigzag = Self.zigzag
    unsafe Self.curve.withUnsafeBufferPointer { curve in
      unsafe words.withUnsafeMutableBufferPointer { words in
        for top in stride(from: 0, to: height, by: Self.side) {
          for left in stride(from: 0, to: width, by: Self.side) {
            /// The block of the channel at this index in a line.
            func load(_ channel: Int) -> DWABlock {
              var values = DWABlock(repeating: SIMD8())
              for row in 0..<8 {
                let line = channels * Self.mirrored(top + row, height) + channels - 3 + channel
                values[row] = unsafe curved(base + line * lineBytes, left, width, curve)
              }
              return values
            }
            let (blue, green, red) = (load(0), load(1), load(2))
            for channel in 0..<3 {
              let m = Self.toLuma[channel]
              var values = DWABlock(repeating: SIMD8())
              for row in 0..<8 {
                values[row] = m.x * red[row] + m.y * green[row] + m.z * blue[row]
              }
              values.transform()
              values.transpose()
              values.transform()
              for column in 0..<8 {
                let limit = tolerance[min(channel, 1)][column]
                let halves = Self.quantized(values[column], limit)
                for row in 0..<8 { unsafe words[8 * column + row] = halves[row] }
              }
              unsafe out[channel * blocks + block] = unsafe words[0].littleEndian
              used = unsafe Self.shorten(UnsafeBufferPointer(words), zigzag, out, used)
            }
            block += 1
          }
        }
      }
    }
    return used
  }

  /// Index of a line or column outside `count`, mirrored.
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    index < count ? index : max(2 * count - 1 - index, 0)
  }

  /// Eight pixels from column `left` of a line.
  @inline(__always)
  private func curved(
    _ line: UnsafeRawPointer, _ left: Int, _ width: Int, _ curve: UnsafeBufferPointer<Float>
  ) -> SIMD8<Float> {
    var halves = SIMD8<UInt16>()
    if isHalf {
      for i in 0..<8 {
        let x = Self.mirrored(left + i, width)
        halves[i] = unsafe line.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)
      }
    } else {
      var values = SIMD8<Float>()
      for i in 0..<8 {
        let x = Self.mirrored(left + i, width)
        values[i] = unsafe line.loadUnaligned(fromByteOffset: 4 * x, as: Float.self)
      }
      halves = Self.halves(values)
    }
    var curved = SIMD8<Float>()
    for i in 0..<8 { curved[i] = unsafe curve[Int(halves[i])] }
    return curved
  }

  /// The coefficients as halves: the one with most zeros at its end between `limit` below and above
  /// the nearest, or 0. Of two integers the common leading bits, a one and zeros: the number up to
  /// the greater that is divisible by the highest power of two.
  @inline(__always)
  private static func quantized(_ values: SIMD8<Float>, _ limit: SIMD8<Float>) -> SIMD8<UInt16> {
    let bits = unsafe unsafeBitCast(values, to: SIMD8<UInt32>.self)
    let sign = (bits &>> 16) & 0x8000
    let magnitude = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD8<Float>.self)
    let nearest = codes(magnitude, half: 0xFFF, odd: 1)
    let above = codes(magnitude + limit, half: 0, odd: 0)
    let beneath = (magnitude - limit).replacing(with: 0, where: magnitude .< limit)
    let below = codes(beneath, half: 0, odd: 0)
    let upper = above.replacing(with: nearest, where: above .< nearest)
    let minimum = nearest &- 1
    let lower = below.replacing(with: minimum, where: below .> minimum)
    var different = upper ^ lower
    different |= different &>> 1
    different |= different &>> 2
    different |= different &>> 4
    different |= different &>> 8
    let shortest = upper & ~(different &>> 1)
    let isZero = (magnitude .< limit) .| (nearest .== 0)
    return SIMD8<UInt16>(truncatingIfNeeded: (shortest | sign).replacing(with: 0, where: isZero))
  }

  /// Halves of magnitudes: rounded down, or with `half` 0xFFF and `odd` 1 to the nearest.
  @inline(__always)
  private static func codes(
    _ magnitude: SIMD8<Float>, half: UInt32, odd: UInt32
  ) -> SIMD8<UInt32> {
    let limit = SIMD8<Float>(repeating: 65504)
    let values = magnitude.replacing(with: limit, where: magnitude .> limit)
    let bits = unsafe unsafeBitCast(values, to: SIMD8<UInt32>.self)
    let normal = (bits &- (112 << 23) &+ half &+ ((bits &>> 13) & odd)) &>> 13
    // Below 2^-14 a half counts 2^-24: the last bit of a float from 0.5 to 1.
    let tiny = unsafe unsafeBitCast(values + 0.5, to: SIMD8<UInt32>.self) &- 0x3F00_0000
    return normal.replacing(with: tiny, where: values .< 0x1p-14)
  }

  /// The nearest halves; greater values become the largest one.
  @inline(__always)
  private static func halves(_ values: SIMD8<Float>) -> SIMD8<UInt16> {
    let bits = unsafe unsafeBitCast(values, to: SIMD8<UInt32>.self)
    let magnitude = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD8<Float>.self)
    return SIMD8<UInt16>(
      truncatingIfNeeded: codes(magnitude, half: 0xFFF, odd: 1) | ((bits &>> 16) & 0x8000))
  }

  /// Appends the words of a block after its first to `out`, of which `used` are set.
  @inline(__always)
  private static func shorten(
    _ words: UnsafeBufferPointer<UInt16>, _ zigzag: [Int], _ out: UnsafeMutablePointer<UInt16>,
    _ used: Int
  ) -> Int {
    var (used, zeros) = (used, 0)
    for at in zigzag {
      let word = unsafe words[at]
      if word == 0 {
        zeros += 1
        continue
      }
      if zeros > 0 {
        unsafe out[used] = (zeros == 1 ? 0 : 0xFF00 | UInt16(zeros)).littleEndian
        used += 1
        zeros = 0
      }
      unsafe out[used] = word.littleEndian
      used += 1
    }
    if zeros > 0 {
      unsafe out[used] = (zeros == 1 ? 0 : UInt16(0xFF00)).littleEndian
      used += 1
    }
    return used
  }
}

extension DWATransform {
  /// Curved values by the bits of halves; 0 for NaN and infinities.
  private static let curve: [Float] = (0..<1 << 16).map { bits in
    let value = Float(Float16(bitPattern: UInt16(bits)))
    guard value.isFinite, value != 0 else { return 0 }
    let magnitude = abs(value)
    let curved = magnitude <= 1 ? pow(magnitude, 1 / 2.2) : log(magnitude) / 2.2 + 1
    return Float(Float16(value < 0 ? -curved : curved))
  }

  /// Y, Cb and Cr of red, green and blue.
  private static let toLuma: [SIMD3<Float>] = [
    [0.2126, 0.7152, 0.0722], [-0.1146, -0.3854, 0.5], [0.5, -0.4542, -0.0458],
  ]

  /// Indices of a block's coefficients except the first, which are stored column by column.
  static let zigzag: [Int] = (1..<15).flatMap { diagonal in
    let rows = max(0, diagonal - 7)...min(diagonal, 7)
    let upward = diagonal % 2 == 0
    return (upward ? rows.reversed() : Array(rows)).map { row in 8 * (diagonal - row) + row }
  }

  private static let luma: [Float] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]
  private static let chroma: [Float] =
    [
      17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
      24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    ] + [Float](repeating: 99, count: 32)
}
