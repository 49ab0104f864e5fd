import Containers
import HDRRender
import ImageCore
import Readers

/// Invariants of every edited file, checked before it is returned, so that a defect of this module
/// cannot produce a broken file.
enum EditCheck {
  private static func broken(_ what: String) -> ReadError {
    ReadError(
      .unsupported, "the self-check of the edited file failed (\(what)); nothing was written")
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
    else { throw broken("the base image changed") }
    return after
  }

  /// Nothing is left of a gain map.
  static func removed(_ before: StillImage, _ bytes: [UInt8]) throws(ReadError) {
    let after = try opened(before, bytes)
    guard after.gainMap == nil else { throw broken("it still has a gain map") }
    let news = after.gainMapNotes.filter { !before.gainMapNotes.contains($0) }
    if let note = news.first { throw broken(note) }
  }

  /// The requested map is there, in the requested formats.
  static func replaced(
    _ before: StillImage, _ bytes: [UInt8], _ map: GainMapImage, _ parameters: GainMapParameters
  ) throws(ReadError) {
    let after = try opened(before, bytes)
    var wanted = parameters.formats
    if after.kind != .jpeg { wanted.removeAll { $0 == .ultraHDR } }
    guard let found = after.gainMap, found.channels == map.channels,
      found.size == map.size || found.size == map.size.transposed
    else { throw broken(after.notes.first ?? "the gain map is missing") }
    guard after.gainMapParameters.formats == wanted else {
      throw broken("a form of the gain map is missing")
    }
  }

  /// Each item that stays has the bytes and properties that it had, unless it was meant to change.
  static func items(_ before: HEIFDocument, _ bytes: [UInt8]) throws {
    let file = try FileBytes(bytes, limits: before.file?.limits ?? DecodeLimits())
    let after: HEIFDocument
    do { after = try HEIFDocument(file) } catch { throw broken(error.message) }
    let (old, new) = (before.meta, after.meta)
    // Looked up for each item, of which there may be as many as a file can list.
    let (oldParts, newParts) = (old.targets("dimg"), new.targets("dimg"))
    let maps = before.maps(oldParts)
    var contents = Contents()
    let (oldContents, newContents) = (
      contents.numbers(of: old.properties), contents.numbers(of: new.properties)
    )
    guard after.base == before.base, new.primary == before.base || new.primary == old.primary
    else { throw broken("the base image is another item") }
    // What the base is made of, and each picture that is no part of a map.
    for number in new.order {
      guard let item = new.items[number], let was = old.items[number] else { continue }
      let isPicture = ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1"].contains(item.type)
      guard isPicture, !maps.contains(number) else { continue }
      guard try after.hasSameBytes(number, as: before) else {
        throw broken("the data of item \(number) changed")
      }
      let properties = item.associations.map { (newContents[$0.property], $0.isEssential) }
      let expected = was.associations.map { (oldContents[$0.property], $0.isEssential) }
      guard item.type == was.type, properties.elementsEqual(expected, by: ==) else {
        throw broken("the properties of item \(number) changed")
      }
      guard newParts[number] ?? [] == oldParts[number] ?? [] else {
        throw broken("the inputs of item \(number) changed")
      }
    }
    for number in before.partsOfBase(oldParts) where new.items[number] == nil {
      throw broken("item \(number) is missing")
    }
  }

  /// Numbers properties by their content: long ones that several items use are compared once.
  private struct Contents {
    private var known: [[UInt8]: Int] = [:]

    mutating func numbers(of properties: [[UInt8]]) -> [Int] {
      properties.map { property in
        let number = known[property] ?? known.count
        known[property] = number
        return number
      }
    }
  }
}

extension HEIFDocument {
  /// The items that are maps; `parts` of each item.
  fileprivate func maps(_ parts: [Int: [Int]]) -> Set<Int> {
    Set(auxiliaryMaps + toneMaps.compactMap { parts[$0]?.dropFirst().first })
  }

  /// The base and all that it is made of; `parts` of each item.
  fileprivate func partsOfBase(_ parts: [Int: [Int]]) -> Set<Int> {
    var found: Set<Int> = []
    var queue = [base]
    while let number = queue.popLast() {
      if found.insert(number).inserted { queue += parts[number] ?? [] }
    }
    return found
  }
}
