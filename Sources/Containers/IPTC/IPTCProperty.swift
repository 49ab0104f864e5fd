package import ImageCore

/// A dataset of IPTC-IIM and the property of XMP that means the same.
///
/// Source: IPTC Photo Metadata Standard 2022.1, "IPTC Core" with its mapping to IIM; lengths from
/// IIM 4.2. XMP is what is worked with: datasets of a source fill up what its XMP lacks, and a file
/// that gets datasets has the values of its XMP in them, since readers that find two different ones
/// would have to choose (Metadata Working Group, guidelines 2.0, chapter 3).
package struct IPTCProperty: Sendable {
  /// How several values of a property are stored.
  private enum Kind { case text, bag, sequence, languages }

  private let dataset: UInt8
  private let namespace: XMPNamespace
  private let name: String
  private let kind: Kind
  /// Bytes of a value of the dataset.
  private let maxBytes: Int

  private init(
    _ dataset: UInt8, _ namespace: XMPNamespace, _ name: String, _ kind: Kind, _ maxBytes: Int
  ) {
    (self.dataset, self.namespace, self.name) = (dataset, namespace, name)
    (self.kind, self.maxBytes) = (kind, maxBytes)
  }

  private static let all = [
    IPTCProperty(5, .dublinCore, "title", .languages, 64),
    IPTCProperty(10, .photoshop, "Urgency", .text, 1),
    IPTCProperty(15, .photoshop, "Category", .text, 3),
    IPTCProperty(20, .photoshop, "SupplementalCategories", .bag, 32),
    IPTCProperty(25, .dublinCore, "subject", .bag, 64),
    IPTCProperty(40, .photoshop, "Instructions", .text, 256),
    IPTCProperty(80, .dublinCore, "creator", .sequence, 32),
    IPTCProperty(85, .photoshop, "AuthorsPosition", .text, 32),
    IPTCProperty(90, .photoshop, "City", .text, 32),
    IPTCProperty(92, .iptcCore, "Location", .text, 32),
    IPTCProperty(95, .photoshop, "State", .text, 32),
    IPTCProperty(100, .iptcCore, "CountryCode", .text, 3),
    IPTCProperty(101, .photoshop, "Country", .text, 64),
    IPTCProperty(103, .photoshop, "TransmissionReference", .text, 32),
    IPTCProperty(105, .photoshop, "Headline", .text, 256),
    IPTCProperty(110, .photoshop, "Credit", .text, 32),
    IPTCProperty(115, .photoshop, "Source", .text, 32),
    IPTCProperty(116, .dublinCore, "rights", .languages, 128),
    IPTCProperty(120, .dublinCore, "description", .languages, 2000),
    IPTCProperty(122, .photoshop, "CaptionWriter", .text, 32),
  ]
  /// The names of all of these properties, and of Lightroom's keywords with their hierarchy.
  package static let names = Set(
    all.map { XMPName($0.namespace, $0.name) } + [
      dateCreated, XMPName(.lightroom, "hierarchicalSubject"),
    ])

  private static let dateCreated = XMPName(.photoshop, "DateCreated")
  /// Date and time of creation.
  private static let (date, time): (UInt8, UInt8) = (55, 60)
  /// Coded character set, in the envelope, and its value for UTF-8.
  private static let (characterSet, utf8): (UInt8, [UInt8]) = (90, [0x1B, 0x25, 0x47])
  /// Version of the application record.
  private static let version = IPTCDataset(2, 0, [0, 4])
  /// Caption as a bitmap, sound, and previews: not of the written picture.
  private static let binary: Set<UInt8> = [125, 150, 151, 152, 153, 154, 200, 201, 202]

  private var xmpName: XMPName { XMPName(namespace, name) }

  // MARK: To XMP

  /// An element `rdf:Description` with the properties of the datasets `iim`, except the ones in
  /// `names`, nil for none; and whether its lists, which have at most `room` values together, are
  /// complete.
  static func description(
    of iim: [UInt8], besides names: Set<XMPName>, room: Int, limits: DecodeLimits
  ) -> (text: String?, isComplete: Bool) {
    let datasets = IPTCDataset.all(in: iim, limits: limits)
    let isUTF8 = Self.isUTF8(datasets)
    // By number, since they are looked for once for each property.
    var values = [[[UInt8]]](repeating: [], count: 256)
    for dataset in datasets where dataset.record == 2 {
      values[Int(dataset.number)].append(dataset.value)
    }
    func texts(_ number: UInt8) -> [String] {
      values[Int(number)].map { text($0, isUTF8: isUTF8).trimmingSpace }.filter { !$0.isEmpty }
    }
    var description = XMPDescription()
    var (isEmpty, isComplete, room) = (true, true, max(room, 0))
    func listed(_ values: [String]) -> [String] {
      let part = values.prefix(room)
      room -= part.count
      if part.count < values.count { isComplete = false }
      return Array(part)
    }
    for property in all where !names.contains(property.xmpName) {
      let values = texts(property.dataset)
      guard let first = values.first else { continue }
      isEmpty = false
      switch property.kind {
      case .text: description.add(property.namespace, property.name, first)
      case .languages: description.add(property.namespace, property.name, .languages, [first])
      case .bag: description.add(property.namespace, property.name, .bag, listed(values))
      case .sequence:
        description.add(property.namespace, property.name, .sequence, listed(values))
      }
    }
    if !names.contains(dateCreated), let day = texts(date).first,
      let created = isoDate(day, texts(time).first)
    {
      description.add(.photoshop, dateCreated.name, created)
      isEmpty = false
    }
    return (isEmpty ? nil : description.text, isComplete)
  }

  private static func isUTF8(_ datasets: [IPTCDataset]) -> Bool {
    datasets.contains { $0.record == 1 && $0.number == characterSet && $0.value == utf8 }
  }

  /// Without a declaration of the character set UTF-8 where the bytes are that, else Latin 1.
  private static func text(_ bytes: [UInt8], isUTF8: Bool) -> String {
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
  }

  /// `CCYYMMDD` and `HHMMSS±HHMM` as XMP has them; nil for a date that is none.
  private static func isoDate(_ date: String, _ time: String?) -> String? {
    func digits(_ text: Substring, _ groups: [Int], _ separator: String) -> String? {
      guard text.utf8.count == groups.reduce(0, +), text.allSatisfy({ $0.isASCII && $0.isNumber })
      else { return nil }
      var rest = text
      return groups.map { count in
        defer { rest = rest.dropFirst(count) }
        return String(rest.prefix(count))
      }.joined(separator: separator)
    }
    guard let day = digits(date[...], [4, 2, 2], "-") else { return nil }
    guard let time, let clock = digits(time.prefix(6), [2, 2, 2], ":") else { return day }
    let zone = time.dropFirst(6)
    let offset = digits(zone.dropFirst(), [2, 2], ":")
    return "\(day)T\(clock)" + (offset.map { "\(zone.prefix(1))\($0)" } ?? "")
  }

  // MARK: From XMP

  /// The datasets `iim`, in UTF-8, with the values that `packet` has for these properties.
  package static func datasets(_ iim: [UInt8], updatedBy packet: [UInt8]) -> [UInt8] {
    let old = IPTCDataset.all(in: iim)
    let isUTF8 = Self.isUTF8(old)
    let xmp = XMPPacket(lenient: packet)
    let mapped = Set(all.map(\.dataset) + [date, time, version.number])
    // By number, in which they are stored.
    var new = [[IPTCDataset]](repeating: [], count: 256)
    func add(_ dataset: IPTCDataset) { new[Int(dataset.number)].append(dataset) }
    add(version)
    for dataset in old
    where dataset.record == 2 && !mapped.contains(dataset.number)
      && !binary.contains(dataset.number)
    {
      let text = text(dataset.value, isUTF8: isUTF8)
      add(IPTCDataset(2, dataset.number, Array(text.utf8)))
    }
    for property in all {
      for text in xmp.texts(property.namespace, property.name) where !text.isEmpty {
        add(IPTCDataset(2, property.dataset, property.shortened(text)))
        if property.kind == .text || property.kind == .languages { break }
      }
    }
    if let created = xmp[dateCreated]?.text {
      for dataset in dates(created) { add(dataset) }
    }
    return ([IPTCDataset(1, characterSet, utf8)] + new.joined()).flatMap(\.bytes)
  }

  /// The longest prefix of `text` that fits the dataset, in complete characters.
  private func shortened(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      guard bytes.count + character.utf8.count <= maxBytes else { break }
      bytes += Array(character.utf8)
    }
    return bytes
  }

  /// Date and time of `YYYY-MM-DDTHH:MM:SS±HH:MM`, of which the end may be missing.
  private static func dates(_ text: String) -> [IPTCDataset] {
    // As long as one with digits of a second.
    guard text.utf8.count <= 64 else { return [] }
    let parts = text.split(separator: "T", maxSplits: 1)
    func digits(_ text: Substring) -> [UInt8] { text.utf8.filter { (0x30...0x39).contains($0) } }
    guard let day = parts.first.map(digits), day.count == 8 else { return [] }
    let found = [IPTCDataset(2, date, day)]
    guard parts.count > 1 else { return found }
    let clock = parts[1].prefix { !"+-Z".contains($0) }
    let zone = parts[1].dropFirst(clock.count)
    let seconds = digits(clock.prefix(8))
    let offset = zone.isEmpty || zone == "Z" ? Array("0000".utf8) : digits(zone.dropFirst())
    guard seconds.count == 6, offset.count == 4 else { return found }
    let sign = zone.first == "-" ? UInt8(ascii: "-") : UInt8(ascii: "+")
    return found + [IPTCDataset(2, time, seconds + [sign] + offset)]
  }
}

