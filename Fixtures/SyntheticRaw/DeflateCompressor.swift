internal import CLibDeflate

/// Deflate in a zlib wrapper, compression 8 of TIFF, by libdeflate. The one owner of its
/// compressor.
enum DeflateCompressor {
  /// `bytes` compressed; nil when the library fails.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    guard let compressor = unsafe libdeflate_alloc_compressor(6) else { return nil }
    defer { unsafe libdeflate_free_compressor(compressor) }
    let bound = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
    let out = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, used in
      used = unsafe libdeflate_zlib_compress(
        compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
    }
    return out.isEmpty ? nil : out
  }
}
