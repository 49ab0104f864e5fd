package import Containers
public import Foundation
public import HDRRender
public import ImageCore

/// An opened picture file: its metadata, and its linear values on demand.
///
/// HEIF, AVIF, JPEG, PNG, TIFF, JPEG XL, WebP, OpenEXR, Radiance and NumPy's arrays, SDR or HDR.
/// HDR is coded into the picture (ISO 22028-5: PQ or HLG; floats with 1.0 at reference white) or
/// added by a gain map (ISO 21496-1, Ultra HDR, Apple). Transparency is composited on white, or on
/// black for premultiplied floats. Opening parses the file's tables only; pixels are decoded by
/// ``base()`` and ``picture()``. Camera raws are opened by `RAWFilter`.
public struct StillImage: Sendable {
  /// Which rendition is requested.
  public enum Rendition: String, Sendable, Hashable, Codable, CaseIterable {
    /// The full range of the file: gain map applied in full, PQ and HLG unchanged (expandToHDR).
    case high
    /// Nothing above reference white: the base of a gain map, PQ and HLG tone-mapped
    /// (toneMapHDRtoSDR).
    case standard
    /// The base picture as stored, whatever its range.
    case asStored = "as-stored"
  }

  /// Headroom assumed for HDR pictures that do not declare it, until their pixels are decoded: 1000
  /// cd/m².
  public static let defaultHeadroom = Double(ReferenceWhite.hlgHeadroom)

  /// Headroom of the largest half float. Larger floats count as missing values.
  private static let maxHeadroom = 0x1p16

  /// The file; nil for bytes in memory.
  public let path: String?
  /// Its format.
  public let kind: StillKind
  /// What becomes of it where it is damaged.
  public let policy: ReadPolicy
  let container: any StillContainer
  package let file: FileBytes

  /// The picture at `url`. `policy` decides how a damaged one is read.
  public init(
    contentsOf url: URL, limits: DecodeLimits = DecodeLimits(), policy: ReadPolicy = .whole
  ) throws(ReadError) {
    try self.init(
      ReadError.translating { () throws(FormatError) in
        try FileBytes(url, limits: limits)
      }, policy)
  }

  /// The picture in `bytes`, likewise.
  public init(
    _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits(), policy: ReadPolicy = .whole
  ) throws(ReadError) {
    try self.init(
      ReadError.translating { () throws(FormatError) in
        try FileBytes(bytes, limits: limits)
      }, policy)
  }

  private init(_ file: FileBytes, _ policy: ReadPolicy) throws(ReadError) {
    guard let kind = StillKind(file) else {
      let what =
        PictureSignature.unreadName(file).map {
          "this is \($0), which is not supported; convert it to"
        } ?? "unsupported file type; give"
      throw ReadError(
        .unknownKind,
        "\(what) a HEIF, AVIF, JPEG, PNG, TIFF, JPEG XL, WebP, OpenEXR or Radiance file",
        path: file.path)
    }
    path = file.path
    self.file = file
    self.kind = kind
    self.policy = policy
    container = try Self.whole(file) { () throws(ReadError) in
      try Self.container(of: kind, file, policy)
    }
    let size = container.info.storedSize
    do throws(FormatError) { try file.limits.allow(size) } catch {
      throw ReadError(error, path: file.path)
    }
  }

  private static func container(
    of kind: StillKind, _ file: FileBytes, _ policy: ReadPolicy
  ) throws(ReadError) -> any StillContainer {
    switch kind {
    case .jpeg: try JPEGStill(file, policy)
    case .heif, .avif: try HEIFStill(file, policy)
    case .png: try PNGStill(file, policy)
    case .tiff: try TIFFStill(file, policy)
    case .jpegXL: try JPEGXLStill(file, policy)
    case .exr: try EXRStill(file, policy)
    case .radiance: try RadianceStill(file, policy)
    case .webP: try WebPStill(file, policy)
    case .npy: try NPYStill(file, policy)
    }
  }

  /// Columns and rows, upright.
  public var size: PixelSize { container.info.orientation.upright(container.info.storedSize) }
  /// Orientation of the stored rows.
  public var orientation: Orientation { container.info.orientation }
  /// Bits of a sample of the primary picture.
  public var bitDepth: Int { container.info.bitDepth }
  /// 1 gray, 3 RGB, 4 CMYK.
  public var channels: Int { container.info.channels }
  /// The color encoding of the primary picture.
  public var color: ColorDescription { container.info.color }
  /// HDR metadata of the file.
  public var hdrMetadata: HDRMetadata { container.info.hdrMetadata }
  /// The gains for other displays in its ICC profile, which is searched each time.
  package var adaptiveGainCurve: [UInt8]? {
    color.profile.flatMap { ICCTagTable($0)?.adaptiveGainCurve }
  }
  /// Exif entries and XMP.
  public var metadata: CaptureMetadata { container.info.metadata }
  /// The two values of Apple's maker note that older gain maps depend on.
  public var makerApple: AppleGainMap.MakerValues? { container.info.maker }
  /// The gain map; nil when there is no usable one.
  public var gainMap: GainMapDescription? { container.info.gainMap }
  /// Sizes of embedded thumbnails and previews.
  public var thumbnails: [PixelSize] { container.info.thumbnails }
  /// What was ignored, such as a gain map with damaged parameters; one line each.
  public var notes: [String] { container.info.notes }
  /// The notes that concern the gain map.
  package var gainMapNotes: [String] { container.info.gainMapNotes }
  /// The notes of the file and `others`, of its decoded pixels, each once: that the file is
  /// truncated is in both. Without the note on alpha for a layer, whose alpha is used.
  package func notes(and others: [String], isLayer: Bool = false) -> [String] {
    let own = isLayer ? notes.filter { $0 != container.info.alpha?.rawValue } : notes
    return own + others.filter { !own.contains($0) }
  }
  /// Whether it has alpha.
  package var isTransparent: Bool { container.info.alpha != nil }
  /// Whether it has alpha, and its colors are premultiplied floats.
  package var isMultiplied: Bool { container.info.alpha == .premultiplied }

