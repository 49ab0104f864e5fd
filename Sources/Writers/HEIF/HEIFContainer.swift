/// The boxes of a still picture file (ISO/IEC 23008-12:2022, ISO/IEC 23000-22): items with their
/// properties and references, then the coded data in the order of the items.
struct HEIFContainer {
  /// Where an item's bytes are.
  enum Storage {
    /// In the media data.
    case media([UInt8])
    /// In the item data box.
    case inline([UInt8])
  }

  /// What an item says of others.
  struct Reference {
    let kind: String
    /// The numbers of the items it points to.
    let items: [UInt16]

    init(_ kind: String, to items: [UInt16]) { (self.kind, self.items) = (kind, items) }
  }

  /// A picture, or metadata.
  struct Item {
    var type: String
    var storage: Storage
    var isHidden = false
    var contentType: String?
    var properties: [HEIFProperty] = []
    /// At most one of each kind.
    var references: [Reference] = []
  }

  var majorBrand: String
  var compatibleBrands: [String]
  /// Item number of the picture that the file is about.
  var primary: UInt16 = 1
  /// Item 1 is the first.
  private(set) var items: [Item] = []
  /// Items of which a reader shows the first that it can (entity group `altr`).
  var alternatives: [UInt16] = []

  init(majorBrand: String, compatibleBrands: [String]) {
    self.majorBrand = majorBrand
    self.compatibleBrands = compatibleBrands
  }

  /// Adds an item and returns its number.
  mutating func add(_ item: Item) -> UInt16 {
    items.append(item)
    return UInt16(truncatingIfNeeded: items.count)
  }

  /// The media data, in pieces.
  var media: [[UInt8]] {
    items.compactMap { if case .media(let bytes) = $0.storage { bytes } else { nil } }
  }

  /// All bytes that stand before the media data.
  func head() throws(WriteError) -> [UInt8] {
    let media = media.reduce(0) { $0 + $1.count }
    var brands = BoxBytes()
    brands.box("ftyp") {
      $0.append(majorBrand.utf8)
      $0.u32(0)
      for brand in compatibleBrands { $0.append(brand.utf8) }
    }
    // Numbers of items and properties have 15 bits where both share a word with a flag.
    guard items.count < Int(Int16.max) * 2 - 1, properties.count <= Int(Int16.max) else {
      throw WriteError(
        .unsupportedSize,
        "the picture has too many tiles for one HEIF file; write a TIFF or reduce it"
      )
    }
    // The size of the boxes does not depend on the offsets in them.
    let length = brands.bytes.count + meta(mediaOffset: 0).count + 8
    guard length + media < Int(UInt32.max) else {
      throw WriteError(
        .unsupportedSize, "the picture is too large for one HEIF file; write a TIFF or reduce it")
    }
    brands.append(meta(mediaOffset: length))
    brands.u32(UInt32(media + 8))
    brands.append("mdat".utf8)
    return brands.bytes
  }

  private var numbered: [(number: UInt16, item: Item)] {
    items.enumerated().map { (UInt16(truncatingIfNeeded: $0.offset + 1), $0.element) }
  }

  private func meta(mediaOffset: Int) -> [UInt8] {
    var bytes = BoxBytes()
    bytes.fullBox("meta") { meta in
      meta.fullBox("hdlr") {
        $0.u32(0)
        $0.append("pict".utf8)
        for _ in 0..<3 { $0.u32(0) }
        $0.u8(0)
      }
      meta.fullBox("pitm") { $0.u16(primary) }
      writeLocations(&meta, mediaOffset: mediaOffset)
      writeInfos(&meta)
      if items.contains(where: { !$0.references.isEmpty }) { writeReferences(&meta) }
      writeProperties(&meta)
      var inline: [UInt8] = []
      for case .inline(let data) in items.map(\.storage) { inline += data }
      if !inline.isEmpty { meta.box("idat") { $0.append(inline) } }
      if !alternatives.isEmpty { writeGroup(&meta) }
    }
    return bytes.bytes
  }

  private func writeLocations(_ meta: inout BoxBytes, mediaOffset: Int) {
    meta.fullBox("iloc", version: 1) {
      $0.u16(0x4400)
      $0.u16(UInt16(truncatingIfNeeded: items.count))
      var (media, inline) = (mediaOffset, 0)
      for (number, item) in numbered {
        $0.u16(number)
        let offset: Int
        let count: Int
        switch item.storage {
        case .media(let data):
          $0.u16(0)
          (offset, count) = (media, data.count)
          media += data.count
        case .inline(let data):
          $0.u16(1)
          (offset, count) = (inline, data.count)
          inline += data.count
        }
        $0.u16(0)
        $0.u16(1)
        $0.u32(UInt32(truncatingIfNeeded: offset))
        $0.u32(UInt32(truncatingIfNeeded: count))
      }
    }
  }

  private func writeInfos(_ meta: inout BoxBytes) {
    meta.fullBox("iinf") {
      $0.u16(UInt16(truncatingIfNeeded: items.count))
      for (number, item) in numbered {
        $0.fullBox("infe", version: 2, flags: item.isHidden ? 1 : 0) {
          $0.u16(number)
          $0.u16(0)
          $0.append(item.type.utf8)
          $0.string("")
          if let contentType = item.contentType { $0.string(contentType) }
        }
      }
    }
  }

  private func writeReferences(_ meta: inout BoxBytes) {
    meta.fullBox("iref") {
      for (number, item) in numbered {
        for reference in item.references {
          $0.box(reference.kind) {
            $0.u16(number)
            $0.u16(UInt16(truncatingIfNeeded: reference.items.count))
            for target in reference.items { $0.u16(target) }
          }
        }
      }
    }
  }

  /// The group's number must be none of an item's.
  private func writeGroup(_ meta: inout BoxBytes) {
    meta.box("grpl") {
      $0.fullBox("altr") {
        $0.u32(UInt32(truncatingIfNeeded: items.count + 1))
        $0.u32(UInt32(truncatingIfNeeded: alternatives.count))
        for number in alternatives { $0.u32(UInt32(number)) }
      }
    }
  }

  /// All properties, each once.
  private var properties: [HEIFProperty] {
    var seen: Set<HEIFProperty> = []
    return items.flatMap(\.properties).filter { seen.insert($0).inserted }
  }

  private func writeProperties(_ meta: inout BoxBytes) {
    let unique = properties
    let index = Dictionary(
      uniqueKeysWithValues: unique.enumerated().map {
        ($0.element, UInt16(truncatingIfNeeded: $0.offset + 1))
      })
    // Beyond 127 properties their numbers take two bytes.
    let isWide = unique.count > 127
    meta.box("iprp") { iprp in
      iprp.box("ipco") { for property in unique { $0.append(property.box) } }
      iprp.fullBox("ipma", flags: isWide ? 1 : 0) {
        let described = numbered.filter { !$0.item.properties.isEmpty }
        $0.u32(UInt32(truncatingIfNeeded: described.count))
        for (number, item) in described {
          $0.u16(number)
          $0.u8(UInt8(truncatingIfNeeded: item.properties.count))
          for property in item.properties {
            let number = index[property] ?? 0
            if isWide {
              $0.u16((property.isEssential ? 0x8000 : 0) | number)
            } else {
              $0.u8((property.isEssential ? 0x80 : 0) | UInt8(truncatingIfNeeded: number))
            }
          }
        }
      }
    }
  }
}
