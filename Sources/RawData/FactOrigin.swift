/// Where a raw's colors, levels or crop come from.
public struct FactOrigin: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kinds of origin.
  public enum Kind: String, Sendable, Codable {
    /// The file says it.
    case file
    /// LibRaw says it of this camera, from the file or from a table of its own.
    case libRaw
    /// The table of this package says it of this camera.
    case table
    /// LibRaw took it from another camera.
    case relative
    /// Measured in samples that got no light.
    case masked
    /// Nothing is known.
    case none
  }

  /// The kind of origin.
  public var kind: Kind
  /// LibRaw's version, the origin of the table's entry, or the other camera; empty where the kind
  /// says all, and for a camera that is not known.
  public var name: String

  /// An origin of this kind.
  public init(_ kind: Kind, _ name: String = "") {
    (self.kind, self.name) = (kind, name)
  }

  package static let file = FactOrigin(.file)
  package static let none = FactOrigin(.none)

  /// For people, such as `table (LibRaw 0.22)`.
  public var description: String {
    switch kind {
    case .file: "the file"
    case .libRaw: "LibRaw \(name)"
    case .table: "table (\(name))"
    case .relative: name.isEmpty ? "another camera" : "another camera (\(name))"
    case .masked: "masked pixels"
    case .none: "none"
    }
  }
}
