internal import CLibRaw
package import Containers
package import ImageCore

/// The one owner of a `libraw_data_t`: opens bytes, unpacks, closes. Never develops. It belongs to
/// one thread; LibRaw's reentrant build is linked.
final class LibRawHandle {
  let data: UnsafeMutablePointer<libraw_data_t>
  /// LibRaw reads from these bytes and does not copy them.
  let bytes: FileBytes
  /// Counts data errors, which LibRaw reports by a callback and otherwise papers over with zeros.
  private let faults: UnsafeMutablePointer<Int32>

  /// Opens `bytes` and reads its description, no pixels.
  init(_ bytes: FileBytes, limits: DecodeLimits) throws(RAWError) {
    let flags =
      LIBRAW_OPIONS_NO_MEMERR_CALLBACK.rawValue | LIBRAW_OPIONS_NO_DATAERR_CALLBACK.rawValue
    guard let data = libraw_init(flags) else {
      throw RAWError(.tooLarge, .open, "there is not enough memory to open it", path: bytes.path)
    }
    self.data = data
    self.bytes = bytes
    faults = .allocate(capacity: 1)
    faults.initialize(to: 0)
    libraw_set_dataerror_handler(
      data, { context, _, _ in context?.assumingMemoryBound(to: Int32.self).pointee += 1 }, faults)
    data.pointee.params.max_raw_memory_mb = UInt32(clamping: limits.maxDecodeBytes >> 20)
    let start = UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress)
    try LibRawError.check(
      libraw_open_buffer(data, start, bytes.count), .open, path: bytes.path)
  }

  deinit {
    libraw_close(data)
    faults.deallocate()
  }

  /// Decodes the sensor values. Fails when LibRaw met data that it could not read.
  func unpack() throws(RAWError) {
    faults.pointee = 0
    try LibRawError.check(libraw_unpack(data), .decode, path: bytes.path)
    guard faults.pointee == 0 else {
      throw RAWError(
        .damaged, .decode, "its pixel data are damaged or end early; copy the file again",
        path: bytes.path)
    }
  }

  /// The embedded preview as a JPEG; nil when there is none.
  func previewJPEG() -> [UInt8]? {
    guard libraw_unpack_thumb(data) == LIBRAW_SUCCESS.rawValue else { return nil }
    let preview = data.pointee.thumbnail
    guard preview.tformat == LIBRAW_THUMBNAIL_JPEG, let start = preview.thumb, preview.tlength > 0
    else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(preview.tlength)))
  }

  /// Filter index at `row`, `column` of the visible area: 3 is the second green of most cameras.
  func filter(row: Int, column: Int) -> Int {
    Int(libraw_COLOR(data, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)))
  }

  /// Entry `index` of LibRaw's black table: four of the channels, rows, columns, then the pattern.
  func black(_ index: Int) -> Double {
    index >= 0 ? Double(rd_cblack(data, UInt32(clamping: index))) : 0
  }

  /// The cameras that LibRaw names.
  static var cameraModels: [String] {
    guard let list = libraw_cameraList() else { return [] }
    return (0..<Int(libraw_cameraCount())).compactMap { list[$0].map { String(cString: $0) } }
  }
}
