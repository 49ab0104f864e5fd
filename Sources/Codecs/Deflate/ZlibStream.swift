import CLibDeflate

/// zlib streams (tiles of pixels, profiles, texts, records of this program) and the CRC of PNG, by
/// libdeflate.
package enum ZlibStream {
  /// One byte of Deflate data expands to at most this many.
  package static let maxRatio = 1032

  /// The decompressed `bytes`; nil when they are damaged or expand to more than `maxBytes`.
  package static func inflate(_ bytes: ArraySlice<UInt8>, maxBytes: Int) -> [UInt8]? {
    guard !bytes.isEmpty, let decompressor = unsafe libdeflate_alloc_decompressor() else {
      return nil
    }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    let (expanded, overflow) = bytes.count.multipliedReportingOverflow(by: maxRatio)
    let limit = min(maxBytes, overflow ? maxBytes : expanded)
    var room = min(limit, max(1 << 16, bytes.count &* 4))
    while true {
      var made = 0
      var result = LIBDEFLATE_BAD_DATA
      let out = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
        result = unsafe bytes.withUnsafeBytes {
          unsafe libdeflate_zlib_decompress(
            decompressor, $0.baseAddress, $0.count, target.baseAddress, room, &made)
        }
        count = result == LIBDEFLATE_SUCCESS ? made : 0
      }
      if result == LIBDEFLATE_SUCCESS { return out }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE, room < limit else { return nil }
      room = min(limit, room * 4)
    }
  }

  /// `bytes` compressed; nil when memory is short.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    guard let compressor = unsafe libdeflate_alloc_compressor(6) else { return nil }
    defer { unsafe libdeflate_free_compressor(compressor) }
    let room = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
    let made = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
      count = unsafe bytes.withUnsafeBytes {
        unsafe libdeflate_zlib_compress(
          compressor, $0.baseAddress, $0.count, target.baseAddress, room)
      }
    }
    return made.isEmpty ? nil : made
  }

  /// Decompresses a stream of known length into `target`; the bytes written, nil when the stream is
  /// damaged or longer.
  package static func inflate(
    _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var made = 0
    let result = unsafe libdeflate_zlib_decompress(
      decompressor, bytes.baseAddress, bytes.count, target.baseAddress, target.count, &made)
    return result == LIBDEFLATE_SUCCESS ? made : nil
  }

  /// CRC-32 of `bytes`.
  package static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    unsafe libdeflate_crc32(0, bytes.baseAddress, bytes.count)
  }
}
