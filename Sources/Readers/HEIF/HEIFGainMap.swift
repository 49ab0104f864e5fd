import Containers
import HDRRender
import ImageCore

/// The gain map of a file: the item of its samples and its parameters.
struct HEIFGainMap {
  let description: GainMapDescription
  let plan: DerivedImagePlan
  /// The item of the samples.
  let item: Int

  /// The map of `primary`; nil, with a note, where it cannot be used. ISO 21496-1 takes precedence
  /// over Apple's format, which may hold ISO parameters too, and Apple's over Samsung's, which has
  /// Ultra HDR parameters.
  static func find(
    _ primary: Int, base: DerivedImagePlan, transforms: [HEIFProperty.Transform],
    maker: AppleGainMap.MakerValues?,
    _ reader: HEIFItemReader
  ) -> (map: HEIFGainMap?, notes: [String]) {
    var notes: [String] = []
    var (iso, apple, samsung): (Candidate?, Candidate?, Candidate?)
    do { iso = try isoCandidate(primary, reader) } catch { notes.append(note(error)) }
    do {
      apple = try appleCandidate(primary, maker, reader, readsToneMap: iso == nil)
    } catch { notes.append(note(error)) }
    do { samsung = try samsungCandidate(primary, reader) } catch { notes.append(note(error)) }
    let all = [iso, samsung, apple].compactMap(\.self)
    for candidate in [iso, apple, samsung].compactMap(\.self) {
      do {
        let map = try HEIFGainMap(
          candidate,
          formats: all.compactMap { $0.item == candidate.item ? $0.format : nil },
          base: base, transforms: transforms, reader)
        return (map, notes)
      } catch {
        notes.append(note(error))
      }
    }
    return (nil, notes)
  }

  /// A map that the item tables refer to.
  private struct Candidate {
    let item: Int
    let format: GainMapFormat
    let formula: GainMapPicture.Formula
    var alternatePrimaries: Primaries?
  }

  private init(
    _ candidate: Candidate, formats: [GainMapFormat], base: DerivedImagePlan,
    transforms: [HEIFProperty.Transform], _ reader: HEIFItemReader
  ) throws(FormatError) {
    var plan = try DerivedImagePlan(candidate.item, reader)
    if !plan.hasTransforms, !Self.isUpright(plan.size, as: base) {
      plan = try DerivedImagePlan(candidate.item, reader, borrowed: transforms)
    }
    self.plan = plan
    item = candidate.item
    description = GainMapDescription(
      formats: formats, size: plan.size, channels: plan.channels, bitDepth: plan.bits,
      formula: candidate.formula, alternatePrimaries: candidate.alternatePrimaries)
  }

  /// Whether a map without its own transforms has the aspect ratio of the upright picture and not
  /// the coded one. Where both agree, it is assumed to be oriented like the coded picture.
  private static func isUpright(_ map: PixelSize, as base: DerivedImagePlan) -> Bool {
    func isLike(_ size: PixelSize) -> Bool {
      abs(map.width * size.height - map.height * size.width) * 50 <= map.height * size.width
    }
    return isLike(base.size) && !isLike(base.canvas)
  }

  /// The samples.
  func image(_ reader: HEIFItemReader, _ policy: ReadPolicy) throws(FormatError) -> GainMapImage {
    try Self.image(plan, reader, policy)
  }

  /// The samples as coded, neither rotated nor cropped.
  func codedImage(
    _ reader: HEIFItemReader, _ policy: ReadPolicy
  ) throws(FormatError) -> GainMapImage {
    try Self.image(plan.untransformed(), reader, policy)
  }

  /// All parameters that the file declares for the samples.
  func parameters(
    _ primary: Int, _ maker: AppleGainMap.MakerValues?, _ reader: HEIFItemReader
  ) -> GainMapParameters {
    let xmp = HEIFMetadata.packet(of: item, reader)
    var parameters = GainMapParameters(
      iso: (try? GainMapMetadata(appleToneMap: xmp)) ?? nil,
      ultraHDR: Self.isSamsung(item, reader) ? (try? HDRGMValues(xmp)) ?? nil : nil,
      apple: AppleGainMap(xmp, isAuxiliary: Self.isApple(item, reader)), maker: maker)
    if let iso = (try? Self.isoCandidate(primary, reader)) ?? nil, iso.item == item,
      case .iso(let metadata) = iso.formula
    {
      parameters.iso = metadata
    }
    return parameters
  }

