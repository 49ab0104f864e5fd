public import ImageCore

/// Why an XMP packet cannot be read or edited.
public struct XMPFault: MessageError, Sendable, Hashable {
  /// What is wrong with a packet to be read, and what to do next, one line.
  public let message: String
  /// The same in few words.
  package let detail: String
  /// Line of the packet, from 1; nil where the entire packet is invalid.
  public internal(set) var line: Int?

  private init(_ message: String, detail: String) {
    (self.message, self.detail) = (message, detail)
  }

  /// The same for a packet to be edited within a picture.
  var refusal: FormatError {
    FormatError(
      .unsupported, "its XMP cannot be edited: \(detail); save it again in another program")
  }

  static func malformed(_ detail: String) -> XMPFault {
    XMPFault(
      "the XMP is not well-formed XML; save it again with the program that made it", detail: detail)
  }
  /// Document types are the way to make a parser expand kilobytes to gigabytes or open other files.
  static let documentType = XMPFault(
    "the XMP declares a document type or entities, which XMP does not allow; remove them",
    detail: "it has a DOCTYPE")
  static func tooDeep(_ limits: DecodeLimits) -> XMPFault {
    XMPFault(limits.tooDeep("elements of XMP").message, detail: "it is nested too deeply")
  }
  static func tooManyItems(_ limits: DecodeLimits) -> XMPFault {
    XMPFault(
      limits.tooMany("elements and attributes of XMP").message, detail: "it is too large")
  }
  static let tooManyNamespaces = XMPFault(
    "the XMP has more than \(FormatLimits.namespaces) namespaces; save it again without some",
    detail: "it has too many namespaces")
  static let tooLarge = XMPFault(
    "the XMP is larger than 8 MiB; save it again with its settings only",
    detail: "it is too large")
  static let notUnicode = XMPFault(
    "the XMP is neither UTF-8 nor UTF-16; save it again with the program that made it",
    detail: "it is neither UTF-8 nor UTF-16")
  static let notUTF8 = XMPFault(
    "the XMP is UTF-16, which is read but not edited; save it again as UTF-8",
    detail: "it is UTF-16")
  static let unusualRating = XMPFault(
    "the XMP has an unusual form, to which no rating can be written; save it again with the "
      + "program that made it, or set the rating there",
    detail: "its rating has an unusual form")
  static let empty = XMPFault(
    "the XMP is empty; save it again or remove it", detail: "it is empty")
  static let noRDF = XMPFault(
    "the file is XML but not XMP: it has no rdf:RDF; remove it or save it again",
    detail: "it has no RDF")
}
