import Containers
import HDRRender
import ImageCore

/// HEIC, HIF and AVIF stills, and the first picture of a sequence.
///
/// The tables are read and checked in Containers; ``StillDecoder`` decodes pixels tile by tile, and
/// they are rotated and cropped on the way, so that pictures and maps are upright. Depth and mattes
/// are ignored.
struct HEIFStill: StillContainer {
  let info: StillInfo
  private let reader: HEIFItemReader
  private let policy: ReadPolicy
  let plan: DerivedImagePlan
  let map: HEIFGainMap?
  private let primaryItem: Int
  private let alpha: (plan: DerivedImagePlan, isPremultiplied: Bool)?

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    self.policy = policy
    do throws(FormatError) {
      reader = HEIFItemReader(file: file, items: try HEIFItems(file))
      let (primary, plan) = try Self.primary(reader)
      (self.plan, primaryItem) = (plan, primary)
      var (info, map) = Self.info(primary, plan, reader)
      alpha = Self.alpha(of: primary, plan, reader, &info.notes)
      if alpha != nil { info.alpha = .straight }
      if ContentCredentials.areInBoxes(of: file) { info.notes.append(ContentCredentials.note) }
      (self.info, self.map) = (info, map)
    } catch {
      throw ReadError(error, path: file.path)
    }
  }

  /// The main picture: the primary item, or the base of a primary `tmap` item, or an alternative
  /// where its type is not supported.
  private static func primary(
    _ reader: HEIFItemReader
  ) throws(FormatError) -> (Int, DerivedImagePlan) {
    let items = reader.items
    let group = items.alternatives.first { $0.contains(items.primary) } ?? []
    var refusal: FormatError?
    for number in ([items.primary] + group).prefix(16) {
      let isMap = items[number]?.type == "tmap"
      let picture = isMap ? items.targets("dimg", of: number).first ?? 0 : number
      do throws(FormatError) {
        return (picture, try DerivedImagePlan(picture, reader))
      } catch {
        guard error.code == .unsupported else { throw error }
        refusal = refusal ?? error
      }
    }
    throw refusal ?? FormatError.contradiction("it has no primary item")
  }

  private static func info(
    _ primary: Int, _ plan: DerivedImagePlan, _ reader: HEIFItemReader
  ) -> (StillInfo, HEIFGainMap?) {
    let (color, note) = HEIFColor.description(plan.properties, plan.still)
    var info = StillInfo(
      storedSize: plan.size, bitDepth: plan.bits, channels: plan.channels, color: color)
    info.hdrMetadata = HEIFColor.hdrMetadata(plan.properties)
    let exif = HEIFMetadata.exif(of: primary, reader)
    info.metadata = exif.metadata
    info.maker = exif.maker
    if let xmp = reader.xmpItem(of: primary) { info.metadata.xmp = xmp }
    info.thumbnails = reader.items.sources("thmb", to: primary).prefix(16).compactMap {
      thumbnail(reader.items[$0]?.properties ?? [])
    }
    let transforms = (reader.items[primary]?.properties ?? []).compactMap(\.transform)
    let found = HEIFGainMap.find(
      primary, base: plan, transforms: transforms, maker: exif.maker, reader)
    info.gainMap = found.map?.description
    let sequence = reader.items.sequenceCount.map {
      "it is a sequence of \($0) picture\($0 == 1 ? "" : "s"); the first is read"
    }
    let rest = sequence ?? animation(reader) ?? others(reader)
    info.notes = [rest, note, plan.rangeNote].compactMap(\.self) + exif.notes
    info.add(gainMapNotes: found.notes)
    let cut = reader.itemsOutside
    if let first = cut.first {
      let more = cut.count > 1 ? " and \(cut.count - 1) more" : ""
      let name = "item \(first) (\(ISOBox.shown(reader.items[first]?.type ?? "")))\(more)"
      info.notes.append("\(name) is missing or truncated; copy the file again")
    }
    return (info, found.map)
  }

  private static func others(_ reader: HEIFItemReader) -> String? {
    let others = reader.items.otherPictures
    return others > 0 ? "the file has \(others + 1) pictures; the primary one is read" : nil
  }

  /// For files whose major brand is a sequence and that also have a still.
  private static func animation(_ reader: HEIFItemReader) -> String? {
    let brand = reader.file.bytes(8, 4).map { String(decoding: $0, as: UTF8.self) }
    return ["avis", "hevc", "hevx", "msf1"].contains(brand)
      ? "the file is an animation; its still picture is read" : nil
  }

  /// The alpha picture; colors that refer to it are premultiplied.
  private static func alpha(
    of primary: Int, _ plan: DerivedImagePlan, _ reader: HEIFItemReader, _ notes: inout [String]
  ) -> (DerivedImagePlan, Bool)? {
    let items = reader.items
    let alpha = items.sources("auxl", to: primary).first { number in
      (items[number]?.properties ?? []).contains(where: \.isAlpha)
    }
    guard let alpha else { return nil }
    let transforms = (items[primary]?.properties ?? []).compactMap(\.transform)
    guard let found = try? DerivedImagePlan(alpha, reader, borrowed: transforms, isAlpha: true),
      found.size == plan.size, found.channels == 1,
      found.memory(tiles: 1) <= reader.file.limits.maxDecodeBytes - plan.memory(tiles: 1)
    else {
      notes.append(noAlpha)
      return nil
    }
    return (found, items.targets("prem", of: primary).contains(alpha))
  }

  private static func thumbnail(_ properties: [HEIFProperty]) -> PixelSize? {
    for case .size(let size) in properties {
      return try? HEIFPlacement(size, properties.compactMap(\.transform)).size
    }
    return nil
  }

  func picture() throws(ReadError) -> DecodedSamples {
    do throws(FormatError) {
      let picture = try plan.picture(reader, policy)
      if let alpha {
        do throws(FormatError) {
          let samples = try alpha.plan.picture(reader, policy)
          if let note = samples.notes.first { throw .contradiction(note) }
          picture.add(alpha: samples, isPremultiplied: alpha.isPremultiplied)
        } catch {
          guard error.code == .damaged, policy.reads(.heifAlpha) else { throw error }
          picture.add(note: Self.noAlpha)
        }
      }
      return picture
    } catch {
      throw ReadError(error, path: reader.file.path)
    }
  }

  private static let noAlpha = "its alpha cannot be read and was left out"

  func gainMap() throws(ReadError) -> GainMapImage {
    try image { (map) throws(FormatError) in try map.image(reader, policy) }
  }

  func codedGainMap() throws(ReadError) -> GainMapImage {
    try image { (map) throws(FormatError) in try map.codedImage(reader, policy) }
  }

  private func image(
    _ samples: (HEIFGainMap) throws(FormatError) -> GainMapImage
  ) throws(ReadError) -> GainMapImage {
    guard let map else {
      throw ReadError(.unsupported, "it has no gain map to read", path: reader.file.path)
    }
    do throws(FormatError) { return try samples(map) } catch {
      throw ReadError(
        FormatError(error.code, HEIFGainMap.note(error)), path: reader.file.path)
    }
  }

  var codedSize: PixelSize { plan.canvas }

  func gainMapParameters() -> GainMapParameters {
    map?.parameters(primaryItem, info.maker, reader) ?? GainMapParameters()
  }
}
