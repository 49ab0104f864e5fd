import CLibDeflate
import CZstd
import Formats

/// Compresses strips, one at a time; each worker has its own.
protocol StripCompressor: AnyObject {
  /// Most bytes that `count` bytes can become.
  func bound(_ count: Int) -> Int
  /// Compresses `source` into `target`, which has room for its bound; the number of bytes made.
  func compress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer)
    throws(WriteError) -> Int
}

/// zlib streams (TIFF compression 8) by libdeflate. Owns its compressor.
final class DeflateCompressor: StripCompressor {
  private let compressor: OpaquePointer

  /// `level` 1…12.
  init(level: Int) throws(WriteError) {
    guard let compressor = libdeflate_alloc_compressor(Int32(clamping: level)) else {
      throw WriteError(.encoderFailed, "cannot start the deflate compressor: out of memory")
    }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  func bound(_ count: Int) -> Int { libdeflate_zlib_compress_bound(compressor, count) }

  func compress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer)
    throws(WriteError) -> Int
  {
    let made = libdeflate_zlib_compress(
      compressor, source.baseAddress, source.count, target.baseAddress, target.count)
    guard made > 0 else {
      throw WriteError(.encoderFailed, "libdeflate could not compress a strip")
    }
    return made
  }
}

/// Zstandard frames (TIFF compression 50000) by libzstd. Owns its context.
final class ZstdCompressor: StripCompressor {
  private let context: OpaquePointer
  private let level: Int32

  /// `level` 1…19.
  init(level: Int) throws(WriteError) {
    guard let context = ZSTD_createCCtx() else {
      throw WriteError(.encoderFailed, "cannot start the Zstandard compressor: out of memory")
    }
    self.context = context
    self.level = Int32(clamping: level)
  }

  deinit { ZSTD_freeCCtx(context) }

  func bound(_ count: Int) -> Int { ZSTD_compressBound(count) }

  func compress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer)
    throws(WriteError) -> Int
  {
    let made = ZSTD_compressCCtx(
      context, target.baseAddress, target.count, source.baseAddress, source.count, level)
    guard ZSTD_isError(made) == 0 else {
      let reason = ZSTD_getErrorName(made).map { String(cString: $0) } ?? "unknown error"
      throw WriteError(.encoderFailed, "Zstandard could not compress a strip: \(reason)")
    }
    return made
  }
}
