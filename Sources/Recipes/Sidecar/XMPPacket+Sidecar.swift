public import Containers

extension XMPPacket {
  /// The packet that `bytes` are, UTF-8 or UTF-16. Throws ``RecipeError/Code/malformed`` for all
  /// that is no XMP, or larger or deeper than XMP has reason to be; `path` names the file in that
  /// error.
  public init(_ bytes: [UInt8], path: String? = nil) throws(RecipeError) {
    do throws(XMPFault) {
      try self.init(wellFormed: bytes)
    } catch {
      throw RecipeError(.malformed, error.message, path: path, line: error.line)
    }
  }
}
