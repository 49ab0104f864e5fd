import CLibDeflate
import CZstd

/// Compresses blocks of bytes, one at a time; one instance per thread.
package protocol BlockCompressor: AnyObject {
  /// Maximum compressed length of `count` bytes.
  func bound(_ count: Int) -> Int
  /// Compresses `source` into `target`, which holds its bound; returns the compressed length.
  func compress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer)
    throws(CodecError) -> Int
}

/// zlib streams (TIFF compression 8) by libdeflate; at level 1 by ``HuffmanDeflate`` where a sample
/// says that repetitions save less than `minSaving`. Owns its compressor.
@safe package final class DeflateCompressor: BlockCompressor {
  private static let sample = 1 << 14
  private static let minSaving = 0.03

  private let compressor: OpaquePointer
  private let level: Int

  /// `level` 1…12.
  package init(level: Int) throws(CodecError) {
    guard let compressor = unsafe libdeflate_alloc_compressor(Int32(clamping: level)) else {
      throw CodecError("cannot start the deflate compressor: out of memory")
    }
    unsafe self.compressor = compressor
    self.level = level
  }

  deinit { unsafe libdeflate_free_compressor(compressor) }

  package func bound(_ count: Int) -> Int {
    max(unsafe libdeflate_zlib_compress_bound(compressor, count), HuffmanDeflate.bound(count))
  }

  package func compress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  )
    throws(CodecError) -> Int
  {
    if level == 1, unsafe hardlyRepeats(source, target) {
      return unsafe HuffmanDeflate.compress(source, into: target)
    }
    let made = unsafe libdeflate_zlib_compress(
      compressor, source.baseAddress, source.count, target.baseAddress, target.count)
    guard made > 0 else {
      throw CodecError("libdeflate could not compress a strip")
    }
    return made
  }

  /// Whether codes alone make the middle of `source` about as small as libdeflate does, which may
  /// use `scratch`.
  private func hardlyRepeats(
    _ source: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard source.count >= 2 * Self.sample else { return false }
    let first = (source.count - Self.sample) / 2
    let middle = unsafe UnsafeRawBufferPointer(rebasing: source[first..<first + Self.sample])
    let made = unsafe libdeflate_zlib_compress(
      compressor, middle.baseAddress, middle.count, scratch.baseAddress, scratch.count)
    let estimate = unsafe Double(HuffmanDeflate.estimate(middle)) / 8
    return estimate * (1 - Self.minSaving) < Double(made)
  }
}

/// Zstandard frames (TIFF compression 50000) by libzstd, each with a checksum. Owns its context.
@safe package final class ZstdCompressor: BlockCompressor {
  private let context: OpaquePointer

  /// `level` 1…19.
  package init(level: Int) throws(CodecError) {
    guard let context = unsafe ZSTD_createCCtx() else {
      throw CodecError("cannot start the Zstandard compressor: out of memory")
    }
    unsafe self.context = context
    let level = unsafe ZSTD_CCtx_setParameter(
      context, ZSTD_c_compressionLevel, Int32(clamping: level))
    let sum = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    guard ZSTD_isError(level) == 0, ZSTD_isError(sum) == 0 else {
      throw CodecError("cannot start the Zstandard compressor: it refuses its settings")
    }
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// The checksum has four bytes.
  package func bound(_ count: Int) -> Int { ZSTD_compressBound(count) + 4 }

  package func compress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  )
    throws(CodecError) -> Int
  {
    let made = unsafe ZSTD_compress2(
      context, target.baseAddress, target.count, source.baseAddress, source.count)
    guard ZSTD_isError(made) == 0 else {
      let reason =
        unsafe ZSTD_getErrorName(made).map { unsafe String(cString: $0) } ?? "unknown error"
      throw CodecError("Zstandard could not compress a strip: \(reason)")
    }
    return made
  }
}
