import Containers
import HDRRender
import ImageCore
import Readers

/// Invariants of every edited file, checked before it is returned, so that a defect of this module
/// cannot produce a broken file.
enum EditCheck {
  private static func broken(_ what: String) -> ReadError {
    ReadError(
      .unsupported, "the edit would not keep the file whole (\(what)); nothing was written")
  }

  private static func opened(
    _ before: StillImage, _ bytes: [UInt8]
  ) throws(ReadError) -> StillImage {
    let after: StillImage
    do { after = try StillImage(bytes, limits: before.file.limits) } catch {
      throw broken(error.message)
    }
    guard after.size == before.size, after.orientation == before.orientation,
      after.color == before.color, after.bitDepth == before.bitDepth,
      after.thumbnails == before.thumbnails || after.kind == .jpeg
    else { throw broken("the base is another") }
    return after
  }

  /// Nothing is left of a gain map.
  static func removed(
    _ before: StillImage, _ bytes: [UInt8], maker: Bool
  ) throws(ReadError) {
    let after = try opened(before, bytes)
    guard after.gainMap == nil else { throw broken("it still has a gain map") }
    if maker, after.makerApple != nil { throw broken("its maker note still speaks of HDR") }
    let news = after.notes.filter { $0.contains("gain map") && !before.notes.contains($0) }
    if let note = news.first { throw broken(note) }
  }

  /// The requested map is there, in the requested formats.
  static func replaced(
    _ before: StillImage, _ bytes: [UInt8], _ map: GainMapImage, _ parameters: GainMapParameters
  ) throws(ReadError) {
    let after = try opened(before, bytes)
    var wanted = parameters.formats
    if after.kind == .heif { wanted.removeAll { $0 == .ultraHDR } }
    guard let found = after.gainMap, found.channels == map.channels,
      found.size == map.size || found.size == map.size.transposed
    else { throw broken(after.notes.first ?? "the gain map is not found") }
    guard after.gainMapParameters.formats == wanted else { throw broken("a form is missing") }
  }

  /// Each item that stays has the bytes and properties that it had, unless it was meant to change.
  static func items(_ before: HEIFDocument, _ bytes: [UInt8]) throws {
    let file = try FileBytes(bytes, limits: before.file?.limits ?? DecodeLimits())
    let after: HEIFDocument
    do { after = try HEIFDocument(file) } catch { throw broken(error.message) }
    let (old, new) = (before.meta, after.meta)
    guard after.base == before.base, new.primary == before.base || new.primary == old.primary
    else { throw broken("the main picture is another") }
    // What the base is made of, and each picture that is no part of a map.
    for number in new.order {
      guard let item = new.items[number], let was = old.items[number] else { continue }
      let isPicture = ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1"].contains(item.type)
      guard isPicture, !before.isOfMap(number) else { continue }
      guard try after.hasSameBytes(number, as: before) else { throw broken("item \(number)") }
      let properties = item.associations.map { (new.properties[$0.property], $0.isEssential) }
      let kept = was.associations.map { (old.properties[$0.property], $0.isEssential) }
      guard item.type == was.type, properties.elementsEqual(kept, by: ==) else {
        throw broken("properties of item \(number)")
      }
      guard new.targets("dimg", of: number) == old.targets("dimg", of: number) else {
        throw broken("parts of item \(number)")
      }
    }
    for number in before.partsOfBase where new.items[number] == nil {
      throw broken("item \(number) is gone")
    }
  }
}

extension HEIFDocument {
  /// Whether the item is a map, or a part of one and of nothing else.
  fileprivate func isOfMap(_ number: Int) -> Bool {
    let maps = Set(
      auxiliaryMaps + toneMaps.compactMap { meta.targets("dimg", of: $0).dropFirst().first })
    return maps.contains(number)
  }

  /// The base and all that it is made of.
  fileprivate var partsOfBase: Set<Int> {
    var found: Set<Int> = []
    var queue = [base]
    while let number = queue.popLast() {
      if found.insert(number).inserted { queue += meta.targets("dimg", of: number) }
    }
    return found
  }
}