  /// Whether the primary picture itself is HDR (PQ or HLG); false for an SDR base with a
  /// gain map.
  public var isHighDynamicRange: Bool { color.isHighDynamicRange }
  /// Whether the transfer function is one of BT.2100.
  public var usesITU2100TransferFunction: Bool { color.usesITU2100TransferFunction }

  /// Headroom of the content, a ratio to reference white, as the file declares it: of the gain map,
  /// else 1 for standard range, else the declared maximum content light level, else
  /// ``defaultHeadroom``. ``picture()`` measures it.
  public var contentHeadroom: Double {
    gainMap?.headroom ?? baseHeadroom
  }

  /// The headroom of the primary picture itself.
  package var baseHeadroom: Double {
    isHighDynamicRange ? max(declaredHeadroom ?? Self.defaultHeadroom, 1) : 1
  }

  /// From the content light level.
  private var declaredHeadroom: Double? {
    hdrMetadata.contentLight.flatMap {
      $0.maximumNits > 0 ? $0.maximumNits / ReferenceWhite.nits : nil
    }
  }

  /// Whether samples are floats, which are unbounded: their headroom must be measured.
  package var isFloat: Bool { container.info.isFloat }

  /// The identity of the file; empty for bytes in memory.
  package var sources: Set<FileIdentity> { file.identity.map { [$0] } ?? [] }

  /// A UUID of the file's content.
  package var contentUUID: String { file.contentUUID }

  /// The unchanged bytes of the file, for passing it on without transcoding. Copies the file.
  public var storedBytes: [UInt8] { file.bytes(0, file.count) ?? [] }

  /// The linear values of the primary picture, upright, without its gain map. Decodes the picture.
  public func base() throws(ReadError) -> any PixelSource<DisplayReferred> {
    try linear { () throws(ReadError) in try container.picture() }.source
  }

  /// The same, reduced while decoding where that saves time, such as a JPEG in eighths. The longer
  /// side is at least `minSide` or unchanged.
  package func base(minSide: Int) throws(ReadError) -> any PixelSource<DisplayReferred> {
    try linear { () throws(ReadError) in try container.picture(minSide: minSide) }.source
  }

  /// `samples` as linear values, upright, with a note on non-finite floats, and their alpha. The
  /// headroom of floats is measured.
  private func linear(
    _ transparency: LinearizedSource.Transparency = .flat, needsCover: Bool = false,
    _ samples: () throws(ReadError) -> DecodedSamples
  ) throws(ReadError) -> (
    source: any PixelSource<DisplayReferred>, alpha: (any PixelSource<DisplayReferred>)?,
    notes: [String]
  ) {
    let samples = try Self.whole(file, samples)
    let notes = samples.notes + [samples.makeFinite()].compactMap(\.self)
    var source = LinearizedSource(samples, color, of: sources, transparency)
    var alpha = samples.alpha
    if needsCover, alpha?.isPremultiplied == true {
      let stored = LinearizedSource(samples, color, of: sources)
      if try ReadError.translating({ () throws(PixelError) in try stored.hasEmission() }) {
        (source, alpha) = (stored, nil)
      }
    }
    let isBounded = samples.format.isInteger || !color.isExtendable
    let opacity = alpha.map { alpha in
      orientation.applied(to: LinearizedSource(alpha.samples, .linearGray, of: sources))
    }
    return (orientation.applied(to: isBounded ? source : try source.measured()), opacity, notes)
  }

  /// What `read` makes of `file`, unless a part of it was lost by then.
  private static func whole<Value>(
    _ file: FileBytes, _ read: () throws(ReadError) -> Value
  ) throws(ReadError) -> Value {
    try file.reading({ ReadError($0) }, read)
  }

  /// The gain map as stored: not rotated, its samples unchanged. Throws without one (``gainMap`` is
  /// nil) and when its pixels are damaged.
  public func gainMapImage() throws(ReadError) -> GainMapImage {
    guard gainMap != nil else {
      throw ReadError(
        .unsupported, "the file has no gain map that can be used; see its notes", path: path)
    }
    return try Self.whole(file) { () throws(ReadError) in try container.gainMap() }
  }

