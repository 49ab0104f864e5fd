internal import CLibRaw
import Containers
import Dispatch
import ImageCore

/// The only owner of a `libraw_data_t`: opens bytes, unpacks, closes. Never develops. Confined to
/// one thread; uses LibRaw's reentrant build.
@safe final class LibRawHandle {
  private let data: UnsafeMutablePointer<libraw_data_t>
  /// LibRaw reads these bytes without copying.
  let bytes: FileBytes
  /// State of LibRaw's callbacks.
  private struct Callbacks {
    /// Data errors, which LibRaw reports only by a callback; it replaces the data with zeros.
    var faults = 0
    let clock: DecodeClock
  }
  private let callbacks: UnsafeMutablePointer<Callbacks>

  /// Opens `bytes` and reads the metadata, no pixels. If there are several raw pictures, those of
  /// frame `frame`, starting at 1.
  init(_ bytes: FileBytes, frame: Int = 1) throws(RAWError) {
    try Self.requireHeadersOfLibrary(bytes.path)
    guard let data = unsafe clibraw_init() else {
      throw RAWError(
        .tooLarge, .open, "there is not enough memory to open it; run fewer files at once",
        path: bytes.path)
    }
    unsafe self.data = data
    self.bytes = bytes
    unsafe callbacks = .allocate(capacity: 1)
    unsafe callbacks.initialize(to: Callbacks(clock: bytes.clock))
    unsafe libraw_set_dataerror_handler(
      data,
      { context, _, _ in
        unsafe context?.assumingMemoryBound(to: Callbacks.self).pointee.faults += 1
      }, callbacks)
    unsafe libraw_set_progress_handler(
      data,
      { context, _, _, _ in
        unsafe context?.assumingMemoryBound(to: Callbacks.self).pointee.clock.isOver == true ? 1 : 0
      }, callbacks)
    unsafe clibraw_configure(
      data, UInt32(clamping: bytes.limits.maxDecodeBytes >> 20), UInt32(clamping: frame - 1))
    unsafe clibraw_watch(data)
    try run(.open) {
      unsafe libraw_open_buffer(
        data, UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress), bytes.count)
    }
  }

  /// Calls a function of LibRaw and checks its code. After the timeout LibRaw stops: at the next
  /// step, by its progress callback, and at the next row of pixels, by a flag.
  private func run(_ stage: RAWError.Stage, _ function: () -> Int32) throws(RAWError) {
    func checkReading() throws(RAWError) {
      try RAWError.translating(stage) { () throws(FormatError) in try bytes.checkReading() }
    }
    try checkReading()
    let code = bytes.clock.left.map { stopping(after: $0, function) } ?? function()
    if code != LIBRAW_SUCCESS.rawValue { try checkReading() }
    try LibRawError.check(code, stage, bytes)
  }

  private func stopping(after left: Duration, _ function: () -> Int32) -> Int32 {
    nonisolated(unsafe) let handle = self
    let queue = DispatchQueue(label: "rawdev.libraw-time")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { unsafe handle.stop() }
    timer.schedule(deadline: .now() + left / .seconds(1))
    timer.activate()
    defer {
      timer.cancel()
      // Waits until the started block has ended.
      queue.sync {}
    }
    return function()
  }

  /// Makes LibRaw on another thread stop at the next row of pixels.
  func stop() { unsafe clibraw_stop(data) }

  /// LibRaw's structures change between versions: with other headers they are read incorrectly.
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
    unsafe callbacks.deinitialize(count: 1)
    unsafe callbacks.deallocate()
  }

  /// Decodes the sensor values. Throws if LibRaw met unreadable data.
  func unpack() throws(RAWError) {
    unsafe callbacks.pointee.faults = 0
    try run(.decode) { unsafe libraw_unpack(data) }
    guard unsafe callbacks.pointee.faults == 0 else { throw .damagedPixels(bytes) }
  }

  /// The embedded preview as a JPEG; nil if there is none. LibRaw 0.20 unpacks some pictures of
  /// other types into too little memory.
  func previewJPEG() -> [UInt8]? {
    guard unsafe clibraw_has_jpeg(data) != 0 || bytes.matches("FOVb", at: 0),
      unsafe libraw_unpack_thumb(data) == LIBRAW_SUCCESS.rawValue
    else { return nil }
    let preview = unsafe data.pointee.thumbnail
    guard unsafe preview.tformat == LIBRAW_THUMBNAIL_JPEG, let start = unsafe preview.thumb,
      unsafe preview.tlength > 0
    else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(preview.tlength)))
  }

  /// LibRaw's metadata; complete, with final levels, after ``unpack()``.
  var metadata: LibRawMetadata { unsafe LibRawMetadata(data) }

  /// Whether LibRaw recognizes the storage format and cannot decode it.
  var isUndecodable: Bool { unsafe clibraw_cannot_decode(data) != 0 }

  /// The unpacked picture: rows of one, three or four 16-bit samples per pixel, border included.
  /// Valid as long as the handle.
  @safe struct Picture {
    let samplesPerPixel: Int
    fileprivate let start: UnsafeMutableRawPointer
    /// Bytes per row.
    fileprivate let pitch: Int

    func row(_ y: Int) -> CodeRowView {
      unsafe CodeRowView(
        (start + y * pitch).assumingMemoryBound(to: UInt16.self), count: pitch / 2, before: 0,
        behind: 0)
    }
  }

  /// The picture; nil before ``unpack()`` and for unsupported formats.
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

  /// The cameras in LibRaw's list.
  static var cameraModels: [String] {
    guard let list = unsafe libraw_cameraList() else { return [] }
    return (0..<Int(libraw_cameraCount())).compactMap {
      unsafe list[$0].map { unsafe String(cString: $0) }
    }
  }
}
