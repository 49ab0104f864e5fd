import CPNG

/// Pixels of a PNG by libpng, whose handle is owned for the time of a call.
package enum PNGDecoder {
  /// Decodes the PNG in `file` of `columns` by `rows` pixels into rows of `rowBytes` bytes that
  /// stand `stride` bytes apart: palettes looked up, alpha dropped, 16 bits in native order. What
  /// libpng finds wrong, in its own words; nil when all is well.
  package static func read(
    _ file: UnsafeRawBufferPointer, columns: Int, rows: Int, rowBytes: Int, stride: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) -> String? {
    var source = unsafe cpng_source()
    unsafe source.bytes = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe source.count = file.count
    let failed = unsafe cpng_read(
      &source, UInt32(clamping: columns), UInt32(clamping: rows), rowBytes, stride, target)
    guard failed != 0 else { return nil }
    return unsafe withUnsafeBytes(of: source.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