extension CaptureMetadata {
  /// The same, with what IPTC's datasets say and the XMP does not added to the XMP.
  package var withIPTCInXMP: CaptureMetadata { joiningIPTC().metadata }

  /// Elements and attributes of a packet besides the values of lists, including the ones of a
  /// written file.
  private static let itemsAroundLists = 256

  /// The same, and a sentence for each omission: an XMP above `limits` could not be read again.
  func joiningIPTC(
    limits: DecodeLimits = DecodeLimits()
  ) -> (metadata: CaptureMetadata, notes: [String]) {
    guard let iptc else { return (self, []) }
    let own = XMPSelection(xmp ?? []) { _ in true }
    let (more, isComplete) = IPTCProperty.description(
      of: iptc, besides: own.names, room: limits.maxItems - own.items - Self.itemsAroundLists,
      limits: limits)
    var result = self
    if let more { result.xmp = XMPWriter.packet(descriptions: own.descriptions + [more]) }
    if let note = iptcNote(limits) { return (result, [note]) }
    let cut = "the source's IPTC has more values than fit its XMP; some were left out"
    return (result, isComplete ? [] : [cut])
  }

  /// That there are more of IPTC's datasets than are read, one sentence; nil where there are not.
  package func iptcNote(_ limits: DecodeLimits = DecodeLimits()) -> String? {
    guard let iptc, IPTCDataset.isLonger(iptc, than: limits.maxItems) else { return nil }
    return "the source has more than \(limits.maxItems) of IPTC's datasets; the rest was left out"
  }
}
