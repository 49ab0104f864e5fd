internal import CDav1d
import Containers
import Glibc
import ImageCore

/// The one owner of libdav1d: one picture of AV1. One thread at a time.
final class AV1Decoder {
  private let context: OpaquePointer
  private var image = Dav1dPicture()

  /// For a picture of at most `maxPixels`; `threads` may be at work on it.
  init(maxPixels: Int, threads: Int) throws(FormatError) {
    var settings = Dav1dSettings()
    dav1d_default_settings(&settings)
    settings.n_threads = Int32(clamping: min(max(threads, 1), Int(DAV1D_MAX_THREADS)))
    settings.max_frame_delay = 1
    settings.all_layers = 0
    settings.frame_size_limit = UInt32(clamping: maxPixels)
    // It would print what it finds wrong.
    settings.logger.callback = nil
    var context: OpaquePointer?
    let status = dav1d_open(&context, &settings)
    guard status == 0, let context else { throw Self.refusal(status) }
    self.context = context
  }

  deinit {
    dav1d_picture_unref(&image)
    var context: OpaquePointer? = context
    dav1d_close(&context)
  }

  /// The first picture in `units`, a temporal unit; valid as long as this object.
  func picture(_ units: [UInt8]) throws(FormatError) -> CodedPlanes {
    var data = Dav1dData()
    guard let target = dav1d_data_create(&data, units.count) else {
      throw StillDecoder.outOfMemory("libdav1d")
    }
    defer { dav1d_data_unref(&data) }
    units.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(target, start, bytes.count) }
    }
    let again = -EAGAIN
    var isDrained = false
    while true {
      if data.sz > 0 {
        let status = dav1d_send_data(context, &data)
        guard status == 0 || status == again else { throw Self.refusal(status) }
      }
      let status = dav1d_get_picture(context, &image)
      if status == 0 { return try planes() }
      guard status == again, !isDrained else { throw Self.refusal(status) }
      // Asked once more when all is handed over, it gives what it has kept.
      isDrained = data.sz == 0
    }
  }

  private func planes() throws(FormatError) -> CodedPlanes {
    let (width, height) = (Int(image.p.w), Int(image.p.h))
    let shift: (x: Int, y: Int)
    switch image.p.layout {
    case DAV1D_PIXEL_LAYOUT_I420: shift = (1, 1)
    case DAV1D_PIXEL_LAYOUT_I422: shift = (1, 0)
    default: shift = (0, 0)
    }
    func plane(
      _ start: UnsafeMutableRawPointer?, _ stride: Int, _ size: PixelSize
    ) throws(FormatError) -> CodedPlanes.Plane {
      guard let start else { throw StillDecoder.refusal("libdav1d", "a plane is missing") }
      return CodedPlanes.Plane(start: UnsafeRawPointer(start), stride: stride, size: size)
    }
    let chroma = PixelSize(
      width: (width + (1 << shift.x) - 1) >> shift.x,
      height: (height + (1 << shift.y) - 1) >> shift.y)
    let isGray = image.p.layout == DAV1D_PIXEL_LAYOUT_I400
    return CodedPlanes(
      bits: Int(image.p.bpc),
      luma: try plane(
        image.data.0, image.stride.0, PixelSize(width: width, height: height)),
      chroma: isGray
        ? nil
        : (
          try plane(image.data.1, image.stride.1, chroma),
          try plane(image.data.2, image.stride.1, chroma)
        ), chromaShift: shift)
  }

  private static func refusal(_ status: Int32) -> FormatError {
    switch -status {
    case ENOMEM: return StillDecoder.outOfMemory("libdav1d")
    case ENOPROTOOPT:
      return FormatError(
        .unsupported, "libdav1d does not know how it is coded; convert it to AV1 Main")
    default:
      return StillDecoder.refusal("libdav1d", String(cString: strerror(-status)))
    }
  }
}
