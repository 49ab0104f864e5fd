internal import CTurboJPEG
internal import ImageCore

/// The one owner of a TurboJPEG decompressor. One thread at a time.
final class TurboJPEG {
  private let handle: tjhandle

  init?() {
    guard let handle = tjInitDecompress() else { return nil }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// Columns, rows and components of the JPEG in `data`; nil when it is none.
  func header(_ data: UnsafeRawBufferPointer) -> (size: PixelSize, components: Int)? {
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let start = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let start,
      tjDecompressHeader3(handle, start, UInt(data.count), &width, &height, &sampling, &space) == 0,
      width > 0, height > 0
    else { return nil }
    return (
      PixelSize(width: Int(width), height: Int(height)), space == TJCS_GRAY.rawValue ? 1 : 3
    )
  }

  /// Decodes `data` at `size`, which its header or ``scaled(_:maxSide:)`` gave, into `target` with
  /// `components` (1 or 3) bytes a pixel and no padding. False for damaged data.
  func decode(
    _ data: UnsafeRawBufferPointer, size: PixelSize, components: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let start = data.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    let format = components == 1 ? TJPF_GRAY.rawValue : TJPF_RGB.rawValue
    return tjDecompress2(
      handle, start, UInt(data.count), target, Int32(clamping: size.width),
      Int32(clamping: size.width * components), Int32(clamping: size.height), format,
      Int32(TJFLAG_ACCURATEDCT)) == 0
  }

  /// The largest size that TurboJPEG can scale a picture of `size` to whose longer side is at most
  /// `maxSide`; the smallest it can when none is.
  func scaled(_ size: PixelSize, maxSide: Int) -> PixelSize {
    var count = Int32(0)
    guard let factors = tjGetScalingFactors(&count) else { return size }
    let sizes = (0..<Int(count)).compactMap { index -> PixelSize? in
      let (up, down) = (Int(factors[index].num), Int(factors[index].denom))
      guard down > 0, up <= down else { return nil }
      return PixelSize(
        width: (size.width * up + down - 1) / down, height: (size.height * up + down - 1) / down)
    }
    let fitting = sizes.filter { max($0.width, $0.height) <= maxSide }
    return fitting.max { $0.area < $1.area } ?? sizes.min { $0.area < $1.area } ?? size
  }
}
