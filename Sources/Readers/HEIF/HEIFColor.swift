import Containers
import ImageCore

/// The color encoding of an item.
///
/// Code points take precedence for PQ and HLG, which an ICC profile only approximates; for all else
/// a readable profile is more precise. What the container leaves unspecified is taken from the
/// coded data; without either it is sRGB (ISO/IEC 23000-22).
///
/// Stills of 8 bits whose code points name the curve of BT.709, BT.601 or BT.2020 (1, 6, 14, 15)
/// are read as sRGB. Android phones declare these code points for pictures encoded with the sRGB
/// curve: their Exif thumbnails, JPEGs in sRGB, have the same codes, and libheif and libavif show
/// them so.
enum HEIFColor {
  static func description(
    _ properties: [HEIFProperty], _ still: CodedStill?
  ) -> (color: ColorDescription, note: String?) {
    var points: HEIFProperty.CodePoints?
    var profiles: [[UInt8]] = []
    for property in properties {
      switch property {
      case .codePoints(let found) where points == nil: points = found
      case .profile(let bytes) where profiles.count < FormatLimits.itemProfiles:
        profiles.append(bytes)
      default: break
      }
    }
    var described: ColorDescription?
    for profile in profiles where described == nil {
      described = ICCReader.description(of: profile)
      described?.profile = profile
    }
    if var found = points, found.primaries == 2, found.transfer == 2 {
      found = still?.codePoints ?? found
      points = found.primaries == 2 && found.transfer == 2 ? nil : found
    } else if points == nil, described == nil, let coded = still?.codePoints,
      coded.primaries != 2 || coded.transfer != 2
    {
      points = coded
    }
    var coded = points.flatMap {
      ColorDescription(primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix)
    }
    coded?.profile = profiles.first
    if still?.bits == 8, coded?.transfer == .bt709 {
      coded?.transfer = .srgb
      coded?.name += " read as sRGB's"
    }
    if let coded, coded.isHighDynamicRange { return (coded, nil) }
    if var color = described {
      color.codePoints = color.codePoints ?? points.map { [$0.primaries, $0.transfer, $0.matrix] }
      return (color, nil)
    }
    let damaged = profiles.isEmpty ? nil : ICCReader.damagedNote
    if let coded { return (coded, damaged) }
    var color = ColorDescription.assumed
    color.profile = profiles.first
    color.codePoints = points.map { [$0.primaries, $0.transfer, $0.matrix] }
    let note = points.map {
      "its code points \($0.primaries)/\($0.transfer) are not supported; sRGB is assumed"
    }
    return (color, note ?? damaged)
  }

  static func hdrMetadata(_ properties: [HEIFProperty]) -> HDRMetadata {
    var hdrMetadata = HDRMetadata()
    // The item's own properties come first and take precedence.
    for property in properties.reversed() {
      switch property {
      case .contentLight(let value): hdrMetadata.contentLight = value
      case .masteringDisplay(let value): hdrMetadata.masteringDisplay = value
      case .contentVolume(let value): hdrMetadata.contentVolume = value
      case .ambient(let value): hdrMetadata.ambient = value
      case .diffuseWhite(let nits): hdrMetadata.diffuseWhiteNits = nits > 0 ? nits : nil
      default: break
      }
    }
    return hdrMetadata
  }
}
