import Containers
import Formats
public import Foundation
public import HDRRender
public import ImageCore
public import Readers
import Writers

/// Edits the gain map of a picture file without encoding its pictures again.
///
/// JPEG, HEIC, AVIF and JPEG XL. The base keeps its coded bytes, and so do its Exif, XMP, profiles,
/// thumbnails and all other pictures of the file, except for their declarations of the map. A file
/// with unknown structures that the edit could break is refused. Every result is opened and
/// compared with the source before it is returned. Known failure: content credentials (C2PA), which
/// sign a file's bytes, become invalid.
public struct GainMapEditor: Sendable {
  /// Where the samples of a new map come from.
  public enum Samples: Sendable {
    /// Coded in eight bits, as the file codes maps.
    case image(GainMapImage)
    /// A JPEG, whose coded data go into a JPEG file untouched; decoded for a HEIC.
    case jpeg([UInt8])
  }

  static let noMakerNote =
    "the file has no Apple maker note with tags 33 and 48; they were left out"

  static let noMetadata = ReadError(
    .badSetting, "the file has no gain map to take metadata from; give the metadata of the new map",
    remedies: [.giveGainMapMetadata])

  /// The picture as it is.
  public let image: StillImage
  /// Bytes of the file.
  public var byteCount: Int { file.count }
  private var file: FileBytes { image.file }

  /// The picture at `url`.
  public init(contentsOf url: URL, limits: DecodeLimits = DecodeLimits()) throws(ReadError) {
    try self.init(StillImage(contentsOf: url, limits: limits))
  }

