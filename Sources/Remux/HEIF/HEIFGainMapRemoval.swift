import Containers
import Readers
import Writers

extension HEIFDocument {
  /// Names under which auxiliary pictures are gain maps: Apple's of 2020, Samsung's of
  /// 2024, and ISO's.
  private static let auxiliaryNames = [
    HEIFProperty.appleGainMap, HEIFProperty.samsungGainMap, "urn:iso:std:iso:ts:21496:-1",
  ]

  /// Items that make another rendition of a picture and a map.
  var toneMaps: [Int] { meta.order.filter { meta.items[$0]?.type == "tmap" } }

  /// Items that bear one of these names of a map.
  var auxiliaryMaps: [Int] {
    // Each name is read once: many items may use a long one.
    let names = Set(
      meta.properties.indices.filter { property in
        guard let name = meta.auxiliaryType(of: property) else { return false }
        return Self.auxiliaryNames.contains { name.isSame(as: $0) }
      })
    return meta.order.filter { number in
      meta.items[number]?.associations.contains { names.contains($0.property) } == true
    }
  }

  /// The picture that the file is about: the primary item, or the base of a tone map that is
  /// primary.
  var base: Int {
    let primary = meta.primary
    return meta.items[primary]?.type == "tmap"
      ? meta.targets("dimg", of: primary).first ?? primary : primary
  }

  /// Removes all gain maps and all references to them; the bytes of other pictures stay unchanged.
  /// Their properties are removed from the XMP. Returns whether there was anything to remove.
  mutating func removeGainMaps() throws -> Bool {
    var changed = false
    let tones = toneMaps
    var removed = Set(auxiliaryMaps)
    for tone in tones {
      let inputs = meta.targets("dimg", of: tone)
      guard inputs.count == 2, inputs[0] != inputs[1] else {
        throw FormatError.contradiction("a tmap item has \(inputs.count) inputs, not two different")
      }
      removed.insert(inputs[1])
      removed.insert(tone)
    }
    if !removed.isEmpty {
      moveFromToneMaps(tones)
      try meta.remove(removed)
      setBrand("tmap", false)
      changed = true
    }
    for number in meta.order {
      guard let item = meta.items[number] else { continue }
      if item.type == "mime", item.isXMP {
        let packet = try bytes(of: number)
        guard GainMapXMPRemoval.concerns(packet) else { continue }
        let edited = try ReadError.translating { () throws(FormatError) in
          try GainMapXMPRemoval(packet).withoutGainMap
        }
        if edited == packet { continue }
        replaceBytes(of: number, with: edited)
        changed = true
      }
    }
    return changed
  }

  /// The bytes of an Exif item before and from its TIFF structure on.
  func exif(of number: Int) throws -> (head: [UInt8], tiff: [UInt8])? {
    let bytes = try bytes(of: number)
    return ExifItem.start(in: bytes).map { (Array(bytes[..<$0]), Array(bytes[$0...])) }
  }

  /// Makes the base the main picture where a tone map was, with the tone map's descriptions.
  private mutating func moveFromToneMaps(_ tones: [Int]) {
    for tone in tones {
      guard let base = meta.targets("dimg", of: tone).first else { continue }
      let isPrimary = tone == meta.primary
      for index in meta.references.indices {
        let reference = meta.references[index]
        let isMetadata =
          ["cdsc", "thmb"].contains(reference.type)
          && (isPrimary || meta.items[reference.from]?.type == "Exif")
        guard isMetadata, reference.to.contains(tone), !reference.to.contains(base) else {
          continue
        }
        meta.references[index].to = reference.to.map { $0 == tone ? base : $0 }
      }
      if isPrimary {
        meta.primary = base
        meta.setHidden(false, base)
      }
    }
  }
}
