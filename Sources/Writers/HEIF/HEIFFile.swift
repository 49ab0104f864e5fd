import HDRRender
import ImageCore

/// A finished file in memory, in the pieces in which it was coded.
struct HEIFFile {
  /// Everything before the media data.
  let head: [UInt8]
  /// The media data.
  let media: [[UInt8]]
  let statistics: LightStatistics
  let isToneMapped: Bool

  init(
    _ container: HEIFContainer, statistics: LightStatistics, isToneMapped: Bool = false
  ) throws(WriteError) {
    head = try container.head()
    media = container.media
    (self.statistics, self.isToneMapped) = (statistics, isToneMapped)
  }

  /// A picture by itself.
  init(
    _ picture: some PixelSource<DisplayReferred>, settings: HEIFWriter.Settings,
    light: LightMetadata, metadata: CaptureMetadata, workers: Int,
    progress: (@Sendable (Double) -> Void)?
  ) throws {
    try settings.check(picture.info)
    let pictures = try CodedPictures(
      picture, settings: settings, workers: workers, progress: progress)
    let tiles = pictures.main
    var file = HEIFContainer(
      majorBrand: settings.brand,
      compatibleBrands: ["mif1", settings.brand] + (tiles.followsMIAF ? ["miaf"] : []))
    let known = light.filled(
      from: settings.light(tiles.statistics, headroom: picture.info.headroom))
    file.primary = file.add(
      pictures, common: [.color(settings.color), .depth(settings.bits)],
      own: HEIFProperty.light(known))
    file.add(exif: try EXIF.block(metadata, size: picture.size), about: [file.primary])
    file.add(xmp: XMP.packet(metadata, format: "image/heif"), about: [file.primary])
    try self.init(
      file, statistics: tiles.statistics, isToneMapped: tiles.coding.encoding.toneMapping != nil)
  }

  /// All pieces, in order.
  var parts: [[UInt8]] { [head] + media }
}
