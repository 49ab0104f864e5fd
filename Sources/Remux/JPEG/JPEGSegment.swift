import Containers
import Readers

extension JPEGIdentifier {
  /// The complete segment. Throws, naming `what`, when `body` does not fit.
  func segment(_ body: [UInt8], _ what: String) throws(ReadError) -> [UInt8] {
    guard body.count <= longestBody else {
      throw ReadError(
        .unsupported,
        "\(what) takes \(name.utf8.count + body.count) bytes, a JPEG segment \(Self.longest); "
          + "shorten it first")
    }
    return segment(body)
  }
}
