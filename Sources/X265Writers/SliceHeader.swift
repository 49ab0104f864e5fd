/// The one bit of an intra picture that libx265 varies with the number of pictures coded before:
/// slice_loop_filter_across_slices_enabled_flag (ITU-T H.265 section 7.3.6.1), which has no effect
/// in a picture of one slice. It is always set, so that a tile has the same bytes whichever thread
/// coded it.
enum SliceHeader {
  /// Sets the flag in the first unit of `bytes`: a length of four bytes, a header of two, and a
  /// slice header of first-slice flag, prior-pictures flag, parameter set 0 (`1`), intra (`011`),
  /// quantizer difference to 26 and the flag, closed by a 1 and zeros up to the next byte. A header
  /// of any other form stays as it is.
  static func settle(_ bytes: inout [UInt8], quantizer: Int) {
    let start = 6
    guard bytes.count > start + 4, bytes[start] & 0b1011_1100 == 0b1010_1100 else { return }
    let difference = quantizer - 26
    let code = difference > 0 ? 2 * difference - 1 : -2 * difference
    let length = 2 * (Int.bitWidth - 1 - (code + 1).leadingZeroBitCount) + 1
    let flag = 6 + length
    let end = (flag + 2 + 7) / 8 * 8
    guard bit(bytes, start, flag + 1), !(flag + 2..<end).contains(where: { bit(bytes, start, $0) })
    else { return }
    bytes[start + flag / 8] |= 0x80 >> UInt8(flag % 8)
  }

  private static func bit(_ bytes: [UInt8], _ start: Int, _ index: Int) -> Bool {
    bytes[start + index / 8] & (0x80 >> UInt8(index % 8)) != 0
  }
}
