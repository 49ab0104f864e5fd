import Containers
import ImageCore

/// How the metadata of a written file are derived from its source. Each step preserves all other
/// metadata; the order is the order of this file.
extension CaptureMetadata {
  /// Descriptive metadata of a sidecar, an XMP packet, replace those of the source. Exif's
  /// copies are updated, because readers prefer them to XMP (Metadata Working Group, guidelines
  /// 2.0, 5.2 ff.).
  func described(by sidecar: [UInt8]?) -> CaptureMetadata {
    guard let sidecar else { return self }
    let stronger = XMPSelection(sidecar) { _ in true }
    let weaker = XMPSelection(withIPTCInXMP.xmp ?? []) { !stronger.names.contains($0) }
    var result = self
    result.xmp = XMPWriter.packet(descriptions: stronger.descriptions + weaker.descriptions)
    let packet = XMPPacket(lenient: sidecar)
    for copy in Self.copies {
      let texts = packet.texts(copy.namespace, copy.name).filter { !$0.isEmpty }
      guard let first = texts.first else { continue }
      for tag in copy.removed { result[.image, tag] = nil }
      guard let tag = copy.tag else { continue }
      if tag == TIFFTag.rating {
        let stars = packet[.basic, copy.name]?.number.flatMap { UInt16(exactly: $0) }
        result[.image, tag] = stars.map { .shorts([$0]) }
      } else {
        result[.image, tag] = .ascii(copy.isJoined ? texts.joined(separator: "; ") : first)
      }
    }
    result.locate(at: packet)
    return result
  }

  /// Replaces any position by the Exif position of the packet, if it has one.
  private mutating func locate(at packet: XMPPacket) {
    let texts = ["GPSLatitude", "GPSLongitude"].map { packet[.exif, $0]?.text ?? "" }
    guard let latitude = Self.position(texts[0], "NS"),
      let longitude = Self.position(texts[1], "EW")
    else { return }
    entries.removeAll { $0.directory == .gps }
    self[.gps, 0] = .bytes([2, 3, 0, 0])
    (self[.gps, 1], self[.gps, 2]) = latitude
    (self[.gps, 3], self[.gps, 4]) = longitude
    if let altitude = packet[.exif, "GPSAltitude"]?.text.flatMap(Rational.init) {
      let isBelowSea = packet[.exif, "GPSAltitudeRef"]?.text?.isSame(as: "1") == true
      self[.gps, 5] = .bytes([isBelowSea ? 1 : 0])
      self[.gps, 6] = .rationals([altitude])
    }
  }

  /// Reference and position of XMP's `47,4.25N` or `47,4,15N`, degrees, minutes and seconds (XMP
  /// specification part 2, 8.2, GPSCoordinate).
  private static func position(
    _ text: String, _ letters: String
  ) -> (ExifEntry.Value, ExifEntry.Value)? {
    guard text.holdsNumbers, let letter = text.last, letters.contains(letter) else { return nil }
    let parts = text.dropLast().split(separator: ",").map { Double($0) ?? -1 }
    guard (2...3).contains(parts.count), parts.allSatisfy({ (0...180).contains($0) }) else {
      return nil
    }
    let minutes = Rational(UInt32((parts[1] * 1_000_000).rounded()), 1_000_000)
    let seconds = Rational(
      UInt32(((parts.count > 2 ? parts[2] : 0) * 1_000_000).rounded()), 1_000_000)
    return (
      .ascii(String(letter)), .rationals([Rational(UInt32(parts[0]), 1), minutes, seconds])
    )
  }

  /// Properties with the Exif tag that repeats them, and tags of Windows, which would keep the
  /// old value.
  private static let copies:
    [(namespace: XMPNamespace, name: String, tag: UInt16?, removed: [UInt16], isJoined: Bool)] = [
      (.dublinCore, "rights", 0x8298, [], false),
      (.dublinCore, "creator", 0x013B, [0x9C9D], true),
      (.dublinCore, "description", 0x010E, [0x9C9C], false),
      (.dublinCore, "title", nil, [0x9C9B], false),
      (.dublinCore, "subject", nil, [0x9C9E], false),
      // With the percentage.
      (.basic, "Rating", TIFFTag.rating, [TIFFTag.ratingPercent], false),
    ]

