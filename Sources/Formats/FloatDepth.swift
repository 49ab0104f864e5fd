/// Bits of a floating-point sample.
public enum FloatDepth: Int, Sendable, Hashable, CaseIterable {
  /// IEEE 754 half precision: 11 significant bits, up to 65504.
  case half = 16
  /// Single precision.
  case float = 32
}
