import CXXHash
import ImageCore
import SystemPackage

/// XXH3 in 128 bits of bytes and files, by libxxhash; hexadecimal, as `xxh128sum` prints it.
///
/// It tells a file that was changed from one that was not, as media hash lists (ASC MHL) do with
/// it, at the speed of memory: SHA-256 of a TIFF without compression takes a sixth of the time of
/// developing it. It is no proof against somebody who forges a file.
@safe package struct Digest: ~Copyable {
  // Valid from `init` to `deinit`, and never passed out.
  private let state: OpaquePointer

  private init() {
    // Fails only without memory, as Swift's own allocations would.
    guard let state = unsafe XXH3_createState(), unsafe XXH3_128bits_reset(state) == XXH_OK else {
      fatalError("out of memory")
    }
    unsafe self.state = state
  }

  deinit { _ = unsafe XXH3_freeState(state) }

  private func update(_ bytes: Span<UInt8>) {
    let result = unsafe bytes.withUnsafeBytes {
      unsafe XXH3_128bits_update(state, $0.baseAddress, $0.count)
    }
    precondition(result == XXH_OK, "XXH3 never fails")
  }

  private consuming func hexadecimal() -> String {
    let digest = unsafe XXH3_128bits_digest(state)
    return UInt64(digest.high64).hexadecimal + UInt64(digest.low64).hexadecimal
  }

  /// Of a text in UTF-8.
  static func of(_ text: String) -> String { of(Array(text.utf8)) }

  /// Of bytes.
  package static func of(_ bytes: [UInt8]) -> String {
    let digest = Digest()
    digest.update(bytes.span)
    return digest.hexadecimal()
  }

  /// Of the regular file at `path`, read in chunks that fit the cache. Throws
  /// ``BatchError/Code/cannotRead``, also where it has more than `longest` bytes; it is not read
  /// then.
  static func of(file path: FilePath, longest: Int64 = .max) throws(BatchError) -> String {
    let input: Descriptor
    do { input = try Descriptor(regular: path) } catch {
      throw BatchError(.cannotRead, "cannot open the file: \(error)", path: path)
    }
    let count = input.file.byteCount
    guard count <= longest else {
      throw BatchError(
        .cannotRead, "\(count) bytes are more than the limit of \(longest); name a shorter file",
        path: path)
    }
    do { return try of(open: input.file, upTo: count) } catch {
      throw BatchError(.cannotRead, "cannot read the file: \(error)", path: path)
    }
  }

  /// Of a file that is open, from its start up to `end`, in chunks that fit the cache.
  /// Throws `Errno`.
  static func of(open file: FileDescriptor, upTo end: Int64 = .max) throws -> String {
    let digest = Digest()
    try file.forEachChunk(upTo: end) { digest.update($0) }
    return digest.hexadecimal()
  }
}
