import CCrypto
import Foundation
import SystemPackage

/// SHA-256 of bytes and files, by OpenSSL; hexadecimal.
struct Digest: ~Copyable {
  private let context: OpaquePointer

  init() {
    // Both fail only without memory, as Swift's own allocations would.
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      fatalError("out of memory")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "SHA-256 never fails")
  }

  func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  consuming func hexadecimal() -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    precondition(EVP_DigestFinal_ex(context, &bytes, nil) == 1, "SHA-256 never fails")
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Of a text.
  static func of(_ text: String) -> String {
    let digest = Digest()
    digest.update(text)
    return digest.hexadecimal()
  }

  /// Of bytes.
  static func of(_ bytes: [UInt8]) -> String {
    let digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal()
  }

  /// Of the file at `path`. Throws ``BatchError``.
  static func of(file path: FilePath) throws(BatchError) -> String {
    let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw BatchError(.cannotRead, "cannot open the file: \(BatchError.reason())", path: path)
    }
    defer { close(descriptor) }
    let digest = Digest()
    let size = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw BatchError(.cannotRead, "cannot read the file: \(BatchError.reason())", path: path)
      }
      if count == 0 { return digest.hexadecimal() }
      digest.update(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }
}
