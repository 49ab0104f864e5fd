/// Origin of a value of an effective recipe.
public struct RecipeOrigin: Sendable, Hashable {
  /// The kinds of layers, weakest first.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// The defaults of the program.
    case engine
    /// A rule for a camera.
    case camera
    /// A rule for a camera at some ISO speeds.
    case cameraISO
    /// A rule for a lens.
    case lens
    /// Defaults of a folder.
    case folder
    /// A recipe that the caller names, or one that it extends.
    case recipe
    /// The XMP of another program, in a sidecar or in the raw.
    case xmp
    /// rawdev's own sidecar.
    case sidecar
    /// Settings of the caller.
    case commandLine

    /// Weaker layers come first.
    public static func < (a: Kind, b: Kind) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The kind of layer.
  public var kind: Kind
  /// The layer as messages call it, `sidecar /a/b.CR2.rawdev.yaml`.
  public var source: String
  /// The document; nil without one.
  public var path: String?
  /// Line of the value in the document, from 1.
  public var line: Int?
  /// The folder that relative paths in the document start from; nil where it is no file.
  var folder: [UInt8]?

  /// An origin.
  public init(_ kind: Kind, _ source: String, path: String? = nil, line: Int? = nil) {
    (self.kind, self.source, self.path, self.line) = (kind, source, path, line)
  }

  /// The source, and the line if known.
  public var text: String { line.map { "\(source), line \($0)" } ?? source }

  /// The beginning of messages about a value in no document.
  var prefix: String { path == nil ? "\(source): " : "" }
}
