import Containers
import HDRRender
import ImageCore

/// The picture after the primary one that holds its gain map, and its parameters.
struct JPEGGainMap: Sendable {
  let description: GainMapDescription
  let image: JPEGSegments

  /// Whether a picture is a gain map, and whether it is usable.
  enum Finding {
    /// Not a gain map: its segments declare none.
    case none
    /// A usable gain map; notes on damaged parameters in other formats.
    case usable(JPEGGainMap, notes: [String])
    /// A gain map that cannot be used.
    case unusable(notes: [String])
  }

  /// Examines `image`. The first intact format is used, in the order ISO, as a record or in Apple's
  /// XMP, Ultra HDR, Apple. `base`
  /// describes the primary, `maker` the two values of its maker note.
  static func find(
    _ image: JPEGSegments, base: ColorDescription, maker: AppleGainMap.MakerValues?
  ) -> Finding {
    var found: [(format: GainMapFormat, formula: GainMapPicture.Formula)] = []
    var notes: [String] = []
    if let record = image.gainMapRecord, record.count > 4 {
      do throws(GainMapError) {
        found.append((.iso, .iso(try GainMapMetadata(isoRecord: record))))
      } catch { notes.append("gain map (ISO 21496-1): \(error.message)") }
    }
    let xmp = XMPPacket(lenient: image.xmp ?? [], limits: image.file.limits)
    do throws(GainMapError) {
      if found.isEmpty, let metadata = try GainMapMetadata(appleToneMap: xmp) {
        found.append((.iso, .iso(metadata)))
      }
    } catch { notes.append("gain map (Apple's HDRToneMap): \(error.message)") }
    do throws(GainMapError) {
      if let values = try HDRGMValues(xmp) {
        found.append((.ultraHDR, .iso(try GainMapMetadata(values))))
      }
    } catch { notes.append("gain map (Ultra HDR): \(error.message)") }
    if let apple = AppleGainMap(xmp) {
      if let headroom = apple.headroom(maker: maker) {
        found.append((.apple, .apple(headroom: headroom)))
      } else {
        notes.append("gain map (Apple): no headroom is stated; show the picture without its map")
      }
    }
    guard let first = found.first else { return notes.isEmpty ? .none : .unusable(notes: notes) }
    do throws(ReadError) {
      let frame = try image.decodableFrame(.whole)
      guard frame.components < 4 else {
        throw ReadError(.unsupported, "it is CMYK; make it again in gray or RGB")
      }
      let (alternate, note) = alternate(first.formula, image, base)
      let map = JPEGGainMap(
        description: GainMapDescription(
          formats: found.map(\.format), size: frame.size, channels: frame.components,
          bitDepth: frame.bitDepth, formula: first.formula,
          alternatePrimaries: alternate),
        image: image)
      return .usable(map, notes: notes + (note.map { [$0] } ?? []))
    } catch {
      return .unusable(notes: notes + ["gain map: \(error.message)"])
    }
  }

  /// The primaries of the alternate rendition, from the map's own ICC profile (ISO 21496-1), where
  /// the gain acts in them and they differ from the base's; the note where they have no name.
  private static func alternate(
    _ formula: GainMapPicture.Formula, _ image: JPEGSegments, _ base: ColorDescription
  ) -> (primaries: Primaries?, note: String?) {
    guard case .iso(let metadata) = formula, !metadata.usesBaseColorSpace,
      let profile = try? image.profile(), let color = ICCReader.description(of: profile)
    else { return (nil, nil) }
    guard let primaries = color.namedPrimaries else {
      return (
        nil,
        "the gain map's ICC profile has unknown primaries; the picture's are used"
      )
    }
    return (primaries == base.primaries ? nil : primaries, nil)
  }
}
