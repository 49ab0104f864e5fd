import CZstd

/// Zstandard frames (TIFF compression 50000), by libzstd.
package enum ZstandardStream {
  /// Decompresses frames of known length into `target`; the bytes written, nil when they are
  /// damaged or longer.
  package static func decompress(
    _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let made = unsafe ZSTD_decompress(
      target.baseAddress, target.count, bytes.baseAddress, bytes.count)
    return ZSTD_isError(made) == 0 ? made : nil
  }
}
