public import Containers

extension XMPPacket {
  /// Parses `bytes`, UTF-8 or UTF-16. Throws ``RecipeError/Code/malformed`` for what is no XMP, or
  /// exceeds the limits of size and depth; `path` is that of the error.
  public init(_ bytes: [UInt8], path: String? = nil) throws(RecipeError) {
    do throws(XMPFault) {
      try self.init(wellFormed: bytes)
    } catch {
      throw RecipeError(.malformed, error.message, path: path, line: error.line)
    }
  }
}
