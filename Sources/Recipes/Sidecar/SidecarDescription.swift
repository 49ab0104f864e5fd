import Containers

/// The descriptive metadata of another program's sidecar, as an XMP packet: rating, label,
/// keywords, rights, captions, locations. Excludes settings of the development and copies of
/// the raw's own metadata.
enum SidecarDescription {
  /// darktable's color labels by number, under the names that Lightroom gives to colors and
  /// darktable reads. RawTherapee counts the same ones from 1 on.
  private static let labels = ["Red", "Yellow", "Green", "Blue", "Purple"]

  /// The descriptive part of an XMP sidecar; nil without any.
  static func packet(_ bytes: [UInt8]) -> [UInt8]? {
    let properties = XMPSelection(bytes, where: FinishedProperties.isOfSidecars)
    var descriptions = properties.descriptions
    if !properties.names.contains(.label) {
      let numbers = XMPPacket(lenient: bytes).texts(.darktable, "colorlabels").compactMap {
        Int($0)
      }
      if let label = numbers.first.flatMap(label) {
        var description = XMPDescription()
        description.add(.basic, XMPName.label.name, label)
        descriptions.append(description.text)
      }
    }
    return descriptions.isEmpty ? nil : XMPWriter.packet(descriptions: descriptions)
  }

  private static func label(_ number: Int) -> String? {
    labels.indices.contains(number) ? labels[number] : nil
  }

  // MARK: RawTherapee

  private typealias Property = (namespace: XMPNamespace, name: String, list: XMPDescription.List?)

  /// The keys of the group IPTC in a processing profile, as RawTherapee 5.9 writes them.
  private static let iptc: [String: Property] = [
    "Caption": (.dublinCore, "description", .languages),
    "CaptionWriter": (.photoshop, "CaptionWriter", nil),
    "Category": (.photoshop, "Category", nil), "City": (.photoshop, "City", nil),
    "Copyright": (.dublinCore, "rights", .languages), "Country": (.photoshop, "Country", nil),
    "Creator": (.dublinCore, "creator", .sequence),
    "CreatorJobTitle": (.photoshop, "AuthorsPosition", nil),
    "Credit": (.photoshop, "Credit", nil), "DateCreated": (.photoshop, "DateCreated", nil),
    "Headline": (.photoshop, "Headline", nil), "Instructions": (.photoshop, "Instructions", nil),
    "Keywords": (.dublinCore, "subject", .bag), "Province": (.photoshop, "State", nil),
    "Source": (.photoshop, "Source", nil),
    "SupplementalCategories": (.photoshop, "SupplementalCategories", .bag),
    "Title": (.dublinCore, "title", .languages),
    "TransReference": (.photoshop, "TransmissionReference", nil),
  ]

  /// Names of groups and keys are not longer, in bytes.
  private static let longestName = 64

  /// The descriptive part of a processing profile of RawTherapee (GLib's key file): rank and color
  /// label of the group General, and the group IPTC; nil without any.
  static func packet(profile bytes: [UInt8]) -> [UInt8]? {
    var description = XMPDescription()
    var isEmpty = true
    var group = ""
    for part in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = String(decoding: part, as: UTF8.self).trimmingSpace
      if line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
        group = line.utf8.count <= longestName ? String(line.dropFirst().dropLast()) : ""
        continue
      }
      guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(line[..<equals]).trimmingSpace
      let values = Self.values(line.utf8[equals...].dropFirst())
      guard key.utf8.count <= longestName, let first = values.first else { continue }
      switch (group, key) {
      case ("General", "Rank"): description.add(.basic, XMPName.rating.name, first)
      case ("General", "ColorLabel"):
        guard let label = Int(first).flatMap({ label($0 &- 1) }) else { continue }
        description.add(.basic, XMPName.label.name, label)
      case ("IPTC", _):
        guard let property = iptc[key] else { continue }
        if let list = property.list {
          let all = list == .languages ? [first] : values
          description.add(property.namespace, property.name, list, all)
        } else {
          description.add(property.namespace, property.name, first)
        }
      default: continue
      }
      isEmpty = false
    }
    return isEmpty ? nil : XMPWriter.packet(descriptions: [description.text])
  }

  /// The values of a list, each closed by a semicolon, with GLib's escapes.
  private static func values(_ text: Substring.UTF8View) -> [String] {
    let escapes: [UInt8: UInt8] = [0x6E: 0x0A, 0x74: 0x09, 0x72: 0x0D, 0x73: 0x20]
    var values: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      case UInt8(ascii: ";") where !isEscaped: values.append([])
      default: values[values.count - 1].append(isEscaped ? escapes[byte] ?? byte : byte)
      }
      isEscaped = false
    }
    return values.map { String(decoding: $0, as: UTF8.self).trimmingSpace }
      .filter { !$0.isEmpty }
  }
}
