import Formats

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
    // Items are numbered in 16 bits; properties in 15, as they share their word with a flag.
    guard items.count < Int(UInt16.max), properties.count <= Int(Int16.max) else {
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

  /// All properties, each once.
  var properties: [HEIFProperty] {
    var seen: Set<HEIFProperty> = []
    return items.flatMap(\.properties).filter { seen.insert($0).inserted }
  }
}
