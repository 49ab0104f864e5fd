import CTIFF
package import Codecs
import Foundation

/// The owner of one libtiff handle that writes a little-endian file to an open descriptor.
///
/// libtiff prints nothing: its messages go to this handle, and its writes pass through `transfer`,
/// which keeps `errno`. Not synchronized: one thread at a time.
@safe package final class TIFFEncoder: @unchecked Sendable {
  private let channel: Channel
  private var tiff: OpaquePointer?

  /// The state of libtiff's callbacks.
  private final class Channel {
    let descriptor: Int32
    var failure: Int32 = 0
    let message = TIFFMessage()
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Channel? {
      unsafe pointer.map { unsafe Unmanaged<Channel>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Transfers all of `count` bytes; -1 after an error, with `errno` preserved.
    func transfer(_ count: Int, _ step: (_ done: Int) -> Int) -> Int {
      var done = 0
      while done < count {
        let moved = step(done)
        if moved < 0, errno == EINTR { continue }
        if moved < 0 { failure = errno }
        if moved <= 0 { return moved < 0 ? -1 : done }
        done += moved
      }
      return done
    }
  }

  /// Starts a file in `descriptor`, which stays open when the handle is closed; `path` is for
  /// messages.
  package init(descriptor: Int32, path: String, isBig: Bool) throws(CodecError) {
    channel = Channel(descriptor)
    let user = unsafe Unmanaged.passUnretained(channel).toOpaque()
    guard let options = unsafe TIFFOpenOptionsAlloc() else {
      throw failure("cannot start the file")
    }
    defer { unsafe TIFFOpenOptionsFree(options) }
    unsafe channel.message.collect(options)
    unsafe tiff = TIFFClientOpenExt(
      path, isBig ? "wl8m" : "wlm", user,
      { user, buffer, count in
        guard let channel = unsafe Channel.of(user), let buffer = unsafe buffer else { return -1 }
        let count = Int(count)
        return tmsize_t(
          channel.transfer(count) { unsafe read(channel.descriptor, buffer + $0, count - $0) })
      },
      { user, buffer, count in
        guard let channel = unsafe Channel.of(user), let buffer = unsafe buffer else { return -1 }
        let count = Int(count)
        return tmsize_t(
          channel.transfer(count) { unsafe write(channel.descriptor, buffer + $0, count - $0) })
      },
      { user, offset, origin in
        guard let channel = unsafe Channel.of(user), let offset = Int(exactly: offset) else {
          return UInt64.max
        }
        return UInt64(bitPattern: Int64(lseek(channel.descriptor, offset, origin)))
      },
      { _ in 0 },
      { user in
        var status = stat()
        guard let channel = unsafe Channel.of(user), unsafe fstat(channel.descriptor, &status) == 0
        else {
          return 0
        }
        return UInt64(max(0, status.st_size))
      }, nil, nil, unsafe options)
    guard unsafe tiff != nil else { throw failure("cannot start the file") }
  }

  deinit {
    // Closes without writing: finish() has written the directory.
    if let tiff = unsafe tiff { unsafe TIFFCleanup(tiff) }
  }

  /// A value of the main directory.
  package enum Value {
    case short(Int)
    case long(Int)
    case offset(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    /// The meaning of the samples after the colors.
    case kinds([UInt16])
    /// Datasets of IPTC-IIM, which are padded to words.
    case iptc([UInt8])
  }

  /// Sets `tag` of the main directory.
  package func set(_ tag: UInt16, _ value: Value) throws(CodecError) {
    let tag = UInt32(tag)
    let result =
      switch value {
      case .short(let v): unsafe ctiff_set_short(tiff, tag, UInt16(clamping: v))
      case .long(let v): unsafe ctiff_set_long(tiff, tag, UInt32(clamping: v))
      case .offset(let v): unsafe ctiff_set_offset(tiff, tag, UInt64(clamping: v))
      case .real(let v): unsafe ctiff_set_real(tiff, tag, v)
      case .text(let v): unsafe ctiff_set_text(tiff, tag, v)
      case .bytes(let v): unsafe ctiff_set_bytes(tiff, tag, UInt32(clamping: v.count), v)
      case .kinds(let v): unsafe ctiff_set_bytes16(tiff, tag, UInt16(clamping: v.count), v)
      case .iptc(let v):
        unsafe Self.padded(v).withUnsafeBytes {
          unsafe ctiff_set_iptc(tiff, UInt32(clamping: $0.count), $0.baseAddress)
        }
      }
    guard result == 1 else { throw failure("cannot set tag \(tag)") }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Appends bytes to the file at an even offset, as directories require. `make` gets that offset,
  /// which is also the result.
  package func append(_ make: (_ offset: Int) -> [UInt8]) throws(CodecError) -> Int {
    let end = lseek(channel.descriptor, 0, SEEK_END)
    guard end >= 0 else {
      channel.failure = errno
      throw failure("cannot write the file")
    }
    let offset = end + end % 2
    let bytes = [UInt8](repeating: 0, count: offset - end) + make(offset)
    let written = unsafe bytes.withUnsafeBytes { buffer in
      channel.transfer(buffer.count) { done in
        unsafe write(
          channel.descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
      }
    }
    guard written == bytes.count else { throw failure("cannot write the file") }
    return offset
  }

  /// Writes a strip that is already compressed. Strips are written in order.
  package func writeStrip(
    _ index: Int, _ bytes: UnsafeMutableRawBufferPointer
  ) throws(CodecError) {
    guard
      unsafe TIFFWriteRawStrip(
        tiff, UInt32(clamping: index), bytes.baseAddress, tmsize_t(bytes.count))
        == tmsize_t(bytes.count)
    else { throw failure("cannot write the file") }
  }

  /// Writes the main directory; returns the length of the file.
  package func finish() throws(CodecError) -> Int {
    guard unsafe TIFFWriteDirectory(tiff) == 1, unsafe TIFFFlush(tiff) == 1 else {
      throw failure("cannot write the file")
    }
    return lseek(channel.descriptor, 0, SEEK_END)
  }

  private func failure(_ what: String) -> CodecError {
    channel.failure != 0
      ? CodecError(what, systemError: channel.failure)
      : CodecError("\(what): libtiff: \(channel.message.text)")
  }
}
