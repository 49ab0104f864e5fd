import CPNG
package import ImageCore

/// Decodes PNG pixels by libpng; its handle lives for one call.
package enum PNGDecoder {
  /// Decodes the PNG in `file` of `columns` by `rows` pixels into rows of `rowBytes` bytes that are
  /// `stride` bytes apart: palettes applied, alpha after the colors of a pixel or dropped, 16 bits
  /// in native order. Stops at the next row once `clock` is over. Returns libpng's error message,
  /// or nil on success; where it `isTolerant`, the rows before the damage are decoded then.
  package static func read(
    _ file: UnsafeRawBufferPointer, columns: Int, rows: Int, rowBytes: Int, stride: Int,
    withAlpha: Bool = false, isTolerant: Bool = false, into target: UnsafeMutablePointer<UInt8>,
    clock: DecodeClock? = nil
  ) -> String? {
    var source = unsafe cpng_source()
    unsafe source.bytes = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe source.count = file.count
    unsafe source.is_tolerant = isTolerant ? 1 : 0
    let failed = unsafe withUnsafePointer(to: clock) { clock in
      unsafe source.context = UnsafeRawPointer(clock)
      unsafe source.is_over = {
        unsafe $0?.assumingMemoryBound(to: DecodeClock?.self).pointee?.isOver == true ? 1 : 0
      }
      return unsafe cpng_read(
        &source, UInt32(clamping: columns), UInt32(clamping: rows), rowBytes, stride,
        withAlpha ? 1 : 0, target)
    }
    guard failed != 0 else { return nil }
    return unsafe withUnsafeBytes(of: source.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