  /// The gain map for the upright picture, nil without one; where its pixels cannot be decoded, the
  /// note that says why. Decodes the gain map.
  private func decodedGainMap() -> (map: GainMapImage?, note: String?) {
    guard let gainMap else { return (nil, nil) }
    // Beside the picture: the samples as decoded, as codes of 16 bits, and these turned upright.
    let format = DecodedSamples.Format.codes(bits: bitDepth)
    let left =
      file.limits.maxDecodeBytes
      - DecodedSamples.bytes(container.info.storedSize, channels: channels, format)
    guard 5 * gainMap.size.area * gainMap.channels <= left else {
      let what = "beside its picture it takes more than the limit of"
      let limit = "\(file.limits.maxDecodeBytes) bytes; raise the limit"
      return (nil, "its gain map cannot be decoded and was left out: \(what) \(limit)")
    }
    do throws(ReadError) { return (try uprightGainMapImage(), nil) } catch {
      let what = error.code == .damaged ? "is damaged" : "cannot be decoded"
      return (nil, "its gain map \(what) and was left out: \(error.message)")
    }
  }

  /// The note of ``picture()`` on a gain map that cannot be decoded; nil where it can be decoded or
  /// is absent. Decodes the gain map.
  package func gainMapDamage() -> String? { decodedGainMap().note }

  /// The picture with its gain map, ready to be rendered for any display. Where the pixels of the
  /// gain map are damaged it is the base alone, and its notes say why.
  public func picture() throws(ReadError) -> DisplayPicture { try picture(.flat).picture }

  /// The same with its straight colors, and its alpha, a gray of 0…1, or nil for an opaque picture:
  /// for compositing.
  package func layer() throws(ReadError) -> (
    picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?
  ) {
    try picture(.colors)
  }

  /// The same for writing to another file: straight colors of premultiplied floats, or the picture
  /// on black without alpha, where it has emission too.
  package func coveringLayer() throws(ReadError) -> (
    picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?
  ) {
    try picture(.colors, needsCover: true)
  }

  /// Premultiplied colors as stored, and their alpha.
  package func multipliedLayer() throws(ReadError) -> (
    picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?
  ) {
    try picture(.flat)
  }

  private func picture(
    _ transparency: LinearizedSource.Transparency, needsCover: Bool = false
  ) throws(ReadError) -> (picture: DisplayPicture, alpha: (any PixelSource<DisplayReferred>)?) {
    let average = hdrMetadata.contentLight.map { $0.averageNits / ReferenceWhite.nits }
    let base = try linear(transparency, needsCover: needsCover) { () throws(ReadError) in
      try container.picture()
    }
    let (map, damage) = decodedGainMap()
    var picture: DisplayPicture
    if let gainMap, let map {
      picture = DisplayPicture(
        GainMapPicture(
          base: base.source, map: map, formula: gainMap.formula,
          alternatePrimaries: gainMap.alternatePrimaries),
        averageLightLevel: average)
    } else {
      picture = try measured(base.source, averageLightLevel: average)
    }
    picture.notes += [damage].compactMap(\.self) + base.notes
    return (picture, base.alpha)
  }

  /// The primary picture without its gain map, ready to be rendered for any display.
  package func basePicture() throws(ReadError) -> DisplayPicture { try measured(try base()) }

  /// `base` with the measured headroom, which PQ, hybrid log-gamma and floats do not declare; for
  /// PQ and hybrid log-gamma the declared one where larger. The tone curve to a darker display uses
  /// the declared headroom, or ``HighlightArea``. Reads the picture once.
  private func measured(
    _ base: any PixelSource<DisplayReferred>, averageLightLevel: Double? = nil
  ) throws(ReadError) -> DisplayPicture {
    var headroom = color.isExtendable ? min(Double(base.info.headroom), Self.maxHeadroom) : 1
    var tone = headroom
    if isHighDynamicRange || headroom > 1 {
      let found = try ReadError.translating { () throws(PixelError) in try base.highlightArea() }
      let declared = isHighDynamicRange ? declaredHeadroom ?? 0 : 0
      headroom = max(min(Double(found.peak), Self.maxHeadroom), declared, 1)
      tone = max(Double(found.headroom), declared)
    }
    return DisplayPicture(
      base, contentHeadroom: headroom, toneHeadroom: tone, averageLightLevel: averageLightLevel,
      isAbsolute: isHighDynamicRange)
  }

  /// The linear values of the requested rendition, upright. Decodes the picture.
  public func linear(_ rendition: Rendition) throws(ReadError) -> any PixelSource<DisplayReferred> {
    switch rendition {
    case .asStored: return try base()
    case .standard: return DisplayRendering(.standard, displayHeadroom: 1)(try picture())
    case .high:
      let picture = try picture()
      return DisplayRendering(.high, displayHeadroom: picture.contentHeadroom)(picture)
    }
  }

  /// The gain map for the upright picture (applyOrientationProperty); see ``gainMapImage()`` for
  /// the map as stored.
  public func uprightGainMapImage() throws(ReadError) -> GainMapImage {
    try gainMapImage().upright(orientation)
  }
}
