import CMappedFile
package import Foundation
package import ImageCore

/// The bytes of one file, read only: a file mapped into memory, a small one read into it, or bytes
/// handed over. Every read is checked against the length; one that does not fit gives nil. With
/// them go the limits on what the file may cost, and the clock that runs since it was opened.
///
/// When another program truncates a mapped file while it is read, or its disk fails, the lost part
/// reads as zeros, and ``checkReading()`` fails from then on. A file that is replaced or removed is
/// read as it was.
@safe package final class FileBytes: @unchecked Sendable {
  /// The file; nil for bytes handed over.
  package let path: String?
  /// Which file it is; nil for bytes handed over.
  package let identity: FileIdentity?
  /// Number of bytes.
  @usableFromInline package let count: Int
  @usableFromInline let start: UnsafeMutableRawPointer
  /// The mapping; nil for what is in memory.
  private let mapping: OpaquePointer?
  /// What the file may cost.
  package let limits: DecodeLimits
  /// The time since it was opened.
  package let clock: DecodeClock

  /// Files of up to this many bytes are read: that is no slower than mapping them.
  static let maxReadBytes = 1 << 20

  /// The file at `path`. Fails when it is not there, is no ordinary file, may not be read, is
  /// empty, or is longer than the limit.
  package init(path: String, limits: DecodeLimits = DecodeLimits()) throws(FormatError) {
    // O_NONBLOCK: opening a pipe without a writer would block.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.refusal(errno, path) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.refusal(errno, path) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw FormatError(.cannotRead, "this is a folder; name the files in it", path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FormatError(
        .cannotRead, "this is not a regular file; copy it to a disk first", path: path)
    }
    let size = Int(status.st_size)
    guard size > 0 else {
      throw FormatError(.empty, "the file is empty; copy it again", path: path)
    }
    guard size <= limits.maxFileBytes else { throw limits.tooLong(size).at(path) }
    if size > Self.maxReadBytes {
      guard let file = unsafe cmapped_file_open(descriptor, size) else {
        throw Self.refusal(errno, path)
      }
      unsafe (mapping, start) = (file, cmapped_file_start(file))
    } else {
      unsafe (mapping, start) = (nil, try Self.read(size, from: descriptor, path))
    }
    self.path = path
    identity = FileIdentity(status)
    count = size
    (self.limits, clock) = (limits, DecodeClock(limits))
  }

  /// The file at `url`. Fails for a URL that is not a file URL.
  package convenience init(_ url: URL, limits: DecodeLimits = DecodeLimits()) throws(FormatError) {
    guard url.isFileURL else {
      throw FormatError(
        .cannotRead, "this is not a file URL; download it and open that file",
        path: url.absoluteString)
    }
    try self.init(path: url.path, limits: limits)
  }

  /// A copy of `bytes`. Fails when there are none, or more than the limit.
  package convenience init(
    _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(FormatError) {
    try self.init(bytes, limits, DecodeClock(limits))
  }

  /// A copy of `bytes` that came out of `file`: as a file of its own within the same limits.
  package convenience init(_ bytes: [UInt8], of file: FileBytes) throws(FormatError) {
    try self.init(bytes, file.limits, file.clock)
  }

  private init(
    _ bytes: [UInt8], _ limits: DecodeLimits, _ clock: DecodeClock
  ) throws(FormatError) {
    guard !bytes.isEmpty else {
      throw FormatError(.empty, "the data are empty; pass the complete file")
    }
    guard bytes.count <= limits.maxFileBytes else { throw limits.tooLong(bytes.count) }
    (path, identity) = (nil, nil)
    count = bytes.count
    (self.limits, self.clock) = (limits, clock)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe copy.copyBytes(from: bytes)
    guard let first = copy.baseAddress else {
      throw FormatError(.tooLarge, "there is not enough memory to hold it")
    }
    unsafe (mapping, start) = (nil, first)
  }

  deinit {
    if let mapping = unsafe mapping {
      unsafe cmapped_file_close(mapping)
    } else {
      unsafe start.deallocate()
    }
  }

  private static func read(
    _ size: Int, from descriptor: Int32, _ path: String
  ) throws(FormatError) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    var done = 0
    while done < size {
      let got = unsafe pread(descriptor, memory + done, size - done, off_t(done))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        let code = errno
        unsafe memory.deallocate()
        throw got < 0 ? refusal(code, path) : loss(path)
      }
      done += got
    }
    return unsafe memory
  }

  private static func refusal(_ code: Int32, _ path: String) -> FormatError {
    let reason =
      switch code {
      case ENOENT, ENOTDIR: "there is no such file; check the path"
      case EACCES, EPERM: "the file may not be read; change its permissions"
      default: "the file cannot be read: \(unsafe String(cString: strerror(code)))"
      }
    return FormatError(.cannotRead, reason, path: path)
  }

  private static func loss(_ path: String?) -> FormatError {
    FormatError(
      .cannotRead,
      "the file became shorter while it was read, or its disk failed; open it again", path: path)
  }

  /// Throws when a part of the file that was read was lost, when the work of the calling thread is
  /// cancelled, or when the file's time is over. To be called after the last read.
  package func checkReading() throws(FormatError) {
    if isLost { throw Self.loss(path) }
    do { try Cancellation.check() } catch { throw FormatError(error).at(path) }
    if clock.isOver { throw limits.overTime.at(path) }
  }

  /// Whether a lost part was read as zeros.
  package var isLost: Bool { unsafe mapping.map { unsafe cmapped_file_is_lost($0) } ?? false }

  /// What `read` gives or throws, unless a part of the file was lost by then: that is the reason.
  package func reading<Value, Failure: Error>(
    _ failure: (FormatError) -> Failure, _ read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = Result(catching: read)
    if isLost { throw failure(Self.loss(path)) }
    return try result.get()
  }

  /// Gives the memory of a mapped file back; what is read again comes from the file.
  package func releaseMemory() {
    if unsafe mapping != nil { _ = unsafe madvise(start, count, MADV_DONTNEED) }
  }

  /// Whether `length` bytes from `offset` on are there.
  @inlinable package func holds(_ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// The entire file, for a C library; valid as long as this object.
  @inlinable package var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// `length` bytes from `offset` on.
  package func bytes(_ offset: Int, _ length: Int) -> [UInt8]? {
    unsafe holds(offset, length) ? Array(buffer[offset..<offset + length]) : nil
  }

  /// An unsigned integer of the width of `T` at `offset`.
  @inlinable
  package func integer<T: FixedWidthInteger>(
    _ type: T.Type, at offset: Int, bigEndian: Bool
  ) -> T? {
    guard holds(offset, MemoryLayout<T>.size) else { return nil }
    let value = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: T.self)
    return bigEndian ? T(bigEndian: value) : T(littleEndian: value)
  }

  /// Whether the bytes at `offset` equal `text`.
  package func matches(_ text: String, at offset: Int) -> Bool {
    unsafe holds(offset, text.utf8.count)
      && buffer[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
  }
}
