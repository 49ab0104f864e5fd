import Containers
import ImageCore

/// Samsung's compression of the NX1 and NX500 (TIFF compression 32773): rows start at multiples of
/// 16 bytes and consist of blocks of 16 samples, first the eight greens, then the others.
///
/// Each block contains
/// * at each fourth block, 2 bits that keep the scale s, subtract 2, add 2, or are followed by its
///   12 bits (unless the options disable scaling);
/// * a bit that keeps the prediction mode, or 0 and its 3 bits (in the simple form one bit: 0 for
///   7, 1 for 3);
/// * a bit that is set if all differences are 0, unless the options exclude that;
/// * for each of the four groups of four samples 2 bits: the number of bits of a difference is that
///   of the group in the previous block, one more, one less, or given by the following 4 bits;
/// * the differences d in two's complement. A sample is its prediction + d (2 s + 1) + s.
///
/// Mode 7 predicts from the last sample of the same column parity in the previous block, at the
/// left edge from a value of the header. The others predict greens from the row above, diagonally,
/// and red and blue from two rows above, shifted by −4, −2, −2, 0, 0, 2, 4 columns; 2 and 4 use the
/// mean of that sample and the one two columns further.
///
/// Source: published descriptions of the format (dcraw's samsung3, rawspeed's SamsungV2, which
/// follows the code published by Samsung for its DNG converter). They differ in the bit for zero
/// differences: dcraw keeps the bit counts of the previous block. This decoder follows rawspeed:
/// the previous block may belong to another row, and does not exist in the first.
///
/// Domain: 12 or 14 bits, rows of a multiple of 16 samples. Input that no encoder produces is
/// damage: bits beyond the end, predictions from outside the picture or in the first two rows,
/// differences with more bits than samples, and, for lossless files, samples out of range.
struct SamsungBlockDecoder {
  /// Samples in a block.
  static let width = 16
  private static let headerBytes = 16

  let size: PixelSize
  private let stream: ByteView
  private let sampleBits: Int
  /// The prediction of the first block of a row.
  private let first: Int
  private let isScaled: Bool
  private let hasSimpleModes: Bool
  /// Whether all blocks have differences, without a bit for zero differences.
  private let hasAllDifferences: Bool

  /// The picture in `stream`; nil if its header is invalid. `stream` must outlive it.
  init?(_ stream: ByteView) {
    guard stream.count >= Self.headerBytes else { return nil }
    let words = (0..<4).map { Int(UInt32(littleEndian: stream.load(UInt32.self, at: 4 * $0))) }
    let bits = (words[0] >> 8 & 15) + 1
    let options = words[2] >> 8 & 15
    size = PixelSize(width: words[1] >> 16, height: words[1] & 0xFFFF)
    guard bits == 12 || bits == 14, options < 8, size.width > 0, size.height > 0,
      size.width % Self.width == 0
    else { return nil }
    self.stream = stream
    sampleBits = bits
    first = words[3] & 0x3FFF
    hasAllDifferences = options & 1 != 0
    hasSimpleModes = options & 2 != 0
    isScaled = options & 4 == 0
  }

  /// Passes each row to `body` until that returns false. False if the picture is damaged or was not
  /// read completely.
  func decode(_ body: (_ y: Int, _ row: CodeRowView) -> Bool) -> Bool {
    let memory = RowMemory<UInt16>(count: 3 * size.width)
    func row(_ y: Int) -> CodeRowView { memory.row.from((y + 3) % 3 * size.width) }
    var start = Self.headerBytes
    for y in 0..<size.height {
      var bits = SamsungBits(stream, at: start)
      guard decode(row(y), row(y - 1), row(y - 2), y, from: &bits), !bits.isPastEnd,
        body(y, row(y))
      else { return false }
      start += (bits.used + 15) / 16 * 16
    }
    return true
  }

  /// Decodes `row`, row `y`, predicted from itself, from the row `above` or the row `beyond` it.
  /// False if it is damaged.
  private func decode(
    _ row: CodeRowView, _ above: CodeRowView, _ beyond: CodeRowView, _ y: Int,
    from bits: inout SamsungBits
  ) -> Bool {
    let shifts: InlineArray<7, Int> = [-4, -2, -2, 0, 0, 2, 4]
    let maximum = 1 << sampleBits - 1
    let parity = y & 1
    var (mode, scale) = (7, 0)
    var lengths = SIMD4(repeating: y < 2 ? 7 : 4)
    for left in stride(from: 0, to: size.width, by: Self.width) {
      if isScaled, left % 64 == 0 {
        switch bits.bits(2) {
        case 0: break
        case 1: scale -= 2
        case 2: scale += 2
        default: scale = bits.bits(12)
        }
      }
      if hasSimpleModes {
        mode = bits.bits(1) == 0 ? 7 : 3
      } else if bits.bits(1) == 0 {
        mode = bits.bits(3)
      }
      let hasDifferences = hasAllDifferences || bits.bits(1) == 0
      if hasDifferences {
        let changes = bits.bits(8)
        for group in 0..<4 {
          switch changes >> (6 - 2 * group) & 3 {
          case 0: break
          case 1: lengths[group] += 1
          case 2: lengths[group] -= 1
          default: lengths[group] = bits.bits(4)
          }
        }
      }
      let isBeside = mode == 7
      let shift = isBeside ? 0 : shifts[mode]
      let step = mode == 2 || mode == 4 ? 2 : 0
      guard scale >= 0, lengths.min() >= 0, lengths.max() <= sampleBits + 1,
        isBeside || y >= 2 && left + shift >= 0 && left + 15 + shift + step < size.width
      else { return false }
      let factor = 2 * scale + 1
      for half in 0..<2 {
        let column = left + (half ^ parity)
        let base = left > 0 ? Int(row[left - 2 + column & 1]) : first
        let source = half == 0 ? above : beyond
        let move = shift + (half == 0 ? 1 - 2 * parity : 0)
        for i in 0..<8 {
          let x = column &+ 2 &* i
          let prediction =
            isBeside
            ? base : (Int(source[x &+ move]) &+ Int(source[x &+ move &+ step]) &+ 1) &>> 1
          let difference = hasDifferences ? bits.signed(lengths[2 &* half &+ i &>> 2]) : 0
          let value = prediction &+ difference &* factor &+ scale
          let sample = min(max(value, 0), maximum)
          guard sample == value || scale > 0 else { return false }
          row[x] = UInt16(truncatingIfNeeded: sample)
        }
      }
    }
    return true
  }
}
