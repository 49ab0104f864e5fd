import CCrypto
import SystemPackage

/// SHA-256 of bytes and files, by OpenSSL; hexadecimal.
@safe struct Digest: ~Copyable {
  // Valid from `init` to `deinit`, and never handed out.
  private let context: OpaquePointer

  private init() {
    // Both fail only without memory, as Swift's own allocations would.
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { fatalError("out of memory") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  private func update(_ bytes: Span<UInt8>) {
    let result = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    precondition(result == 1, "SHA-256 never fails")
  }

  private consuming func hexadecimal() -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    precondition(unsafe EVP_DigestFinal_ex(context, &bytes, nil) == 1, "SHA-256 never fails")
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Of a text in UTF-8.
  static func of(_ text: String) -> String { of(Array(text.utf8)) }

  /// Of bytes.
  static func of(_ bytes: [UInt8]) -> String {
    let digest = Digest()
    digest.update(bytes.span)
    return digest.hexadecimal()
  }

  /// Of the file at `path`, read in pieces of 1 MiB. Throws ``BatchError/Code/cannotRead``.
  static func of(file path: FilePath) throws(BatchError) -> String {
    let input: Descriptor
    do { input = try Descriptor(path) } catch {
      throw BatchError(.cannotRead, "cannot open the file: \(error)", path: path)
    }
    let digest = Digest()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    do {
      while true {
        let count = try input.file.read(into: &buffer)
        if count == 0 { return digest.hexadecimal() }
        digest.update(buffer.span.extracting(0..<count))
      }
    } catch {
      throw BatchError(.cannotRead, "cannot read the file: \(error)", path: path)
    }
  }
}
