import Codecs
import Containers
import Formats
import HDRRender
package import ImageCore

/// A finished HEIF or AVIF in memory, in the pieces in which it was coded.
package struct HEIFFile {
  /// Everything before the media data.
  let head: [UInt8]
  /// The media data.
  let media: [[UInt8]]
  let size: PixelSize
  let statistics: LightStatistics
  var isToneMapped = false
  /// What the file could not take over unchanged.
  var notes: [String]

  /// `picture` is the primary one of `container`; `notes` come before what is known of its coding.
  init(
    _ container: HEIFContainer, picture: CodedTiles, settings: StillSettings, notes: [String] = []
  ) throws(WriteError) {
    head = try container.head()
    media = container.media
    (size, statistics) = (picture.grid.picture, picture.statistics)
    self.notes = notes
    if picture.coding.chroma != settings.chroma {
      self.notes.append(
        "all of the chroma was kept: \(settings.codec.name) of odd size and 4:2:0 is one coded "
          + "picture of at most \(settings.codec.longestTileSide) pixels a side")
    }
  }

  /// A picture by itself.
  package init(
    _ picture: some PixelSource<DisplayReferred>, settings: StillSettings,
    light: LightMetadata, metadata: CaptureMetadata, workers: Int,
    progress: (@Sendable (Double) -> Void)?
  ) throws {
    try settings.check(picture.info)
    let pictures = try CodedPictures(
      picture, settings: settings, workers: workers, progress: progress)
    let tiles = pictures.main
    let brands = settings.codec.brands(pictures.all)
    var file = HEIFContainer(majorBrand: brands.major, compatibleBrands: brands.compatible)
    let known = light.filled(
      from: settings.light(tiles.statistics, headroom: picture.info.headroom))
    file.primary = file.add(
      pictures, common: [.color(settings.color), .depth(settings.bits)],
      own: HEIFProperty.light(known))
    file.add(exif: EXIF.block(metadata, size: picture.size), about: [file.primary])
    file.add(
      xmp: XMPWriter.packet(metadata, format: settings.codec.mediaType), about: [file.primary])
    try self.init(file, picture: tiles, settings: settings)
    isToneMapped = tiles.coding.encoding.toneMapping != nil
    if isToneMapped {
      notes.append(BT2390.note(peakNits: settings.peakNits))
    } else if statistics.contentHeadroom > ReferenceWhite.pqHeadroom {
      notes.append("light above PQ's 10,000 cd/m² was clipped; lower the exposure")
    }
  }

  /// All pieces, in order.
  package var parts: [[UInt8]] { [head] + media }

  /// Replaces what is at `path` by the file, once it is complete.
  package func write(to path: String) throws -> WrittenFile {
    WrittenFile(
      path: path, byteCount: try AtomicFile.write(parts, to: path), size: size,
      statistics: statistics, isToneMapped: isToneMapped, notes: notes)
  }
}
