import Containers
import HDRRender
import ImageCore
import Readers

/// What holds of every edited file, checked before it is handed out: a mistake here must not become a
/// broken file there.
enum EditCheck {
  private static func broken(_ what: String) -> ReadError {
    ReadError(
      .unsupported, "the edit would not keep the file whole (\(what)); nothing was written")
  }

  private static func opened(
    _ before: StillImage, _ bytes: [UInt8], _ limits: DecodeLimits
  ) throws(ReadError) -> StillImage {
    let after: StillImage
    do { after = try StillImage(bytes, limits: limits) } catch { throw broken(error.message) }
    guard after.size == before.size, after.orientation == before.orientation,
      after.color == before.color, after.bitDepth == before.bitDepth,
      after.thumbnails == before.thumbnails || after.kind == .jpeg
    else { throw broken("the base is another") }
    return after
  }

  /// Nothing is left of a gain map.
  static func removed(
    _ before: StillImage, _ bytes: [UInt8], maker: Bool, _ limits: DecodeLimits
  ) throws(ReadError) {
    let after = try opened(before, bytes, limits)
    guard after.gainMap == nil else { throw broken("it still has a gain map") }
    if maker, after.makerApple != nil { throw broken("its maker note still speaks of HDR") }
    let news = after.notes.filter { $0.contains("gain map") && !before.notes.contains($0) }
    if let note = news.first { throw broken(note) }
  }

  /// The map that was asked for is there, in the forms that were.
  static func replaced(
    _ before: StillImage, _ bytes: [UInt8], _ map: GainMapImage, _ statements: GainMapStatements,
    _ limits: DecodeLimits
  ) throws(ReadError) {
    let after = try opened(before, bytes, limits)
    var wanted = statements.forms
    if after.kind == .heif { wanted.removeAll { $0 == .ultraHDR } }
    guard let found = after.gainMap, found.channels == map.channels,
      found.size == map.size || found.size == map.size.transposed
    else { throw broken(after.notes.first ?? "the gain map is not found") }
    guard after.gainMapStatements.forms == wanted else { throw broken("a form is missing") }
  }

  /// Each item that stays has the bytes and properties that it had, unless it was meant to change.
  static func items(_ before: HEIFDocument, _ bytes: [UInt8]) throws(ReadError) {
    let file: FileBytes
    do { file = try FileBytes(bytes) } catch { throw ReadError(error) }
    let after: HEIFDocument
    do { after = try HEIFDocument(file) } catch { throw broken(error.message) }
    guard after.base == before.base, after.primary == before.base || after.primary == before.primary
    else { throw broken("the main picture is another") }
    // What the base is made of, and each picture that is no part of a map.
    for number in after.order {
      guard let item = after.items[number], let old = before.items[number] else { continue }
      let isPicture = ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1"].contains(item.type)
      guard isPicture, !before.isOfMap(number) else { continue }
      guard try after.sameBytes(of: number, as: before) else { throw broken("item \(number)") }
      let new = item.associations.map { (after.properties[$0.property], $0.isEssential) }
      let kept = old.associations.map { (before.properties[$0.property], $0.isEssential) }
      guard item.type == old.type, new.elementsEqual(kept, by: ==) else {
        throw broken("properties of item \(number)")
      }
      guard after.targets("dimg", of: number) == before.targets("dimg", of: number) else {
        throw broken("parts of item \(number)")
      }
    }
    for number in before.partsOfBase where after.items[number] == nil {
      throw broken("item \(number) is gone")
    }
  }
}

extension HEIFDocument {
  /// Whether the item is a map, or a part of one and of nothing else.
  fileprivate func isOfMap(_ number: Int) -> Bool {
    let maps = Set(
      auxiliaryMaps + toneMaps.compactMap { targets("dimg", of: $0).dropFirst().first })
    return maps.contains(number)
  }

  /// The base and all that it is made of.
  fileprivate var partsOfBase: Set<Int> {
    var found: Set<Int> = []
    var queue = [base]
    while let number = queue.popLast() {
      if found.insert(number).inserted { queue += targets("dimg", of: number) }
    }
    return found
  }

  /// Whether the item has the same bytes, compared in place.
  fileprivate func sameBytes(of number: Int, as other: HEIFDocument) throws(ReadError) -> Bool {
    guard case .source(let own, let isInline) = items[number]?.storage,
      case .source(let others, let wasInline) = other.items[number]?.storage, !isInline, !wasInline,
      own.map(\.count) == others.map(\.count)
    else { return try bytes(of: number) == other.bytes(of: number) }
    return zip(own, others).allSatisfy {
      file.buffer[$0].elementsEqual(other.file.buffer[$1])
    }
  }
}
