import Foundation

/// Coefficients of DWA → samples: the way back of ``DWATransform``, whose comment has the source
/// and the formulas. The three of one prefix are Y′CbCr of BT.709, others themselves.
struct DWABlocks {
  private static let side = DWATransform.side
  /// Zeros to the end of a block; with a count in the lower half, that many zeros.
  private static let zeros: UInt16 = 0xFF00

  private let first, rest: [UInt16]
  private var firstAt = 0
  private var restAt = 0

  /// The first coefficients of blocks, and the others.
  init(first: [UInt16], rest: [UInt16]) { (self.first, self.rest) = (first, rest) }

  /// Decodes one plane, or the three of R, G and B, into `out`; false where there are too few
  /// coefficients.
  mutating func decode(_ planes: [DWAUnpacker.Plane], into out: inout [UInt8]) -> Bool {
    let (width, height) = (planes[0].width, planes[0].height)
    let count = DWATransform.blocks(width, height)
    var block = 0
    var values = [DWABlock](repeating: DWABlock(repeating: SIMD8()), count: planes.count)
    for top in stride(from: 0, to: height, by: Self.side) {
      for left in stride(from: 0, to: width, by: Self.side) {
        for channel in planes.indices {
          guard let coded = next(firstAt + channel * count + block) else { return false }
          values[channel] = coded
          values[channel].transformBack()
          values[channel].transpose()
          values[channel].transformBack()
        }
        if planes.count == 3 {
          for row in 0..<Self.side {
            let (y, cb, cr) = (values[0][row], values[1][row], values[2][row])
            values[0][row] = y + 1.5747 * cr
            values[1][row] = y - 0.1873 * cb - 0.4682 * cr
            values[2][row] = y + 1.8556 * cb
          }
        }
        for (channel, plane) in planes.enumerated() {
          for row in 0..<min(Self.side, height - top) {
            let at = plane.start + ((top + row) * width + left) * plane.sample.bytes
            Self.store(
              values[channel][row], min(Self.side, width - left), plane, at, &out)
          }
        }
        block += 1
      }
    }
    firstAt += planes.count * count
    return true
  }

  /// The coefficients of the next block, columns of rows, whose first one is at index `first`.
  private mutating func next(_ first: Int) -> DWABlock? {
    var block = DWABlock(repeating: SIMD8())
    guard first < self.first.count else { return nil }
    block[0][0] = Self.value(self.first[first])
    var index = 1
    while index < 64 {
      guard restAt < rest.count else { return nil }
      let word = rest[restAt]
      restAt += 1
      if word & Self.zeros == Self.zeros {
        let run = Int(word & 0xFF)
        index = run == 0 ? 64 : index + run
      } else {
        let position = DWATransform.zigzag[index - 1]
        block[position / 8][position % 8] = Self.value(word)
        index += 1
      }
    }
    return block
  }

  private static func value(_ half: UInt16) -> Float { Float(Float16(bitPattern: half)) }

  /// Stores the first `count` of eight values of a row at byte `at`.
  private static func store(
    _ values: SIMD8<Float>, _ count: Int, _ plane: DWAUnpacker.Plane, _ at: Int,
    _ out: inout [UInt8]
  ) {
    let halves = SIMD8<Float16>(values)
    for column in 0..<count {
      let bits = halves[column].bitPattern
      let half = plane.isLinear ? bits : linear[Int(bits)]
      let sample =
        plane.sample == .half ? UInt32(half) : Float(Float16(bitPattern: half)).bitPattern
      for byte in 0..<plane.sample.bytes {
        out[at + column * plane.sample.bytes + byte] = UInt8(
          truncatingIfNeeded: sample >> UInt32(8 * byte))
      }
    }
  }

  /// Linear halves by their curved ones; 0 for NaN and infinities.
  private static let linear: [UInt16] = (0..<1 << 16).map { bits in
    let curved = Float(Float16(bitPattern: UInt16(bits)))
    guard curved.isFinite, curved != 0 else { return 0 }
    let magnitude = abs(curved)
    let value = magnitude <= 1 ? pow(magnitude, 2.2) : exp(2.2 * (magnitude - 1))
    return Float16(curved < 0 ? -value : value).bitPattern
  }
}
