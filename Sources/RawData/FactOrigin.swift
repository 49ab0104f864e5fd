/// Where a raw's colors, levels or crop come from.
public struct FactOrigin: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kinds of origin.
  public enum Kind: String, Sendable, Codable {
    /// Stated in the file.
    case file
    /// Stated by LibRaw for this camera, from the file or from a table in LibRaw.
    case libRaw
    /// Stated in this package's camera table.
    case table
    /// LibRaw uses the values of another camera.
    case relative
    /// Measured in masked (optically black) samples.
    case masked
    /// Unknown.
    case none
  }

  /// The kind of origin.
  public var kind: Kind
  /// LibRaw's version, the source of the table entry, or the other camera. Empty if the kind says
  /// everything, or if the camera is unknown.
  public var name: String

  /// An origin of this kind.
  public init(_ kind: Kind, _ name: String = "") {
    (self.kind, self.name) = (kind, name)
  }

  package static let file = FactOrigin(.file)
  package static let none = FactOrigin(.none)

  /// For display, such as `table (LibRaw 0.22)`.
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
