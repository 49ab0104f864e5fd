/// In the XMP of a file, the file it was made from: `xmpMM:DerivedFrom`, a ResourceRef (XMP
/// specification part 2, 1.2.4 and 2.2) with the source's name as `stRef:filePath` and its MD5 as
/// `stRef:instanceID`, `md5:` and 32 hexadecimal digits. An instance ID stands for one state of a
/// file, byte for byte; so does a digest, which can be recomputed.
package struct XMPSourceReference: Sendable, Hashable {
  /// Name of the source, without folders.
  package var name: String
  /// MD5 of the source.
  package var md5: [UInt8]
  /// What was made of it (`stRef:renditionParams`); empty for all of it as it is.
  package var rendition = ""

  private static let property = XMPName(.media, "DerivedFrom")
  private static let instance = XMPName(.reference, "instanceID")
  private static let parameters = XMPName(.reference, "renditionParams")
  private static let document = XMPName(.reference, "documentID")
  private static let scheme = "md5:"

  /// A reference to the file `name` whose bytes have this MD5.
  package init(name: String, md5: [UInt8], rendition: String = "") {
    (self.name, self.md5, self.rendition) = (name, md5, rendition)
  }

  /// What a file with `packet` was made of: the digest of a file, else the ID of a document; nil
  /// where it names none.
  package static func document(in packet: [UInt8]) -> String? {
    let source = XMPPacket(lenient: XMPPacket.utf8(packet) ?? [])[property]
    if let digest = source?[instance]?.text, digest.begins(with: scheme) { return digest }
    return source?[document]?.text
  }

  /// What `packet` says was made of the source.
  package static func rendition(in packet: [UInt8]) -> String {
    XMPPacket(lenient: XMPPacket.utf8(packet) ?? [])[property]?[parameters]?.text ?? ""
  }

  /// A file with this MD5 as ``document(in:)`` names it.
  package static func document(md5: [UInt8]) -> String { scheme + MD5.text(md5) }

  /// The MD5 of the source that `packet` names; nil where it names none so.
  package static func md5(in packet: [UInt8]) -> [UInt8]? {
    let properties = XMPPacket(lenient: XMPPacket.utf8(packet) ?? [])
    guard let text = properties[property]?[instance]?.text, text.begins(with: scheme),
      text.utf8.count == scheme.utf8.count + 32
    else { return nil }
    let digits = text.dropFirst(scheme.count).compactMap(\.hexDigitValue).map { UInt8($0) }
    guard digits.count == 32 else { return nil }
    return (0..<16).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  /// `packet` with this reference instead of any other. In a sound packet everything else stays
  /// byte for byte, else all properties stay. Throws where not all of them can be read.
  package func added(to packet: [UInt8]?) throws(XMPFault) -> [UInt8] {
    var description = XMPDescription(.media, .reference)
    description.add(
      .media, Self.property.name,
      fields: (name.isEmpty ? [] : [(.reference, "filePath", name)]) + [
        (.reference, Self.instance.name, Self.document(md5: md5))
      ] + (rendition.isEmpty ? [] : [(.reference, Self.parameters.name, rendition)]))
    return try XMPWriter.edited(packet, Self.property, by: description)
  }
}
