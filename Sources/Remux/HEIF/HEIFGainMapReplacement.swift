import Containers
import ImageCore
import Readers
import Writers

/// Puts another map, and other parameters, into a HEIF. The base, its metadata and all other
/// items keep their bytes and numbers; so does the map's item, which gets the new samples.
struct HEIFGainMapReplacement {
  let map: CodedTiles
  /// nil: as declared in the file.
  let parameters: GainMapParameters?
  /// The size of the picture as displayed, after its rotations: the tone map has this size.
  let upright: PixelSize
  /// Primaries of the base, for the description of a new rendition.
  let primaries: Primaries

  private static let transforms: Set<String> = ["irot", "imir"]

  /// Changes the file; returns notes on what it cannot hold.
  func apply(to file: inout HEIFDocument) throws -> [String] {
    let base = file.base
    let tone = file.toneMaps.first {
      let inputs = file.meta.targets("dimg", of: $0)
      return inputs.count == 2 && inputs[0] == base
    }
    let described = file.meta.targets("auxl")
    let named = file.auxiliaryMaps.first { described[$0]?.contains(base) == true }
    let known = tone.map { file.meta.targets("dimg", of: $0)[1] }
    if let known, let named, known != named {
      throw HEIFDocument.refused("it has two different gain maps")
    }
    guard let number = known ?? named else {
      guard let parameters else {
        throw GainMapEditor.noMetadata
      }
      let number = try insert(into: &file, base: base)
      return try describe(parameters, number, base, nil, isNamed: false, &file)
    }
    guard number != base else {
      throw FormatError.contradiction("its gain map item is the base image")
    }
    try putSamples(number, &file)
    guard let parameters else { return [] }
    return try describe(parameters, number, base, tone, isNamed: named != nil, &file)
  }

  /// The samples under the number that the map has.
  private func putSamples(_ number: Int, _ file: inout HEIFDocument) throws {
    let old = file.meta.targets("dimg", of: number)
    file.meta.references.removeAll { $0.type == "dimg" && $0.from == number }
    var unused = Set(old).subtracting([file.meta.primary])
    for reference in file.meta.references {
      unused.remove(reference.from)
      unused.subtract(reference.to)
    }
    for group in file.meta.groups { unused.subtract(group.members) }
    if !unused.isEmpty { try file.meta.remove(unused) }
    let hadColor = (file.meta.items[number]?.associations ?? []).contains {
      file.meta.properties[$0.property].dropFirst(4).starts(with: Array("colrnclx".utf8))
    }
    file.meta.removeProperties(["hvcC", "av1C", "ispe", "pixi", "clap"], of: number)
    if hadColor { file.meta.removeProperties(["colr"], of: number) }
    let type = map.gridPayload == nil ? map.itemType : "grid"
    if file.meta.items[number]?.type != type {
      let isHidden = file.meta.isHidden(number)
      file.meta.items[number]?.info = HEIFMeta.info(number, type, isHidden: isHidden)
      file.meta.items[number]?.type = type
    }
    put(number, hasColor: hadColor || map.channels == 3, &file)
  }

  /// Bytes and describing properties of the map's item, with the tiles that it is made of.
  private func put(_ number: Int, hasColor: Bool, _ file: inout HEIFDocument) {
    let depth = HEIFProperty.depth(8, channels: map.channels)
    if let grid = map.gridPayload {
      var tiles: [Int] = []
      for bytes in map.tiles {
        let tile = file.meta.addItem(map.itemType, .new(bytes, isInline: false), isHidden: true)
        file.meta.add(map.configuration, to: tile)
        file.meta.add(.size(map.tileSize), to: tile)
        file.meta.add(depth, to: tile)
        if hasColor { file.meta.add(map.color, to: tile) }
        tiles.append(tile)
      }
      file.meta.items[number]?.storage = .new(grid, isInline: true)
      file.meta.references.append(.init(type: "dimg", from: number, to: tiles))
    } else {
      file.meta.items[number]?.storage = .new(map.tiles[0], isInline: false)
    }
    // In front: properties that transform a picture follow those that describe it.
    if hasColor { file.meta.add(map.color, to: number, first: true) }
    file.meta.add(depth, to: number, first: true)
    file.meta.add(.size(map.size), to: number, first: true)
    if map.gridPayload == nil {
      file.meta.add(map.configuration, to: number, first: true)
    }
    if !map.followsMIAF { file.setBrand("miaf", false) }
  }

  private func insert(into file: inout HEIFDocument, base: Int) throws -> Int {
    let own = file.meta.items[base]?.associations ?? []
    guard !own.contains(where: { file.meta.type(of: $0.property) == "clap" }) else {
      throw HEIFDocument.refused("its base image is cropped by a clap property")
    }
    let number = file.meta.addItem(
      map.gridPayload == nil ? map.itemType : "grid", .new([], isInline: false), isHidden: true)
    put(number, hasColor: true, &file)
    copyTransforms(base, to: number, &file)
    return number
  }

