// Chroma at half the columns, and rows (4:2:0) or not (4:2:2). Sources: ITU-T H.273 (2021)
// figure 10 for the positions. Each sample is a weighted mean of the 3 × 3 full-resolution
// samples about the even position: per axis 1/4, 1/2, 1/4 where the sample is co-sited with a
// luma sample, 0, 1/2, 1/2 where it is between two. Both halve the response at half the sampling
// rate and pass a flat field unchanged.

import CKernels
import ImageCore

/// Positions of Cb and Cr samples relative to luma.
struct ChromaSiting: Sendable {
  /// chroma_sample_loc_type of H.265.
  let code: Int
  /// Weights of the columns before, at and after the even one.
  let horizontal: SIMD3<Float>
  /// Weights of the rows above, at and below the even one.
  let vertical: SIMD3<Float>
  /// Rows of luma for each of chroma: 2 in 4:2:0, 1 in 4:2:2.
  var rowStep = 2

  private static let on = SIMD3<Float>(0.25, 0.5, 0.25)
  private static let between = SIMD3<Float>(0, 0.5, 0.5)

  /// On the top left luma sample of each four: BT.2100.
  static let topLeft = ChromaSiting(code: 2, horizontal: on, vertical: on)
  /// On the left, between the rows: MPEG-2, and the default of H.265.
  static let left = ChromaSiting(code: 0, horizontal: on, vertical: between)
  /// In the middle of the four: JPEG (ITU-T T.871).
  static let center = ChromaSiting(code: 1, horizontal: between, vertical: between)
  /// 4:2:2: on the left sample of each pair, in every row.
  static let leftOfEachRow = ChromaSiting(
    code: 0, horizontal: on, vertical: SIMD3(0, 1, 0), rowStep: 1)

  /// The weighted mean of three rows, `count` samples from one before the first.
  func blend(
    _ above: MutableRowView, _ at: MutableRowView, _ below: MutableRowView, count: Int,
    into out: MutableRowView
  ) {
    unsafe ck_blendRows(
      Self.taps(vertical), above.start - 1, at.start - 1, below.start - 1, out.start - 1,
      Int64(count + 2))
  }

  /// Code values of every second sample of `row`; `count` of them.
  func decimate(
    _ row: MutableRowView, count: Int, _ conversion: YCbCrConversion, into out: CodeRowView
  ) {
    var kernel = conversion.kernel
    unsafe ck_decimateRow(
      &kernel, Self.taps(horizontal),
      row.kernel(2 * count, before: ck_decimateRow_before, behind: ck_decimateRow_behind),
      out.kernel(count), Int64(count))
  }

  private static func taps(_ weights: SIMD3<Float>) -> ck_taps {
    ck_taps(before: weights.x, at: weights.y, behind: weights.z)
  }
}
