import CPNG
import Containers
package import ImageCore

/// Owns libpng's handle for one file being written, and turns its messages into errors. One thread
/// at a time.
@safe package final class PNGEncoder: @unchecked Sendable {
  /// Chunks that precede the pixels.
  package struct Extras {
    package var profile: (name: String, bytes: [UInt8])?
    package var exif: [UInt8]?
    package var xmp: [UInt8]?
    /// Ancillary chunks that libpng has no function for.
    package var chunks: [(name: String, data: [UInt8])] = []

    package init() {}
  }

  private var writer = unsafe cpng_writer()
  private let channel: UnsafeMutablePointer<cpng_channel>
  private var isOpen = false

  /// Columns and rows that libpng accepts.
  package static let sides = 1...1_000_000

  /// Starts a PNG of `bits` (8 or 16) and `channels` (1 or 3, one more with alpha) at the position
  /// of `descriptor`, its sides within ``sides``. `level` is zlib's; at 1 all rows get the same
  /// filter.
  package init(
    descriptor: Int32, size: PixelSize, bits: Int, channels: Int, level: Int32,
    _ extras: Extras = Extras()
  ) throws(CodecError) {
    unsafe channel = .allocate(capacity: 1)
    unsafe channel.initialize(to: cpng_channel())
    unsafe channel.pointee.descriptor = descriptor
    let chunks = extras.chunks.flatMap { PNGChunk.bytes($0.name, $0.data) }
    let failed = unsafe Self.withC(extras, chunks) { extras in
      unsafe cpng_begin(
        &writer, channel, UInt32(size.width), UInt32(size.height), Int32(bits),
        Int32(channels), level, extras)
    }
    guard failed == 0 else { throw failure }
    isOpen = true
  }

  deinit {
    if isOpen { unsafe cpng_close(&writer) }
    unsafe channel.deallocate()
  }

  /// Writes `count` rows that are `stride` bytes apart.
  package func write(_ rows: UnsafePointer<UInt8>, stride: Int, count: Int) throws(CodecError) {
    try unsafe check(cpng_rows(&writer, rows, stride, UInt32(count)))
  }

  /// Completes the file.
  package func finish() throws(CodecError) {
    try unsafe check(cpng_end(&writer))
    isOpen = false
  }

  private func check(_ failed: Int32) throws(CodecError) {
    guard failed != 0 else { return }
    isOpen = false
    throw failure
  }

  private var failure: CodecError {
    if unsafe channel.pointee.system_error != 0 {
      return unsafe CodecError("cannot write the file", systemError: channel.pointee.system_error)
    }
    let text = unsafe withUnsafeBytes(of: channel.pointee.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return CodecError("libpng: \(text)")
  }

  private static func withC<R>(
    _ extras: Extras, _ chunks: [UInt8], _ body: (UnsafePointer<cpng_extras>) -> R
  ) -> R {
    unsafe (extras.profile?.name ?? "").withCString { name in
      unsafe (extras.profile?.bytes ?? []).withUnsafeBufferPointer { profile in
        unsafe (extras.exif ?? []).withUnsafeBufferPointer { exif in
          unsafe ((extras.xmp ?? []) + [0]).withUnsafeBufferPointer { xmp in
            unsafe chunks.withUnsafeBufferPointer { chunks in
              var c = unsafe cpng_extras()
              if extras.profile != nil {
                unsafe (c.profile_name, c.profile) = (name, profile.baseAddress)
                unsafe c.profile_size = UInt32(profile.count)
              }
              if extras.exif != nil {
                unsafe (c.exif, c.exif_size) = (exif.baseAddress, UInt32(exif.count))
              }
              if extras.xmp != nil {
                unsafe c.xmp = UnsafeRawPointer(xmp.baseAddress)?.assumingMemoryBound(
                  to: CChar.self)
              }
              unsafe (c.chunks, c.chunks_size) = (chunks.baseAddress, chunks.count)
              return unsafe body(&c)
            }
          }
        }
      }
    }
  }
}
