public import Containers
public import ImageCore

extension XMPPacket {
  /// Parses `bytes`, UTF-8 or UTF-16. Throws ``RecipeError/Code/malformed`` for what is not XMP, or
  /// exceeds the limits of size, items and nesting; `path` is the path in the error.
  public init(
    _ bytes: [UInt8], path: String? = nil, limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) {
    do throws(XMPFault) {
      try self.init(wellFormed: bytes, limits: limits)
    } catch {
      throw RecipeError(.malformed, error.message, path: path, line: error.line)
    }
  }
}
