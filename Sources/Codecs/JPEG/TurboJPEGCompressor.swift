import CTurboJPEG
package import ImageCore

/// The one owner of a TurboJPEG compressor. One thread at a time.
///
/// Baseline, the standard Huffman tables, the exact integer DCT: the bits of a band depend on its
/// samples alone. Optimized tables would save some 5 % but differ from band to band.
@safe package final class TurboJPEGCompressor: @unchecked Sendable {
  private let handle: tjhandle
  private var output: UnsafeMutablePointer<UInt8>?
  private var capacity: UInt = 0

  package init() throws(CodecError) {
    guard let handle = unsafe tjInitCompress() else {
      throw CodecError("libturbojpeg is out of memory; free some and try again")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe tjFree(output)
    unsafe tjDestroy(handle)
  }

  /// A complete JPEG of `size` from planes of bytes: luma, and for color Cb and Cr at `chroma`'s
  /// size. `strides`: distance of rows in each plane; `quality` is 1…100.
  package func compress(
    _ planes: [UnsafePointer<UInt8>], strides: [Int], size: PixelSize, chroma: ChromaFormat,
    quality: Int
  ) throws(CodecError) -> [UInt8] {
    let sampling =
      switch chroma {
      case .monochrome: TJSAMP_GRAY
      case .yuv420: TJSAMP_420
      case .yuv444: TJSAMP_444
      }
    var pointers = unsafe planes.map { unsafe Optional($0) }
    var strides = strides.map { Int32(clamping: $0) }
    var count = capacity
    let status = unsafe tjCompressFromYUVPlanes(
      handle, &pointers, Int32(clamping: size.width), &strides, Int32(clamping: size.height),
      Int32(sampling.rawValue), &output, &count, Int32(clamping: quality),
      Int32(TJFLAG_ACCURATEDCT))
    guard status == 0, let output = unsafe output else {
      let words =
        unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "no reason given"
      throw CodecError("libturbojpeg cannot code \(size) pixels: \(words)")
    }
    // TurboJPEG may reallocate the buffer, and reports only how much of it is used.
    capacity = max(capacity, count)
    return unsafe Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }
}
