import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// A finished JPEG with its map, in pieces: two JPEGs one behind the other. Sources: ISO
/// 21496-1:2025 annex B, CIPA DC-007, Android's Ultra HDR format 1.1, files of Apple's cameras.
package struct GainMapJPEGFile {
  let parts: [[UInt8]]
  let statistics: ContentLightStatistics

  init(
    _ picture: some PixelSource<DisplayReferred>, settings: GainMapJPEGWriter.Settings,
    plan: GainMapEncoding, alternate: Primaries, metadata: CaptureMetadata, workers: Int,
    progress: (@Sendable (Double) -> Void)?
  ) throws {
    let second = try Self.map(plan, settings, alternate: alternate, workers: workers)
    let mapBytes = second.reduce(0) { $0 + $1.count }
    let jpeg = try CodedJPEG(
      picture, coding: settings.base.coding(picture.info), workers: workers, progress: progress)
    let (forms, base) = (plan.forms, settings.base)
    var segments = JPEGHeader()
    try segments.jfif(isApple: forms.contains(.apple))
    try segments.exif(
      EXIF.jpegBlock(
        metadata, size: picture.size, isSRGB: base.colorSpace == .sRGB,
        makerNote: forms.contains(.apple)
          ? AppleMakerNote.bytes(headroom: plan.appleHeadroom) : nil))
    try segments.xmp(
      XMP.packet(
        metadata, format: "image/jpeg",
        descriptions: forms.contains(.hdrgm) ? [Self.directory(mapBytes: mapBytes)] : [],
        limit: JPEGHeader.longestXMP))
    try segments.profile(base.colorSpace.profile.bytes())
    // The versions say that the record stands in the other picture.
    if forms.contains(.iso) { try segments.gainMap(isoRecord: [0, 0, 0, 0]) }
    try segments.pictures(second: mapBytes, rest: jpeg.byteCount - 2)
    parts = jpeg.file(segments.bytes) + second
    statistics = jpeg.statistics
    guard parts.reduce(0, { $0 + $1.count }) <= Int(UInt32.max) else {
      throw WriteError(
        .unsupportedSize, "the picture is too large for the index of a JPEG; write a HEIF or TIFF")
    }
  }

  private static func map(
    _ plan: GainMapEncoding, _ settings: GainMapJPEGWriter.Settings, alternate: Primaries,
    workers: Int
  ) throws -> [[UInt8]] {
    let samples = GainMapSamples(map: plan.image)
    // Color differences of gains are gains: all of them are kept.
    let coding = JPEGCoding(
      encoding: samples.encoding(siting: nil),
      chroma: plan.image.channels == 1 ? .monochrome : .yuv444,
      quality: JPEGWriter.number(quality: settings.mapQuality))
    let jpeg = try CodedJPEG(samples, coding: coding, workers: workers)
    var descriptions: [String] = []
    if plan.forms.contains(.hdrgm) {
      descriptions.append(HDRGMValues(plan.metadata).xmpDescription)
    }
    if plan.forms.contains(.apple) {
      descriptions.append(AppleGainMap(headroom: plan.appleHeadroom).xmpDescription)
      descriptions.append(pixelData)
    }
    var segments = JPEGHeader()
    try segments.jfif()
    if !descriptions.isEmpty { try segments.xmp(XMP.packet(descriptions: descriptions)) }
    if plan.forms.contains(.iso) {
      // Where gains act in the other rendition's primaries, the map's profile names them.
      if !plan.metadata.usesBaseColorSpace {
        try segments.profile(ICCProfile(linear: alternate).bytes())
      }
      try segments.gainMap(isoRecord: plan.metadata.isoRecord)
    }
    return jpeg.file(segments.bytes)
  }

  /// What Android's readers look for in the first picture.
  package static func directory(mapBytes: Int) -> String {
    let item = "<rdf:li rdf:parseType=\"Resource\">\n      <Container:Item"
    let end = "/>\n     </rdf:li>"
    return """
        <rdf:Description rdf:about=""
          xmlns:Container="http://ns.google.com/photos/1.0/container/"
          xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
          xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
          hdrgm:Version="1.0">
         <Container:Directory>
          <rdf:Seq>
           \(item) Item:Semantic="Primary" Item:Mime="image/jpeg"\(end)
           \(item) Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(mapBytes)"\(end)
          </rdf:Seq>
         </Container:Directory>
        </rdf:Description>
      """
  }

  /// What Apple's readers look for in the second picture; the number spells L008, eight bits of one
  /// channel.
  package static let pixelData = """
      <rdf:Description rdf:about=""
        xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
        apdi:AuxiliaryImageType="\(HEIFProperty.appleGainMap)"
        apdi:NativeFormat="1278226488"
        apdi:StoredFormat="1278226488"/>
    """
}
