import CKernels

/// MD5 (RFC 1321), which DNG asks for (NewRawImageDigest) and archives list files by. No protection
/// against forgery.
package struct MD5: Sendable {
  private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
  /// The bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var count = 0

  package init() {}

  /// Adds `bytes`, which follow the previous ones.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    var bytes = unsafe bytes
    if !rest.isEmpty {
      let head = min(64 - rest.count, bytes.count)
      unsafe rest += bytes[..<head]
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[head...])
      guard rest.count == 64 else { return }
      unsafe rest.withUnsafeBytes { unsafe addBlocks($0) }
      rest = []
    }
    let blocks = bytes.count / 64 * 64
    unsafe addBlocks(UnsafeRawBufferPointer(rebasing: bytes[..<blocks]))
    unsafe rest += bytes[blocks...]
  }

  private mutating func addBlocks(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    unsafe ck_md5(&state, start.assumingMemoryBound(to: UInt8.self), Int64(bytes.count / 64))
  }

  /// The digest, 16 bytes, of all bytes added.
  package func digest() -> [UInt8] {
    var end = self
    let length = UInt64(count * 8)
    let tail =
      [0x80] + [UInt8](repeating: 0, count: (119 - count % 64) % 64)
      + length.bytes(bigEndian: false)
    unsafe tail.withUnsafeBytes { unsafe end.add($0) }
    return end.state.flatMap { $0.bytes(bigEndian: false) }
  }

  /// The digest of `bytes`.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var sum = MD5()
    unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
    return sum.digest()
  }

  /// `digest` as 32 digits.
  package static func text(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension FileBytes {
  /// The MD5 of the file.
  package var md5: [UInt8] {
    var sum = MD5()
    unsafe sum.add(buffer)
    return sum.digest()
  }
}
