internal import CTurboJPEG
internal import ImageCore

/// Baseline JPEG by TurboJPEG, for previews and mattes. The one owner of its compressor.
enum BaselineJPEG {
  /// `pixels` of `components` (1 or 3) bytes, row by row; nil when the library fails.
  static func encode(
    _ pixels: [UInt8], size: PixelSize, components: Int, quality: Int
  ) -> [UInt8]? {
    guard pixels.count == size.area * components, let handle = unsafe tjInitCompress() else {
      return nil
    }
    defer { unsafe tjDestroy(handle) }
    let sampling = Int32(components == 1 ? TJSAMP_GRAY.rawValue : TJSAMP_420.rawValue)
    let format = Int32(components == 1 ? TJPF_GRAY.rawValue : TJPF_RGB.rawValue)
    let bound = tjBufSize(Int32(size.width), Int32(size.height), sampling)
    // NOREALLOC keeps the library within the bound that it names itself.
    let out = unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, used in
      var target = buffer.baseAddress
      var length = bound
      let status = unsafe tjCompress2(
        handle, pixels, Int32(size.width), Int32(size.width * components), Int32(size.height),
        format, &target, &length, sampling, Int32(quality), Int32(TJFLAG_NOREALLOC))
      used = status == 0 ? Int(length) : 0
    }
    return out.isEmpty ? nil : out
  }
}
