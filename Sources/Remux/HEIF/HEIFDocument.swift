package import Containers
import Readers

/// A HEIF file as it can be edited and written again: its boxes in order, its items with their bytes,
/// properties, references and groups. What is not known is kept as it stands.
///
/// Sources: ISO/IEC 14496-12:2022 8.11 and 8.18, ISO/IEC 23008-12:2022 9. Only files of which all is known
/// that an edit can break are taken: every byte of an item stands in a media data box or among the
/// tables, and nothing else in the file counts its bytes from the file's start. So sequences (`moov`), items
/// in other files and items within items are refused.
struct HEIFDocument {
  /// A box at the top of the file.
  enum Part {
    /// Any other, kept as it stands.
    case kept(Range<Int>)
    case brands
    case meta
    /// The content of a media data box.
    case media(Range<Int>)
  }

  /// A box of `meta`.
  enum Child: Equatable {
    case kept([UInt8])
    case primary, infos, references, properties, inline, locations, groups
  }

  enum Storage {
    /// Ranges of the file, or of the inline data.
    case source([Range<Int>], isInline: Bool)
    case new([UInt8], isInline: Bool)
  }

  struct Association: Equatable {
    /// Place in ``properties``.
    var property: Int
    var isEssential: Bool
  }

  struct Item {
    /// Its whole `infe` box.
    var info: [UInt8]
    var type = ""
    var contentType = ""
    /// nil: the item has no bytes.
    var storage: Storage?
    var associations: [Association] = []
  }

  struct Reference: Equatable {
    var type: String
    var from: Int
    var to: [Int]
  }

  struct Group {
    var type: String
    /// Version and flags, number.
    var head: [UInt8]
    var members: [Int]
    /// What stands behind the members.
    var tail: [UInt8]
  }

  let file: FileBytes
  var parts: [Part] = []
  /// The content of `ftyp`.
  var brands: [UInt8] = []
  /// Version and flags of `meta`.
  var metaHead: [UInt8] = []
  var children: [Child] = []
  var primary = 0
  var items: [Int: Item] = [:]
  /// Numbers of the items, in the order of the file.
  var order: [Int] = []
  var references: [Reference] = []
  /// Whole property boxes.
  var properties: [[UInt8]] = []
  /// Boxes of `iprp` that are neither `ipco` nor `ipma`.
  var otherPropertyBoxes: [UInt8] = []
  var groups: [Group] = []
  /// The content of the source's `idat`.
  var inline: [UInt8] = []
  /// Versions of `pitm`, `iinf`, `iref`, `iloc`, and flags of `iinf`: kept where they still serve.
  var versions: [String: Int] = [:]

  static func refused(_ what: String) -> ReadError {
    ReadError(.unsupported, "\(what); edit a copy that another program saved plainly")
  }
}

extension HEIFDocument {
  /// What `number` points to with `type`.
  func targets(_ type: String, of number: Int) -> [Int] {
    references.first { $0.type == type && $0.from == number }?.to ?? []
  }

  /// The items that point to `number` with `type`.
  func sources(_ type: String, to number: Int) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(number) }.map(\.from)
  }

  /// Type of a property box.
  func type(of property: Int) -> String {
    properties.indices.contains(property)
      ? String(decoding: properties[property].dropFirst(4).prefix(4), as: UTF8.self) : ""
  }

  /// The names of auxiliary pictures that item `number` bears.
  func auxiliaryTypes(of number: Int) -> [String] {
    (items[number]?.associations ?? []).filter { type(of: $0.property) == "auxC" }.map {
      String(decoding: properties[$0.property].dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The bytes of item `number`.
  func bytes(of number: Int) throws(ReadError) -> [UInt8] {
    switch items[number]?.storage {
    case nil: return []
    case .new(let bytes, _): return bytes
    case .source(let ranges, let isInline):
      var bytes: [UInt8] = []
      for range in ranges {
        guard bytes.count + range.count <= file.count else {
          throw ISOCursor.damaged("item \(number) is larger than the file")
        }
        bytes += isInline ? Array(inline[range]) : file.bytes(range.lowerBound, range.count) ?? []
      }
      return bytes
    }
  }

  /// Puts `bytes` in place of those of item `number`, where those stood.
  mutating func replaceBytes(of number: Int, with bytes: [UInt8]) {
    let isInline =
      switch items[number]?.storage {
      case .source(_, let isInline), .new(_, let isInline): isInline
      case nil: false
      }
    items[number]?.storage = .new(bytes, isInline: isInline)
  }
}
