// Non-linear RGB to luma and chroma, full range. Source: ITU-R BT.2100-2 table 6
// (non-constant luminance) and ITU-R BT.601-7; quantization of ITU-T H.273 (2021) equations 35–37:
// code = round((2^n - 1) E), chroma around 2^(n-1), ties to even, clamped to 0…2^n - 1 (fully
// saturated chroma would exceed it by half a code value).

import CKernels
import ImageCore

/// Weights of red and blue in luma.
struct YCbCrMatrix: Sendable {
  let red: Float
  let blue: Float

  /// ITU-R BT.2020 and BT.2100.
  static let bt2020 = YCbCrMatrix(red: 0.2627, blue: 0.0593)
  /// ITU-R BT.601, the matrix of JPEG and of Display P3 pictures.
  static let bt601 = YCbCrMatrix(red: 0.299, blue: 0.114)
  /// ITU-R BT.709.
  static let bt709 = YCbCrMatrix(red: 0.2126, blue: 0.0722)
}

/// Rows of signal to rows of code values of `bits` bits.
struct YCbCrConversion: Sendable {
  let matrix: YCbCrMatrix
  /// Code value of signal 1.0.
  let top: Float
  /// Code value of neutral chroma.
  let middle: Float
  /// Left shift that puts 8-bit code values into the upper half of 16-bit words.
  let shift: UInt16
  /// Codes of chroma for each of luma; above 1 in limited range (``LimitedRange``).
  var chromaScale: Float = 1

  init(matrix: YCbCrMatrix, bits: Int) {
    self.matrix = matrix
    top = Float((1 << bits) - 1)
    middle = Float(1 << (bits - 1))
    shift = bits == 8 ? 8 : 0
  }

  /// Writes `count` values in units of code values, rounded and clamped.
  func codes(_ values: MutableRowView, count: Int, into out: CodeRowView) {
    var kernel = kernel
    unsafe ck_wordsRow(&kernel, values.start, out.start, Int64(count))
  }

  /// Writes the code values of luma and replaces green and blue by Cb and Cr in units of code
  /// values, not rounded, offset by `middle`.
  func convert(_ rows: RGBRows, luma: CodeRowView?) {
    var kernel = kernel
    unsafe ck_ycbcrRow(&kernel, rows.kernel, luma?.start, Int64(rows.count))
  }

  /// The conversion as its loops take it.
  var kernel: ck_ycbcr {
    let (kr, kb) = (matrix.red * top, matrix.blue * top)
    return ck_ycbcr(
      luma: ck_threeValues(SIMD3(kr, top - kr - kb, kb)),
      toCb: chromaScale / (2 * (1 - matrix.blue)), toCr: chromaScale / (2 * (1 - matrix.red)),
      top: top, middle: middle, shift: shift)
  }
}
