import CKernels
import ImageCore

/// No curve: linear values 0…1 to code values 0…65535, clamped.
struct LinearEncoder: RowEncoder {
  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    unsafe ck_linearCodes(rows.kernel, codes, Int64(rows.count))
  }
}
