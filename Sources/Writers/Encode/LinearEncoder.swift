import CVector
import ImageCore

/// No curve: linear values 0…1 to code values 0…65535, clamped.
struct LinearEncoder: RowEncoder {
  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    unsafe rows.interleave(into: codes) { cv_code8(cv_clamp8($0, zero, one) * 65_535) }
  }
}
