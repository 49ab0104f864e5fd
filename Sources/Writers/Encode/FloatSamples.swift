import CKernels
import Formats
import ImageCore

/// Linear values as the floating-point samples of files, little-endian.
///
/// Half precision is rounded to nearest, ties to even (IEEE 754-2019, binary16). No file gets what
/// programs choke on: NaN becomes 0, and what a sample cannot hold, infinities included, its
/// largest finite value, 65504 in half precision. Known failure: on CPUs of the other byte order.
struct FloatSamples: Sendable {
  let depth: FloatDepth

  /// Bytes of a sample.
  var bytes: Int { depth.rawValue / 8 }

  /// Writes the samples of `row` side by side.
  func store(_ row: MutableRowView, into out: UnsafeMutableRawPointer) {
    unsafe store(row.start, count: row.count, into: out)
  }

  func store(_ row: UnsafePointer<Float>, count: Int, into out: UnsafeMutableRawPointer) {
    let count = Int64(count)
    switch depth {
    case .half: unsafe ck_halfRow(row, out.assumingMemoryBound(to: UInt16.self), count)
    case .float: unsafe ck_finiteRow(row, out.assumingMemoryBound(to: Float.self), count)
    }
  }

  /// Writes red, green and blue of each pixel side by side; `rows` are overwritten.
  func interleave(_ rows: RGBRows, into out: UnsafeMutableRawPointer) {
    let count = Int64(rows.count)
    switch depth {
    case .half: unsafe ck_halfPixels(rows.kernel, out.assumingMemoryBound(to: UInt16.self), count)
    case .float:
      let values = unsafe out.assumingMemoryBound(to: Float.self)
      for plane in 0..<3 { unsafe ck_finiteRow(rows[plane].start, rows[plane].start, count) }
      for x in 0..<rows.count {
        unsafe values[3 &* x] = rows.red[x]
        unsafe values[3 &* x &+ 1] = rows.green[x]
        unsafe values[3 &* x &+ 2] = rows.blue[x]
      }
    }
  }
}