  private func copyTransforms(_ base: Int, to number: Int, _ file: inout HEIFDocument) {
    for association in file.meta.items[base]?.associations ?? []
    where Self.transforms.contains(file.meta.type(of: association.property)) {
      file.meta.items[number]?.associations.append(association)
    }
  }

  /// Describes the map in the formats that are given, and in no other.
  private func describe(
    _ parameters: GainMapParameters, _ number: Int, _ base: Int, _ tone: Int?, isNamed: Bool,
    _ file: inout HEIFDocument
  ) throws -> [String] {
    guard parameters.iso != nil || parameters.apple != nil else {
      throw ReadError(
        .badSetting,
        "a HEIF stores gain maps in ISO's or Apple's form only; give metadata in one of them")
    }
    var notes: [String] = []
    if parameters.ultraHDR != nil, parameters.iso == nil {
      notes.append("the hdrgm form was left out: it is for JPEG only")
    }
    // What is added first keeps the map in use when the other format goes.
    if let apple = parameters.apple {
      notes += try describeForApple(apple, parameters.maker, number, base, isNamed: isNamed, &file)
    }
    if let iso = parameters.iso {
      let payload = [0] + iso.isoRecord
      if let tone {
        file.replaceBytes(of: tone, with: payload)
      } else {
        addToneMap(payload, iso, number, base, &file)
      }
    }
    if parameters.apple == nil, isNamed {
      file.meta.removeProperties(["auxC"], of: number)
      file.meta.references.removeAll { $0.type == "auxl" && $0.from == number }
      let packetItems = try applePackets(number, file)
      if !packetItems.isEmpty { try file.meta.remove(Set(packetItems)) }
    }
    if parameters.iso == nil, let tone {
      try file.meta.remove([tone])
      if file.toneMaps.isEmpty { file.setBrand("tmap", false) }
    }
    return notes
  }

  /// XMP items that describe the map alone.
  private func applePackets(_ number: Int, _ file: HEIFDocument) throws -> [Int] {
    let described = file.meta.targets("cdsc")
    return file.meta.sources("cdsc", to: number).filter {
      file.meta.items[$0]?.isXMP == true && described[$0] == [number]
    }
  }

  private func describeForApple(
    _ apple: AppleGainMap, _ maker: AppleGainMap.MakerValues?, _ number: Int, _ base: Int,
    isNamed: Bool, _ file: inout HEIFDocument
  ) throws -> [String] {
    if !isNamed {
      file.meta.add(.auxiliary(HEIFProperty.appleGainMap), to: number, first: true)
      file.meta.references.append(.init(type: "auxl", from: number, to: [base]))
    }
    let packet = XMPWriter.packet(descriptions: [apple.xmpDescription])
    if let packetItem = try applePackets(number, file).first {
      let old = try file.bytes(of: packetItem)
      let rest = try ReadError.translating { () throws(FormatError) in
        try GainMapXMPRemoval(old).withoutGainMap
      }
      file.replaceBytes(
        of: packetItem, with: XMPWriter.adding([apple.xmpDescription], to: rest) ?? packet)
    } else {
      let packetItem = file.meta.addItem(
        "mime", .new(packet, isInline: false), isHidden: true, contentType: HEIFMeta.xmpType)
      file.meta.references.append(.init(type: "cdsc", from: packetItem, to: [number]))
    }
    guard let maker else { return [] }
    for number in file.meta.order where file.meta.items[number]?.type == "Exif" {
      guard let block = try file.exif(of: number), let note = MakerAppleNote(block.tiff),
        let edited = note.with(maker)
      else { continue }
      if edited != block.tiff { file.replaceBytes(of: number, with: block.head + edited) }
      return []
    }
    return [GainMapEditor.noMakerNote]
  }

  private func addToneMap(
    _ payload: [UInt8], _ iso: GainMapMetadata, _ number: Int, _ base: Int,
    _ file: inout HEIFDocument
  ) {
    let tone = file.meta.addItem("tmap", .new(payload, isInline: true), isHidden: false)
    // Its inputs are turned by themselves.
    file.meta.add(.size(upright), to: tone)
    for property in CodedGainMap.alternate(primaries, isHDR: !iso.isBaseHDR) {
      file.meta.add(property, to: tone)
    }
    file.meta.references.append(.init(type: "dimg", from: tone, to: [base, number]))
    file.meta.group("altr", [tone, base], anchor: base)
    file.setBrand("tmap", true)
  }
}
