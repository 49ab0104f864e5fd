import CKernels
import ImageCore
import RawDecode

/// ``HueSatTable`` on rows of pixels: the same formulas, eight pixels at a time.
struct HueSatMapping: Sendable {
  private let table: [Float]
  private let sizes: SIMD3<Int32>
  private let isEncoded: Bool
  private let isCompressed: Bool

  /// nil for a neutral table. `isHighRange`: the profile is for HDR.
  init?(_ table: HueSatTable?, isHighRange: Bool) {
    guard let table, !table.isNeutral else { return nil }
    self.table = table.entries.flatMap { [$0.x * (6 / 360), $0.y, $0.z, 0] }
    sizes = SIMD3(Int32(table.saturations), Int32(table.hues), Int32(table.values))
    isEncoded = table.isEncoded
    isCompressed = isHighRange && table.values > 1
  }

  /// Maps each pixel of `rows` and multiplies it by `scale`.
  func apply(_ rows: RGBRows, scale: Float) {
    table.withUnsafeBufferPointer { table in
      var map = ck_hueSat(
        table: table.baseAddress, saturations: sizes.x, hues: sizes.y, values: sizes.z,
        linearEnd: Float(SRGB.linearEnd), signalEnd: Float(SRGB.signalEnd),
        slope: Float(SRGB.slope), scale: Float(SRGB.scale), offset: Float(SRGB.offset),
        exponent: Float(SRGB.exponent), isEncoded: isEncoded, isCompressed: isCompressed)
      ck_hueSatRow(&map, scale, rows.kernel, Int64(rows.count))
    }
  }
}
