import Containers
import ImageCore
import Readers
import Writers

/// Puts another map, and other statements on it, into a HEIF. The base, its metadata and all other items
/// keep their bytes and numbers; so does the map's item, under which the new samples stand.
struct HEIFGainMapReplacement {
  let map: CodedGainMap.Tiles
  /// nil: as the file states it.
  let statements: GainMapStatements?
  /// Primaries of the base, in which a rendition that is stated anew is described.
  let primaries: Primaries

  private static let transforms: Set<String> = ["irot", "imir"]

  /// What the result cannot state.
  func apply(to file: inout HEIFDocument) throws(ReadError) -> [String] {
    let base = file.base
    let tone = file.toneMaps.first {
      let inputs = file.targets("dimg", of: $0)
      return inputs.count == 2 && inputs[0] == base
    }
    let named = file.auxiliaryMaps.first { file.targets("auxl", of: $0).contains(base) }
    let known = tone.map { file.targets("dimg", of: $0)[1] }
    if let known, let named, known != named {
      throw HEIFDocument.refused("it has two different gain maps")
    }
    guard let number = known ?? named else {
      guard let statements else {
        throw ReadError(.badSetting, "the file has no gain map; say what the new one means")
      }
      let number = try insert(into: &file, base: base)
      return try state(statements, number, base, nil, isNamed: false, &file)
    }
    guard number != base else { throw ISOCursor.damaged("its gain map is the picture itself") }
    try putSamples(number, &file)
    guard let statements else { return [] }
    return try state(statements, number, base, tone, isNamed: named != nil, &file)
  }

  /// The samples under the number that the map has.
  private func putSamples(_ number: Int, _ file: inout HEIFDocument) throws(ReadError) {
    let old = file.targets("dimg", of: number)
    file.references.removeAll { $0.type == "dimg" && $0.from == number }
    let unused = Set(old).filter { tile in
      tile != file.primary && !file.references.contains { $0.to.contains(tile) || $0.from == tile }
        && !file.groups.contains { $0.members.contains(tile) }
    }
    if !unused.isEmpty { try file.remove(unused) }
    let hadColor = (file.items[number]?.associations ?? []).contains {
      file.properties[$0.property].dropFirst(4).starts(with: Array("colrnclx".utf8))
    }
    file.removeProperties(["hvcC", "av1C", "ispe", "pixi", "clap"], of: number)
    if hadColor { file.removeProperties(["colr"], of: number) }
    let type = map.grid == nil ? map.itemType : "grid"
    if file.items[number]?.type != type {
      let isHidden = file.isHidden(number)
      file.items[number]?.info = HEIFDocument.info(number, type, isHidden: isHidden)
      file.items[number]?.type = type
    }
    put(number, hasColor: hadColor || map.channels == 3, &file)
  }

  /// Bytes and describing properties of the map's item, with the tiles that it is made of.
  private func put(_ number: Int, hasColor: Bool, _ file: inout HEIFDocument) {
    if let grid = map.grid {
      var tiles: [Int] = []
      for bytes in map.tiles {
        let tile = file.addItem(map.itemType, .new(bytes, isInline: false), isHidden: true)
        file.add(map.configuration, essential: true, to: tile)
        file.add(map.tileSize, essential: false, to: tile)
        file.add(map.depth, essential: false, to: tile)
        if hasColor { file.add(map.color, essential: false, to: tile) }
        tiles.append(tile)
      }
      file.items[number]?.storage = .new(grid, isInline: true)
      file.references.append(.init(type: "dimg", from: number, to: tiles))
    } else {
      file.items[number]?.storage = .new(map.tiles[0], isInline: false)
    }
    // In front: steps that turn a picture come behind what describes it.
    if hasColor { file.add(map.color, essential: false, to: number, first: true) }
    file.add(map.depth, essential: false, to: number, first: true)
    file.add(map.wholeSize, essential: false, to: number, first: true)
    if map.grid == nil { file.add(map.configuration, essential: true, to: number, first: true) }
    if !map.followsMIAF { file.setBrand("miaf", false) }
  }

  private func insert(into file: inout HEIFDocument, base: Int) throws(ReadError) -> Int {
    let own = (file.items[base]?.associations ?? []).map { ($0, file.type(of: $0.property)) }
    guard !own.contains(where: { $0.1 == "clap" }) else {
      throw HEIFDocument.refused("its picture is cropped by its container")
    }
    let number = file.addItem(
      map.grid == nil ? map.itemType : "grid", .new([], isInline: false), isHidden: true)
    put(number, hasColor: true, &file)
    copyTransforms(base, to: number, &file)
    return number
  }