  /// The picture that `bytes` hold.
  public init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ReadError) {
    try self.init(StillImage(bytes, limits: limits))
  }

  private init(_ image: StillImage) throws(ReadError) {
    self.image = image
    guard [.jpeg, .heif, .avif, .jpegXL].contains(image.kind) else {
      throw ReadError(
        .unsupported, "only JPEG, HEIC, AVIF and JPEG XL have gain maps; give one of these",
        path: image.path)
    }
  }

  /// Runs `body`; errors of a container or of a reader name the file, which must be complete until
  /// then.
  private func about<R>(_ body: () throws -> R) throws(ReadError) -> R {
    do { return try file.reading({ $0 as any Error }, body) } catch let error as FormatError {
      throw ReadError(error, path: file.path)
    } catch let error as ReadError {
      throw error.naming(file.path)
    } catch {
      throw ReadError(.unsupported, "the edit failed: \(error)", path: file.path)
    }
  }

  // MARK: Extract

  /// The bytes of the JPEG that holds the map, as stored in a JPEG file; nil for other files and
  /// where there is no usable map.
  public func codedGainMap() throws(ReadError) -> [UInt8]? {
    guard image.gainMap != nil, let pictures = image.jpegPictures else { return nil }
    return try about {
      try JPEGDocument(file, pictures.primary, map: pictures.map).map.flatMap {
        file.bytes($0.range.lowerBound, $0.range.count)
      }
    }
  }

  // MARK: Remove

  /// The file without its gain map. The base's Exif stays as it is, with the two numbers of Apple's
  /// maker note, which another map needs. A file without a map comes back byte for byte.
  public func discardingGainMap() throws(ReadError) -> EditedFile { try about { try removing() } }

  /// The same, which is then SDR: throws when the picture itself is HDR, which no edit changes.
  public func removingHDR() throws(ReadError) -> EditedFile {
    try about {
      guard !image.isHighDynamicRange else {
        throw ReadError(
          .unsupported,
          "the picture itself is HDR (\(image.color.name)); convert it to SDR",
          remedies: [.convertToSDR])
      }
      return try removing()
    }
  }

  private func removing() throws -> EditedFile {
    let bytes: [UInt8]
    if let pictures = image.jpegPictures {
      var document = try JPEGDocument(file, pictures.primary, map: pictures.map)
      try document.removeGainMap()
      if document.isUnchanged {
        return EditedFile(bytes: image.storedBytes, isChanged: false, notes: [])
      }
      bytes = try document.bytes()
    } else if image.kind == .jpegXL {
      guard let rest = try JPEGXLGainMapRemoval.bytes(file) else {
        return EditedFile(bytes: image.storedBytes, isChanged: false, notes: [])
      }
      bytes = rest
    } else {
      var document = try HEIFDocument(file)
      guard try document.removeGainMaps() else {
        return EditedFile(bytes: image.storedBytes, isChanged: false, notes: [])
      }
      bytes = try document.bytes()
      try EditCheck.items(HEIFDocument(file), bytes)
    }
    try EditCheck.removed(image, bytes)
    return EditedFile(bytes: bytes, notes: [])
  }

  // MARK: Replace

  /// The file with another map, and with other `parameters` unless they are nil: then the file's
  /// own stay, byte for byte. A file without a map gets one. `quality`, 0…1, applies where the map
  /// is coded here; nil for the default. Throws `ReadError`, and `WriteError` where the map cannot
  /// be coded.
  public func replacingGainMap(
    _ samples: Samples, parameters: GainMapParameters? = nil, quality: Double? = nil,
    workers: Int = 2
  ) throws -> EditedFile {
    let map = try decoded(samples)
    let parameters = declared(parameters ?? own(samples))
    try about { try check(map, parameters) }
    let result =
      switch image.kind {
      case .jpeg: try replacedJPEG(samples, map, parameters, quality, workers)
      case .jpegXL: try replacedJPEGXL(map, parameters, quality, workers)
      default: try replacedHEIF(map, parameters, quality, workers)
      }
    try about {
      try EditCheck.replaced(
        image, result.bytes, map, parameters ?? image.gainMapParameters)
    }
    return EditedFile(bytes: result.bytes, notes: result.notes + self.notes(map))
  }

  private func decoded(_ samples: Samples) throws(ReadError) -> GainMapImage {
    switch samples {
    case .image(let image): return image
    case .jpeg(let bytes):
      do throws(ReadError) {
        let still = try StillImage(bytes, limits: file.limits)
        guard still.kind == .jpeg else {
          throw ReadError(.badSetting, "the map is not a JPEG; pass its samples instead")
        }
        return try still.storedSamples()
      } catch {
        throw ReadError(error.code, "the map: \(error.message)", remedies: error.remedies)
      }
    }
  }

  /// Where the file has no maker note for the two numbers, the headroom that they encode is
  /// declared in XMP.
  private func declared(_ parameters: GainMapParameters?) -> GainMapParameters? {
    if let parameters, image.kind == .jpegXL {
      // It stores only ISO's form, which can express Ultra HDR parameters.
      let iso = parameters.iso ?? parameters.ultraHDR.flatMap { try? GainMapMetadata($0) }
      return iso.map { GainMapParameters(iso: $0) } ?? parameters
    }
    if var only = parameters, image.kind == .avif, only.iso != nil {
      // No reader looks for Apple's format in an AVIF.
      (only.apple, only.maker) = (nil, nil)
      return only
    }
    guard var parameters, image.makerApple == nil, parameters.apple?.declaredHeadroom == nil,
      parameters.apple != nil, let headroom = parameters.maker?.headroom
    else { return parameters }
    parameters.apple = AppleGainMap(headroom: headroom)
    return parameters
  }

  /// The parameters of the map's own JPEG, where the file has no map.
  private func own(_ samples: Samples) -> GainMapParameters? {
    guard image.gainMap == nil, case .jpeg(let bytes) = samples,
      let file = try? FileBytes(bytes, of: self.file),
      let picture = JPEGSegments(file)
    else { return nil }
    let own = GainMapParameters(picture)
    return own.formats.isEmpty ? nil : own
  }

  private func check(_ map: GainMapImage, _ parameters: GainMapParameters?) throws(ReadError) {
    func refuse(_ what: String) -> ReadError { ReadError(.badSetting, what) }
    if [.avif, .jpegXL].contains(image.kind), let parameters, parameters.iso == nil {
      let kind = image.kind == .avif ? "an AVIF" : "a JPEG XL"
      throw refuse("\(kind) stores gain maps in ISO's form only; give metadata in that form")
    }
    guard let meant = parameters ?? (image.gainMap.map { _ in image.gainMapParameters }),
      !meant.formats.isEmpty
    else { throw Self.noMetadata }
    let channels = max(meant.iso?.channels.count ?? 1, meant.ultraHDR.map(\.channelCount) ?? 1)
    guard map.channels >= channels else {
      throw refuse("the map has one channel, its metadata three; give a map of three channels")
    }
    if meant.apple != nil {
      guard map.channels == 1 else {
        throw refuse("the map has three channels, Apple's form one; give a map of one channel")
      }
      guard meant.appleHeadroom ?? image.makerApple.flatMap(\.headroom) != nil else {
        throw refuse("the metadata in Apple's form has no headroom; give HDRGainMapHeadroom")
      }
    }
    if let iso = meant.iso, iso.isBaseHDR != image.isHighDynamicRange {
      let (base, own) = iso.isBaseHDR ? ("HDR", "SDR") : ("SDR", "HDR")
      throw refuse("the map has an \(base) base, the picture is \(own); make a map for it")
    }
    let coded = image.codedSize
    let (across, down) = (map.size.width * coded.height, map.size.height * coded.width)
    // A map of half the size, rounded, may be off by one pixel.
    let slack = across / 50 + 2 * (coded.width + coded.height)
    guard abs(across - down) <= slack else {
      throw refuse(
        "the map is \(map.size), the coded picture \(coded): the aspect ratio differs; rotate or "
          + "crop the map as the picture is stored")
    }
  }

  private func notes(_ map: GainMapImage) -> [String] {
    var notes: [String] = []
    if map.maximumCode > 255 { notes.append("the map was rounded to eight bits") }
    let coded = image.codedSize
    func isHalf(_ part: Int, _ full: Int) -> Bool { part == full / 2 || part == (full + 1) / 2 }
    if !isHalf(map.size.width, coded.width) || !isHalf(map.size.height, coded.height) {
      notes.append(
        "the map is \(map.size); Apple's programs expect half the picture's \(coded), rounded")
    }
    return notes
  }

  /// Quality of a map in a file of `container` where none is given.
  private static func quality(_ container: EncoderSettings.Container) -> Double {
    Double(EncoderSettings(container).codedMapQuality)
  }

  private func replacedJPEG(
    _ samples: Samples, _ map: GainMapImage, _ parameters: GainMapParameters?, _ quality: Double?,
    _ workers: Int
  ) throws -> EditedFile {
    guard let pictures = image.jpegPictures else {
      throw ReadError.contradiction("this is not a JPEG")
    }
    let coded: [UInt8]
    if case .jpeg(let bytes) = samples {
      coded = bytes
    } else {
      coded = try CodedGainMap.jpeg(
        try map.eightBits(), quality: quality ?? Self.quality(.jpeg), workers: workers)
    }
    return try about {
      var document = try JPEGDocument(file, pictures.primary, map: pictures.map)
      let picture = try GainMapJPEG.picture(
        coded: coded, parameters: parameters, old: pictures.map)
      let notes = try document.put(
        picture, formats: (parameters ?? image.gainMapParameters).formats, maker: parameters?.maker)
      return EditedFile(bytes: try document.bytes(), notes: notes)
    }
  }

  private func replacedJPEGXL(
    _ map: GainMapImage, _ parameters: GainMapParameters?, _ quality: Double?, _ workers: Int
  ) throws -> EditedFile {
    guard let iso = (parameters ?? image.gainMapParameters).iso else {
      throw Self.noMetadata
    }
    let box = try JPEGXLGainMapBox(
      try map.eightBits(), iso, image.gainMap?.alternatePrimaries ?? image.color.primaries,
      workers: workers)
    let bytes = try about { try JPEGXLGainMapInsertion.bytes(file, content: box.content) }
    let lossless = "the quality has no effect: JPEG XL stores gain maps losslessly"
    return EditedFile(bytes: bytes, notes: box.notes + (quality == nil ? [] : [lossless]))
  }

  private func replacedHEIF(
    _ map: GainMapImage, _ parameters: GainMapParameters?, _ quality: Double?, _ workers: Int
  ) throws -> EditedFile {
    let quality = quality ?? Self.quality(.heif)
    try CodedGainMap.check(quality: quality)
    let coded = try CodedGainMap.tiles(
      try map.eightBits(), codec: image.kind == .avif ? AV1StillCodec() : HEVCStillCodec(),
      quality: quality, workers: workers)
    return try about {
      var document = try HEIFDocument(file)
      let notes = try HEIFGainMapReplacement(
        map: coded, parameters: parameters, upright: image.size, primaries: image.color.primaries
      ).apply(to: &document)
      let bytes = try document.bytes()
      try EditCheck.items(HEIFDocument(file), bytes)
      return EditedFile(bytes: bytes, notes: notes)
    }
  }
}

extension HDRGMValues {
  /// 1, or 3 where a list has three values.
  fileprivate var channelCount: Int {
    [gainMapMin, gainMapMax, gamma, offsetSDR, offsetHDR].map(\.count).max() ?? 1
  }
}

extension GainMapImage {
  /// The same samples in eight bits.
  fileprivate func eightBits() throws -> GainMapImage {
    if maximumCode == 255 { return self }
    let top = Int(maximumCode)
    return try GainMapImage(
      size: size, channels: channels,
      bytes: codes.map { UInt8(clamping: (Int($0) * 255 + top / 2) / top) })
  }
}