  private static func image(
    _ plan: DerivedImagePlan, _ reader: HEIFItemReader, _ policy: ReadPolicy
  ) throws(FormatError) -> GainMapImage {
    let picture = try plan.picture(reader, policy)
    do { return try picture.gainMapImage() } catch {
      throw FormatError(.damaged, error.message)
    }
  }

  /// A `tmap` item of the primary and a map; its payload is a version of 0, then the record.
  private static func isoCandidate(
    _ primary: Int, _ reader: HEIFItemReader
  ) throws(FormatError) -> Candidate? {
    for number in reader.items.sources("dimg", to: primary) {
      let inputs = reader.items.targets("dimg", of: number)
      guard let item = reader.items[number], item.type == "tmap", inputs.count == 2,
        inputs[0] == primary
      else { continue }
      let payload = try reader.bytes(of: number)
      guard payload.first == 0 else {
        throw FormatError(.unsupported, "its ISO 21496-1 metadata has a later version than 0")
      }
      do {
        let metadata = try GainMapMetadata(isoRecord: Array(payload.dropFirst()))
        return Candidate(
          item: inputs[1], format: .iso, formula: .iso(metadata),
          alternatePrimaries: alternatePrimaries(item.properties))
      } catch {
        throw FormatError(.damaged, error.message)
      }
    }
    return nil
  }

  /// The primaries of the `tmap` item; nil where it declares no supported ones.
  private static func alternatePrimaries(_ properties: [HEIFProperty]) -> Primaries? {
    let color = HEIFColor.description(properties, nil).color
    return color.origin != .assumed ? color.namedPrimaries : nil
  }

  private static func appleCandidate(
    _ primary: Int, _ maker: AppleGainMap.MakerValues?, _ reader: HEIFItemReader,
    readsToneMap: Bool
  ) throws(FormatError) -> Candidate? {
    let auxiliary = reader.items.sources("auxl", to: primary)
    guard let number = auxiliary.first(where: { isApple($0, reader) }) else { return nil }
    let xmp = HEIFMetadata.packet(of: number, reader)
    var reason = "Apple's gain map has no headroom"
    if readsToneMap {
      do throws(GainMapError) {
        if let metadata = try GainMapMetadata(appleToneMap: xmp) {
          return Candidate(item: number, format: .iso, formula: .iso(metadata))
        }
      } catch { reason = error.message }
    }
    if let headroom = AppleGainMap(xmp, isAuxiliary: true)?.headroom(maker: maker) {
      return Candidate(item: number, format: .apple, formula: .apple(headroom: headroom))
    }
    throw FormatError(.damaged, reason)
  }

  private static func samsungCandidate(
    _ primary: Int, _ reader: HEIFItemReader
  ) throws(FormatError) -> Candidate? {
    let auxiliary = reader.items.sources("auxl", to: primary)
    guard let number = auxiliary.first(where: { isSamsung($0, reader) }) else { return nil }
    do throws(GainMapError) {
      if let values = try HDRGMValues(HEIFMetadata.packet(of: number, reader)) {
        return Candidate(
          item: number, format: .ultraHDR, formula: .iso(try GainMapMetadata(values)))
      }
    } catch { throw FormatError(.damaged, error.message) }
    throw FormatError(.damaged, "Samsung's gain map has no headroom")
  }

  private static func isSamsung(_ item: Int, _ reader: HEIFItemReader) -> Bool {
    (reader.items[item]?.properties ?? []).contains(where: \.isSamsungGainMap)
  }

  /// Whether an item is declared to be Apple's map.
  private static func isApple(_ item: Int, _ reader: HEIFItemReader) -> Bool {
    (reader.items[item]?.properties ?? []).contains(where: \.isAppleGainMap)
  }

  static func note(_ error: FormatError) -> String {
    "its gain map cannot be used: \(error.message)"
  }
}