  private func copyTransforms(_ base: Int, to number: Int, _ file: inout HEIFDocument) {
    for association in file.items[base]?.associations ?? []
    where Self.transforms.contains(file.type(of: association.property)) {
      file.items[number]?.associations.append(association)
    }
  }

  /// States the map in the forms that are given, and in no other.
  private func state(
    _ statements: GainMapStatements, _ number: Int, _ base: Int, _ tone: Int?, isNamed: Bool,
    _ file: inout HEIFDocument
  ) throws(ReadError) -> [String] {
    guard statements.iso != nil || statements.apple != nil else {
      throw ReadError(.badSetting, "a HEIF states gain maps in ISO's or Apple's form; give one")
    }
    var notes: [String] = []
    if statements.ultraHDR != nil, statements.iso == nil {
      notes.append("the hdrgm form was left out: it stands in JPEG only")
    }
    // What is added first keeps the map in use when the other form goes.
    if let apple = statements.apple {
      notes += try stateApple(apple, statements.maker, number, base, isNamed: isNamed, &file)
    }
    if let iso = statements.iso {
      let payload = [0] + iso.isoRecord
      if let tone {
        file.replaceBytes(of: tone, with: payload)
      } else {
        addToneMap(payload, iso, number, base, &file)
      }
    }
    if statements.apple == nil, isNamed {
      file.removeProperties(["auxC"], of: number)
      file.references.removeAll { $0.type == "auxl" && $0.from == number }
      let words = try appleWords(number, file)
      if !words.isEmpty { try file.remove(Set(words)) }
    }
    if statements.iso == nil, let tone {
      try file.remove([tone])
      if file.toneMaps.isEmpty { file.setBrand("tmap", false) }
    }
    return notes
  }

  /// XMP items that speak of the map alone.
  private func appleWords(_ number: Int, _ file: HEIFDocument) throws(ReadError) -> [Int] {
    file.sources("cdsc", to: number).filter {
      file.items[$0]?.contentType == HEIFDocument.xmpType
        && file.targets("cdsc", of: $0) == [number]
    }
  }

  private func stateApple(
    _ apple: AppleGainMap, _ maker: AppleGainMap.MakerValues?, _ number: Int, _ base: Int,
    isNamed: Bool, _ file: inout HEIFDocument
  ) throws(ReadError) -> [String] {
    if !isNamed {
      file.add(CodedGainMap.appleProperty, essential: true, to: number, first: true)
      file.references.append(.init(type: "auxl", from: number, to: [base]))
    }
    let packet = XMPWriter.packet(descriptions: [apple.xmpDescription])
    if let words = try appleWords(number, file).first {
      let old = try file.bytes(of: words)
      let rest = try ReadError.translating { () throws(FormatError) in
        try GainMapStatementRemoval(old).withoutGainMap
      }
      file.replaceBytes(
        of: words, with: XMPWriter.adding([apple.xmpDescription], to: rest) ?? packet)
    } else {
      let words = file.addItem(
        "mime", .new(packet, isInline: false), isHidden: true, contentType: HEIFDocument.xmpType)
      file.references.append(.init(type: "cdsc", from: words, to: [number]))
    }
    guard let maker else { return [] }
    for number in file.order where file.items[number]?.type == "Exif" {
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
    let tone = file.addItem("tmap", .new(payload, isInline: true), isHidden: false)
    for association in file.items[base]?.associations ?? []
    where file.type(of: association.property) == "ispe" {
      file.items[tone]?.associations.append(association)
    }
    file.add(
      CodedGainMap.alternateColor(primaries, isHDR: !iso.isBaseHDR), essential: false, to: tone)
    file.add(CodedGainMap.alternateDepth(isHDR: !iso.isBaseHDR), essential: false, to: tone)
    copyTransforms(base, to: tone, &file)
    file.references.append(.init(type: "dimg", from: tone, to: [base, number]))
    if let index = file.groups.firstIndex(where: { $0.type == "altr" && $0.members.contains(base) })
    {
      file.groups[index].members.insert(tone, at: 0)
    } else {
      let taken = Set(
        file.groups.map { $0.head.suffix(4).reduce(0) { $0 << 8 | Int($1) } } + file.order)
      var group = (file.order.max() ?? 0) + 1
      while taken.contains(group) { group += 1 }
      file.groups.append(
        .init(
          type: "altr",
          head: [0, 0, 0, 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: group >> $0) },
          members: [tone, base], tail: []))
    }
    file.setBrand("tmap", true)
  }
}
