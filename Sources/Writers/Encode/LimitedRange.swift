// Signal 0…1 placed in the limited ("video", "narrow") range of code values.
// Source: ITU-T H.273 (2021) equations 20–25: luma 16…235, chroma 16…240 of 8 bits, and these times
// 2^(n−8) of n bits. Luma is a weighted mean of the three channels, so an affine map of the
// channels is the same map of luma; what chroma lacks then is the factor 224/219
// (``YCbCrConversion/chromaScale``).

import ImageCore

/// A signal whose 0 and 1 become code values 16 and 235 of the full scale.
struct LimitedRange: RowSignal {
  /// The signal of the full range.
  let base: any RowSignal
  private let scale: Float
  private let offset: Float
  /// Codes of chroma for each of luma.
  static let chromaScale: Float = 224.0 / 219

  init(_ base: any RowSignal, bits: Int) {
    self.base = base
    let step = Float(1 << (bits - 8))
    let top = Float((1 << bits) - 1)
    (scale, offset) = (219 * step / top, 16 * step / top)
  }

  func encode(_ rows: RGBRows) {
    base.encode(rows)
    for i in vectors(rows.count) {
      rows.setLanes(i, rows.lanes(i).map { $0 * scale + offset })
    }
  }
}
