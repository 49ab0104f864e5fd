internal import CDav1d
import Containers
import Foundation
import ImageCore

/// The one owner of libdav1d: one picture of AV1. One thread at a time.
@safe final class AV1Decoder {
  private let context: OpaquePointer
  private var image = unsafe Dav1dPicture()

  /// For a picture of at most `maxPixels`, on up to `threads` threads.
  init(maxPixels: Int, threads: Int) throws(FormatError) {
    var settings = unsafe Dav1dSettings()
    unsafe dav1d_default_settings(&settings)
    unsafe settings.n_threads = Int32(clamping: min(max(threads, 1), Int(DAV1D_MAX_THREADS)))
    unsafe settings.max_frame_delay = 1
    unsafe settings.all_layers = 0
    unsafe settings.frame_size_limit = UInt32(clamping: maxPixels)
    // By default it prints errors.
    unsafe settings.logger.callback = nil
    var context: OpaquePointer?
    let status = unsafe dav1d_open(&context, &settings)
    guard status == 0, let context = unsafe context else { throw Self.refusal(status) }
    unsafe self.context = context
  }

  deinit {
    unsafe dav1d_picture_unref(&image)
    var context: OpaquePointer? = unsafe context
    unsafe dav1d_close(&context)
  }

  /// The first picture in `units`, a temporal unit; its memory lives as long as this object.
  func picture(_ units: [UInt8]) throws(FormatError) -> CodedPlanes {
    var data = unsafe Dav1dData()
    guard let target = unsafe dav1d_data_create(&data, units.count) else {
      throw StillDecoder.outOfMemory("libdav1d")
    }
    defer { unsafe dav1d_data_unref(&data) }
    unsafe units.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { unsafe memcpy(target, start, bytes.count) }
    }
    let again = -EAGAIN
    var isDrained = false
    while true {
      if unsafe data.sz > 0 {
        let status = unsafe dav1d_send_data(context, &data)
        guard status == 0 || status == again else { throw Self.refusal(status) }
      }
      let status = unsafe dav1d_get_picture(context, &image)
      if status == 0 { return try planes() }
      guard status == again, !isDrained else { throw Self.refusal(status) }
      // Once all data are sent, one more call drains the frame that it holds back.
      isDrained = unsafe data.sz == 0
    }
  }

  private func planes() throws(FormatError) -> CodedPlanes {
    let (width, height) = unsafe (Int(image.p.w), Int(image.p.h))
    let shift: (x: Int, y: Int)
    switch unsafe image.p.layout {
    case DAV1D_PIXEL_LAYOUT_I420: shift = (1, 1)
    case DAV1D_PIXEL_LAYOUT_I422: shift = (1, 0)
    default: shift = (0, 0)
    }
    func plane(
      _ start: UnsafeMutableRawPointer?, _ stride: Int, _ size: PixelSize
    ) throws(FormatError) -> CodedPlanes.Plane {
      guard let start = unsafe start else {
        throw StillDecoder.refusal("libdav1d", "a plane is missing")
      }
      return unsafe CodedPlanes.Plane(start: UnsafeRawPointer(start), stride: stride, size: size)
    }
    let chroma = PixelSize(
      width: (width + (1 << shift.x) - 1) >> shift.x,
      height: (height + (1 << shift.y) - 1) >> shift.y)
    let isGray = unsafe image.p.layout == DAV1D_PIXEL_LAYOUT_I400
    return unsafe CodedPlanes(
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
        .unsupported, "libdav1d does not support its AV1 profile; convert it to AV1 Main")
    default:
      return unsafe StillDecoder.refusal("libdav1d", String(cString: strerror(-status)))
    }
  }
}
