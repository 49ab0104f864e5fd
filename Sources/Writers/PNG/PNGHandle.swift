import CPNG
import Formats
import Foundation
import ImageCore

/// Owns libpng's handle of one file that is being written, and turns its complaints into errors.
/// One thread at a time.
final class PNGHandle: @unchecked Sendable {
  /// What stands before the pixels.
  struct Extras {
    var profile: (name: String, bytes: [UInt8])?
    var exif: [UInt8]?
    var xmp: [UInt8]?
    /// Ancillary chunks that libpng does not know.
    var chunks: [(name: String, data: [UInt8])] = []

    init() {}
  }

  private var writer = cpng_writer()
  private let channel: UnsafeMutablePointer<cpng_channel>
  private let path: String
  private var isOpen = false

  /// Starts a PNG at the position of `descriptor`. `level` is zlib's, 1 with one filter for all rows.
  init(
    descriptor: Int32, path: String, size: PixelSize, depth: PNGWriter.Depth,
    layout: PNGWriter.Layout, level: Int32, _ extras: Extras = Extras()
  ) throws(WriteError) {
    self.path = path
    // libpng's own limit.
    guard (1...1_000_000).contains(size.width), (1...1_000_000).contains(size.height) else {
      throw WriteError(
        .unsupportedSize, "a PNG has sides of 1 to 1000000, not \(size)", path: path)
    }
    channel = .allocate(capacity: 1)
    channel.initialize(to: cpng_channel())
    channel.pointee.descriptor = descriptor
    var chunks = BoxBytes()
    for chunk in extras.chunks {
      chunks.u32(UInt32(truncatingIfNeeded: chunk.data.count))
      chunks.append(chunk.name.utf8)
      chunks.append(chunk.data)
    }
    let failed = Self.withC(extras, chunks.bytes) { extras in
      cpng_begin(
        &writer, channel, UInt32(size.width), UInt32(size.height), Int32(depth.rawValue),
        Int32(layout.rawValue), level, extras)
    }
    guard failed == 0 else { throw failure }
    isOpen = true
  }

  deinit {
    if isOpen { cpng_close(&writer) }
    channel.deallocate()
  }

  /// Writes `count` rows that stand `stride` bytes apart.
  func write(_ rows: UnsafePointer<UInt8>, stride: Int, count: Int) throws(WriteError) {
    try check(cpng_rows(&writer, rows, stride, UInt32(count)))
  }

  /// Completes the file.
  func finish() throws(WriteError) {
    try check(cpng_end(&writer))
    isOpen = false
  }

  private func check(_ failed: Int32) throws(WriteError) {
    guard failed != 0 else { return }
    isOpen = false
    throw failure
  }

  private var failure: WriteError {
    if channel.pointee.system_error != 0 {
      errno = channel.pointee.system_error
      return AtomicFile.failure("cannot write the file", path: path)
    }
    let text = withUnsafeBytes(of: channel.pointee.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return WriteError(.encoderFailed, "libpng: \(text)", path: path)
  }

  private static func withC<R>(
    _ extras: Extras, _ chunks: [UInt8], _ body: (UnsafePointer<cpng_extras>) -> R
  ) -> R {
    (extras.profile?.name ?? "").withCString { name in
      (extras.profile?.bytes ?? []).withUnsafeBufferPointer { profile in
        (extras.exif ?? []).withUnsafeBufferPointer { exif in
          ((extras.xmp ?? []) + [0]).withUnsafeBufferPointer { xmp in
            chunks.withUnsafeBufferPointer { chunks in
              var c = cpng_extras()
              if extras.profile != nil {
                (c.profile_name, c.profile) = (name, profile.baseAddress)
                c.profile_size = UInt32(profile.count)
              }
              if extras.exif != nil {
                (c.exif, c.exif_size) = (exif.baseAddress, UInt32(exif.count))
              }
              if extras.xmp != nil {
                c.xmp = UnsafeRawPointer(xmp.baseAddress)?.assumingMemoryBound(to: CChar.self)
              }
              (c.chunks, c.chunks_size) = (chunks.baseAddress, chunks.count)
              return body(&c)
            }
          }
        }
      }
    }
  }
}
