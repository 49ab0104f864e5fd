import Containers
import HDRRender
import ImageCore

/// A JPEG file: the primary picture, baseline or progressive, gray, of three colors or four inks, 8
/// bits; its Exif, XMP and ICC profile; and the gain map after it, if any.
///
/// A damaged gain map, profile or Exif block never makes the picture unreadable;
/// ``StillInfo/notes`` lists what was left out.
struct JPEGStill: StillContainer {
  let info: StillInfo
  let primary: JPEGSegments
  private let policy: ReadPolicy
  /// The picture that declares itself a gain map, usable or not.
  let mapPicture: JPEGSegments?
  private let map: JPEGGainMap?

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    guard let primary = JPEGSegments(file) else {
      throw ReadError(.damaged, "this is not a JPEG", path: file.path)
    }
    let frame = try primary.decodableFrame(policy)
    let block = primary.exif
    let exif = block.map { ExifInfo($0, of: file) } ?? ExifInfo()
    var info = StillInfo(
      storedSize: frame.size, orientation: exif.orientation, bitDepth: frame.bitDepth,
      channels: frame.components, color: .assumed)
    info.metadata = exif.metadata
    info.metadata.xmp = primary.xmp
    info.metadata.iptc = primary.iptc
    info.maker = exif.maker
    info.notes = exif.notes
    if let scan = primary.scan, primary.endsEarly(frame, scan) {
      info.notes.append(StillInfo.cutNote)
    }
    if info.metadata.dotsPerInch == nil, let density = primary.density {
      info.metadata.setResolution(density.dots, isMetric: density.isMetric)
    }
    if frame.components == 4 {
      info.color = InkLookup.color(primary.profile, &info.notes)
    } else {
      do {
        if let profile = try primary.profile() {
          if let color = ICCReader.description(of: profile) {
            info.color = color
          } else {
            info.notes.append("the ICC profile cannot be used; sRGB is assumed")
          }
        } else if exif.isAdobeRGB == true, frame.components == 3 {
          info.color = .adobeRGB
        }
      } catch { info.notes.append(error.message) }
    }
    let search = JPEGGainMapSearch(
      behind: primary, xmp: info.metadata.xmp, base: info.color, maker: exif.maker)
    info.gainMap = search.map?.description
    info.add(gainMapNotes: search.notes)
    let own = block.flatMap { Self.thumbnail($0, of: file) }
    info.thumbnails = (own.map { [$0] } ?? []) + search.thumbnails
    if primary.hasCredentials { info.notes.append(ContentCredentials.note) }
    self.info = info
    (self.primary, self.policy) = (primary, policy)
    map = search.map
    mapPicture = search.mapPicture
  }

  func picture() throws(ReadError) -> DecodedSamples { try primary.decode(policy) }

  func picture(minSide: Int) throws(ReadError) -> DecodedSamples {
    try primary.decode(policy, minSide: minSide)
  }

  func gainMap() throws(ReadError) -> GainMapImage {
    guard let map else {
      throw ReadError(.unsupported, "the file has no gain map that can be used")
    }
    let picture = try map.image.decode()
    do { return try picture.gainMapImage() } catch { throw ReadError(.damaged, error.message) }
  }

  func gainMapParameters() -> GainMapParameters {
    guard let picture = map?.image else { return GainMapParameters() }
    return GainMapParameters(picture, maker: info.maker)
  }

  /// Size of the JPEG that the second directory of an Exif block points to.
  private static func thumbnail(_ block: [UInt8], of file: FileBytes) -> PixelSize? {
    guard let file = try? FileBytes(block, of: file), let tiff = try? TIFFFile(file),
      let start = tiff.directory(.main(1))?[0x0201]?.integer
    else { return nil }
    return JPEGSegments(file, at: start)?.frame?.size
  }
}
