internal import CLibRaw
import Containers
import ImageCore

/// The one owner of a `libraw_data_t`: opens bytes, unpacks, closes. Never develops. It belongs to
/// one thread; LibRaw's reentrant build is linked.
@safe final class LibRawHandle {
  private let data: UnsafeMutablePointer<libraw_data_t>
  /// LibRaw reads from these bytes and does not copy them.
  let bytes: FileBytes
  /// Counts data errors, which LibRaw reports only by a callback; it replaces the data by zeros.
  private let faults: UnsafeMutablePointer<Int32>

  /// Opens `bytes` and reads its description, no pixels.
  init(_ bytes: FileBytes, limits: DecodeLimits) throws(RAWError) {
    try Self.requireHeadersOfLibrary(bytes.path)
    guard let data = unsafe clibraw_init() else {
      throw RAWError(.tooLarge, .open, "there is not enough memory to open it", path: bytes.path)
    }
    unsafe self.data = data
    self.bytes = bytes
    unsafe faults = .allocate(capacity: 1)
    unsafe faults.initialize(to: 0)
    unsafe libraw_set_dataerror_handler(
      data, { context, _, _ in unsafe context?.assumingMemoryBound(to: Int32.self).pointee += 1 },
      faults)
    unsafe clibraw_configure(data, UInt32(clamping: limits.maxDecodeBytes >> 20))
    try LibRawError.check(
      unsafe libraw_open_buffer(
        data, UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress), bytes.count),
      .open, path: bytes.path)
  }

  /// LibRaw's structures change from version to version: those of another one are garbage.
  private static func requireHeadersOfLibrary(_ path: String?) throws(RAWError) {
    let (headers, installed) = (LibRawVersion.headers, LibRawVersion.installed)
    guard headers != installed else { return }
    throw RAWError(
      .unsupported, .open,
      "this program was built for LibRaw \(headers) and finds \(installed); install that version "
        + "or build the program again", path: path)
  }

  deinit {
    unsafe libraw_close(data)
    unsafe faults.deallocate()
  }

  /// Decodes the sensor values. Fails when LibRaw met data that it could not read.
  func unpack() throws(RAWError) {
    unsafe faults.pointee = 0
    try LibRawError.check(unsafe libraw_unpack(data), .decode, path: bytes.path)
    guard unsafe faults.pointee == 0 else {
      throw RAWError(
        .damaged, .decode, "its pixel data are damaged or end early; copy the file again",
        path: bytes.path)
    }
  }

  /// The embedded preview as a JPEG; nil when there is none.
  func previewJPEG() -> [UInt8]? {
    guard unsafe libraw_unpack_thumb(data) == LIBRAW_SUCCESS.rawValue else { return nil }
    let preview = unsafe data.pointee.thumbnail
    guard unsafe preview.tformat == LIBRAW_THUMBNAIL_JPEG, let start = unsafe preview.thumb,
      unsafe preview.tlength > 0
    else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(preview.tlength)))
  }

  /// What LibRaw knows of the file; more, and its final levels, after ``unpack()``.
  var facts: LibRawFacts { unsafe LibRawFacts(data) }

  /// Whether LibRaw knows how the pixels are stored and cannot decode them.
  var isUndecodable: Bool { unsafe clibraw_cannot_decode(data) != 0 }

  /// What was unpacked: rows of one, three or four 16-bit samples a pixel, border included. Valid
  /// as long as the handle.
  @safe struct Picture {
    let samplesPerPixel: Int
    fileprivate let start: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    fileprivate let pitch: Int

    func row(_ y: Int) -> CodeRowView {
      unsafe CodeRowView(
        (start + y * pitch).assumingMemoryBound(to: UInt16.self), count: pitch / 2, before: 0,
        behind: 0)
    }
  }

  /// The picture; nil before ``unpack()`` and for storages that are not known here.
  var picture: Picture? {
    let sizes = unsafe data.pointee.sizes
    let pitch = Int(sizes.raw_pitch)
    func picture(_ start: UnsafeMutableRawPointer?, _ samples: Int) -> Picture? {
      guard let start = unsafe start, pitch >= Int(sizes.raw_width) * samples * 2, pitch % 2 == 0
      else { return nil }
      return unsafe Picture(samplesPerPixel: samples, start: start, pitch: pitch)
    }
    return unsafe picture(data.pointee.rawdata.raw_image, 1)
      ?? picture(data.pointee.rawdata.color3_image, 3)
      ?? picture(data.pointee.rawdata.color4_image, 4)
  }

  /// The cameras that LibRaw names.
  static var cameraModels: [String] {
    guard let list = unsafe libraw_cameraList() else { return [] }
    return (0..<Int(libraw_cameraCount())).compactMap {
      unsafe list[$0].map { unsafe String(cString: $0) }
    }
  }
}
