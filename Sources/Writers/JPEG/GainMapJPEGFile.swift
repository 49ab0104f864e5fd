import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// A finished JPEG with its gain map, as chunks: two concatenated JPEGs. Sources: ISO 21496-1:2025
/// annex B, CIPA DC-007, Android's Ultra HDR format 1.1, files of Apple's cameras.
package struct GainMapJPEGFile {
  let parts: [[UInt8]]
  let statistics: ContentLightStatistics
  /// What it could not hold, one sentence each.
  let notes: [String]

  let hasGainMap: Bool

  /// `jpeg` without a gain map.
  init(
    _ jpeg: CodedJPEG, size: PixelSize, _ writer: JPEGWriter, _ metadata: CaptureMetadata
  ) throws {
    (parts, notes) = try writer.file(jpeg, size: size, metadata)
    (statistics, hasGainMap) = (jpeg.statistics, false)
  }

  /// `jpeg`, a picture of `size`, with its map.
  init(
    _ jpeg: CodedJPEG, size: PixelSize, map: StoredGainMap, writer: JPEGWriter,
    metadata: CaptureMetadata
  ) throws {
    let plan = try GainMapEncoding(map, wanted: writer.settings.mapFormats)
    let second = try Self.map(plan, writer, alternate: map.alternatePrimaries)
    let mapBytes = second.reduce(0) { $0 + $1.count }
    let formats = plan.formats
    var segments = JPEGHeader()
    try segments.jfif(
      dotsPerInch: metadata.dotsPerInch, isApple: formats.contains(.apple))
    let left = try segments.describe(
      metadata, size: size, in: writer.space.exif,
      appleHeadroom: formats.contains(.apple) ? plan.makerHeadroom : nil,
      descriptions: formats.contains(.ultraHDR)
        ? [PictureDirectory.description(mapBytes: mapBytes)] : [])
    notes = plan.notes + left
    try segments.profile(writer.space.iccProfile())
    // The versions only; the record is stored in the second picture.
    if formats.contains(.iso) { try segments.gainMap(isoRecord: [0, 0, 0, 0]) }
    try segments.pictures(second: mapBytes, rest: jpeg.byteCount - 2)
    parts = jpeg.file(segments.bytes) + second
    (statistics, hasGainMap) = (jpeg.statistics, true)
    guard parts.reduce(0, { $0 + $1.count }) <= Int(UInt32.max) else {
      throw WriteError(
        .unsupportedSize, "the picture is too large for the index of a JPEG; write a HEIF or TIFF")
    }
  }

  private static func map(
    _ plan: GainMapEncoding, _ writer: JPEGWriter, alternate: Primaries
  ) throws -> [[UInt8]] {
    let samples = GainMapSamples(map: plan.image)
    // Chroma of a gain map carries gains: it is not subsampled.
    let coding = JPEGCoding(
      encoding: samples.encoding(siting: nil),
      chroma: plan.image.channels == 1 ? .monochrome : .yuv444,
      quality: JPEGWriter.number(quality: Double(writer.settings.codedMapQuality)))
    let jpeg = try CodedJPEG(samples, coding: coding, workers: writer.workers)
    var descriptions: [String] = []
    if plan.formats.contains(.ultraHDR) {
      descriptions.append(HDRGMValues(plan.metadata).xmpDescription)
    }
    if plan.formats.contains(.apple) {
      descriptions.append(AppleGainMap(headroom: plan.appleHeadroom).xmpDescription)
      descriptions.append(AppleGainMap.pixelDataDescription)
    }
    var segments = JPEGHeader()
    try segments.jfif()
    if !descriptions.isEmpty { try segments.xmp(XMPWriter.packet(descriptions: descriptions)) }
    if plan.formats.contains(.iso) {
      // Where gains act in the other rendition's primaries, the map's profile names them.
      if !plan.metadata.usesBaseColorSpace {
        try segments.profile(ColorSpace(linear: alternate).iccProfile())
      }
      try segments.gainMap(isoRecord: plan.metadata.isoRecord)
    }
    return jpeg.file(segments.bytes)
  }
}
