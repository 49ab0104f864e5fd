/// What is wrong with an XMP packet, and where.
public struct XMPFault: Error, Sendable, Hashable {
  /// The kinds of fault. What is read and what is edited is refused in other words, both here.
  public enum Kind: Sendable, Hashable {
    /// No well-formed XML; says what exactly.
    case malformed(String)
    /// A document type or entities, which XMP does not have; they are the way to make a parser
    /// expand kilobytes to gigabytes or open other files.
    case documentType
    case tooDeep, tooManyElements, tooManyAttributes, tooManyNamespaces
    case tooLarge, notUnicode, empty, noRDF
  }

  /// What is wrong.
  public let kind: Kind
  /// Line of the packet, from 1; nil where the whole is at fault.
  public let line: Int?

  init(_ kind: Kind, line: Int? = nil) {
    self.kind = kind
    self.line = line
  }

  /// What happened and what to do next, to who wanted to read.
  public var message: String {
    switch kind {
    case .malformed: "the XMP is no well-formed XML; save it again with the program that made it"
    case .documentType:
      "the XMP declares a document type or entities, which XMP does not have; remove them"
    case .tooDeep: "the XMP is nested more than \(XMLTree.maxDepth) levels deep"
    case .tooManyElements: "the XMP has more than \(XMLTree.maxCount) elements and attributes"
    case .tooManyAttributes:
      "an element of the XMP has more than \(XMLTree.maxAttributes) attributes"
    case .tooManyNamespaces: "the XMP has more than \(XMLTree.maxNamespaces) namespaces"
    case .tooLarge: "the XMP is larger than 8 MiB; save it again without what is no setting"
    case .notUnicode:
      "the XMP is neither UTF-8 nor UTF-16; save it again with the program that made it"
    case .empty: "the XMP is empty; save it again or remove it"
    case .noRDF:
      "the file is XML, but no XMP (it has no rdf:RDF); remove it or save it again"
    }
  }

  /// The same to who wanted to edit the packet within a picture.
  var refusal: FormatError {
    let what =
      switch kind {
      case .malformed(let what): what
      case .documentType: "it has a DOCTYPE"
      case .tooDeep, .tooManyNamespaces: "it is nested too deeply"
      case .tooManyElements, .tooManyAttributes, .tooLarge: "it is too large"
      case .notUnicode: "it is neither UTF-8 nor UTF-16"
      case .empty, .noRDF: "it has no RDF"
      }
    return FormatError(
      .unsupported, "its XMP cannot be edited: \(what); save it anew elsewhere")
  }
}