  /// The lens in Exif, where it is missing there and the XMP names it.
  var withLensFromXMP: CaptureMetadata {
    var result = self
    let packet = XMPPacket(lenient: xmp ?? [])
    if lens == nil,
      let name = [
        packet[.exifEx, "LensModel"], packet[.auxiliary, "Lens"], packet[.exif, "Lens"],
      ].lazy.compactMap({ $0?.text }).first(where: { !$0.isEmpty })
    {
      result[.exif, 0xA434] = .ascii(name)
    }
    if self[.exif, 0xA433] == nil, let make = packet[.exifEx, "LensMake"]?.text, !make.isEmpty {
      result[.exif, 0xA433] = .ascii(make)
    }
    let listed = packet.texts(.exifEx, "LensSpecification")
    let info = packet[.auxiliary, "LensInfo"]?.text ?? ""
    let numbers =
      listed.isEmpty && info.holdsNumbers ? info.split(separator: " ").map(String.init) : listed
    let fractions = numbers.compactMap(Rational.init)
    if self[.exif, 0xA432] == nil, fractions.count == 4, numbers.count == 4 {
      result[.exif, 0xA432] = .rationals(fractions)
    }
    return result
  }

  /// Without positions within the picture, which the written one has elsewhere.
  var withoutPositions: CaptureMetadata {
    guard let xmp else { return self }
    let rest = XMPSelection(xmp) { !FinishedProperties.isOfPositions($0) }
    var result = self
    result.xmp = XMPWriter.packet(descriptions: rest.descriptions)
    return result
  }

  /// As metadata of a file made of the source with this UUID by `settings`, a text of everything
  /// else that the picture depends on. The same source and settings give the same IDs.
  func derived(
    from source: String, settings: [String], recipe: String? = nil
  ) -> CaptureMetadata {
    var result = self
    let document = NameUUID.text([source, RawdevVersion.engine] + settings)
    result.derivation = Derivation(source: source, document: document, recipe: recipe)
    result.derivation?.capture = capture
    return result
  }

  /// What all `sources` have in common: the metadata of a picture that shows several.
  static func common(to sources: [CaptureMetadata]) -> CaptureMetadata {
    guard let first = sources.first, sources.count > 1 else { return sources.first ?? .init() }
    let packets = sources.map { XMPPacket(lenient: $0.withIPTCInXMP.xmp ?? []) }
    let xmp = XMPSelection(first.withIPTCInXMP.xmp ?? []) { name in
      packets.allSatisfy { $0[name] == packets[0][name] }
    }
    // The subscript would look through all entries of a source for each of the first. As fields,
    // which are bytes: texts would be equal where Unicode considers them equivalent.
    let others = sources.dropFirst().map { source in
      Dictionary(grouping: source.entries, by: \.directory).mapValues { entries in
        Set(entries.map { TIFFField($0.tag, $0.value) })
      }
    }
    let entries = first.entries.filter { entry in
      let field = TIFFField(entry.tag, entry.value)
      return others.allSatisfy { $0[entry.directory]?.contains(field) == true }
    }
    return CaptureMetadata(
      entries: entries, xmp: XMPWriter.packet(descriptions: xmp.descriptions))
  }
}

extension String {
  /// Whether it is short enough for a position, a fraction or four of them. Longer texts are not
  /// parsed, as one character may be as long as the file.
  fileprivate var holdsNumbers: Bool { utf8.count <= 128 }
}

extension Rational {
  /// `24/10`, or an integer; nil for any other text.
  fileprivate init?(_ text: String) {
    guard text.holdsNumbers else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt32($0) }
    guard let above = parts.first.flatMap(\.self), parts.count < 3,
      let below = parts.count == 2 ? parts[1] : 1
    else { return nil }
    self.init(above, below)
  }
}
