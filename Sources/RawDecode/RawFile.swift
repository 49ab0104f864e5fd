package import Containers
package import Foundation
package import ImageCore
@_exported public import RawData

/// An opened raw file: metadata, and pixels and preview on demand. Holds the bytes and no decoder
/// state; thread-safe.
package final class RawFile: Sendable {
  /// The decoder of the pixels.
  enum Decoder: Sendable {
    case libRaw
    case storage(any RawStorageDecoder, LibRawMetadata)
    case stored(StoredPicture)

    /// Whether the pixels are decoded by the maker-specific decoder `kind`.
    func isOwn(_ kind: any RawStorageDecoder.Type) -> Bool {
      if case .storage(let decoder, _) = self { type(of: decoder) == kind } else { false }
    }
  }

  package let info: RawInfo
  /// Index of the frame, starting at 1.
  package let frameNumber: Int
  /// Camera, exposure, time and position as declared by the file.
  package let metadata: CaptureMetadata
  /// The complete file.
  package let bytes: FileBytes
  /// The directories of a DNG or another raw that is a TIFF.
  package let tiff: TIFFFile?
  /// The DNG tags; nil for other raws.
  package let tags: DNGTags?
  let decoder: Decoder
  /// Replaces the samples of the file; nil for the stored samples.
  private let replacement: SampleReplacement?

  /// Opens the raw file at `url`, a file URL: reads its directories and its metadata.
  package static func open(
    _ url: URL, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) -> RawFile {
    try opened { () throws(FormatError) in try FileBytes(url, limits: limits) }
  }

  /// The same at `path`.
  package static func open(
    path: String, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) -> RawFile {
    try opened { () throws(FormatError) in try FileBytes(path: path, limits: limits) }
  }

  /// Opens a raw file in memory.
  package static func open(
    bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) -> RawFile {
    try opened { () throws(FormatError) in try FileBytes(bytes, limits: limits) }
  }

  private static func opened(
    _ read: () throws(FormatError) -> FileBytes
  ) throws(RAWError) -> RawFile {
    let bytes = try RAWError.translating(.open, read)
    func file() throws(RAWError) -> RawFile { try RawFile(bytes, frame: 1) }
    return try bytes.reading({ RAWError($0, .open) }, file)
  }

  private init(_ bytes: FileBytes, frame: Int) throws(RAWError) {
    self.bytes = bytes
    frameNumber = frame
    let limits = bytes.limits
    replacement = nil
    let tiff = try RAWError.translating(.open) { () throws(FormatError) in try TIFFFile(bytes) }
    self.tiff = tiff
    if let tiff, let tags = try DNGTags(tiff, frame: frame, path: bytes.path) {
      decoder = try DNGSupport.decoder(for: tags, in: bytes)
      try limits.require(
        tags.storage.size, samples: tags.storage.samplesPerPixel,
        bytesPerSample: tags.storage.decodingBytes, bytes.path)
      self.tags = tags
      let camera = [tiff.first[TIFFTag.make], tiff.first[TIFFTag.model]].compactMap { $0?.name }
      var described = try RawInfo(
        tags, camera: camera.joined(separator: " "), in: bytes)
      metadata = CaptureMetadata(tiff)
      described.brightNoiseProfile = metadata.xmp.map { BrightNoiseRecord.profile(in: $0) } ?? []
      info = described
      try limits.require(info.squareSize(of: info.crop), bytes.path)
      return
    }
    tags = nil
    // LibRaw opens no file of this format.
    let arw6 = tiff.flatMap { SonyARW6Storage($0, bytes) }
    if arw6 == nil { try UndecodedStorage.refuse(bytes, tiff) }
    try LibRawHazards.refuse(bytes, tiff)
    let libRaw: LibRawMetadata
    let isUndecodable: Bool
    do {
      if let arw6 {
        (libRaw, isUndecodable) = (try arw6.metadata(bytes), false)
      } else {
        let handle = try LibRawHandle(bytes, frame: frame)
        (libRaw, isUndecodable) = (handle.metadata, handle.isUndecodable)
      }
    } catch {
      try RawCompleteness.require(bytes, tiff, .open)
      switch error.code {
      case .notARaw where tiff?.pointsOutside == true:
        throw RAWError(
          .damaged, .open, "its directories reach beyond the end of the file; copy the file again",
          path: bytes.path)
      case .damaged where tiff == nil && !RawCompleteness.isKnownContainer(bytes):
        try LibRawError.refuseUnknown(bytes)
      case .notARaw: try UndecodedStorage.refuseKnownContainer(bytes, tiff)
      default: break
      }
      throw error
    }
    // LibRaw accepts a DNGVersion of any type, and libjpeg there prints errors about tiles.
    guard !libRaw.decoder.hasPrefix("lossy_dng") else {
      throw RAWError(
        .damaged, .open, "its DNGVersion is invalid; copy the file again",
        path: bytes.path)
    }
    if isUndecodable {
      throw UndecodedStorage.refusal(camera: libRaw.cameraName, path: bytes.path)
    }
    guard libRaw.width > 0, libRaw.height > 0, !libRaw.isFoveon else {
      throw RAWError(
        .unsupported, .open,
        "the sensor of the \(libRaw.make) \(libRaw.model) is not supported; convert the file to a "
          + "linear DNG first",
        path: bytes.path)
    }
    try limits.require(
      libRaw.storedArea.size, samples: libRaw.filters == 0 ? 4 : 1, bytes.path)
    let own = frame > 1 ? nil : RawStorageDecoders.decoder(bytes, tiff, libRaw)
    decoder = own.map { .storage($0, libRaw) } ?? .libRaw
    var described = RawInfo(libRaw, layout: SensorData.Layout(libRaw))
    if arw6 != nil { described.warnings.append(SonyARW6Storage.note) }
    info = described
    metadata = CaptureMetadata(bytes, tiff, libRaw)
    try limits.require(info.squareSize(of: info.crop), bytes.path)
  }

  private init(_ file: RawFile, _ replacement: SampleReplacement) {
    (bytes, tiff, frameNumber) = (file.bytes, file.tiff, file.frameNumber)
    (tags, decoder, metadata) = (file.tags, file.decoder, file.metadata)
    info = replacement.info
    self.replacement = replacement
  }

  /// The same file with other samples.
  package func replacingSamples(_ replacement: SampleReplacement) -> RawFile {
    RawFile(self, replacement)
  }

  /// Frame `number` of the file, starting at 1; self if its samples are replaced.
  package func frame(_ number: Int) throws(RAWError) -> RawFile {
    guard number != frameNumber, !hasOtherSamples else { return self }
    let count = info.frameCount
    guard (1...count).contains(number) else {
      throw RAWError(
        .badSetting, .open,
        "it stores \(count == 1 ? "one frame" : "\(count) frames") and has no frame \(number); "
          + (count == 1 ? "leave frameNumber out" : "take one of 1 to \(count)"),
        path: bytes.path, setting: "frameNumber")
    }
    func file() throws(RAWError) -> RawFile { try RawFile(bytes, frame: number) }
    return try bytes.reading({ RAWError($0, .open) }, file)
  }

  /// The decoding limits.
  package var limits: DecodeLimits { bytes.limits }

  /// The camera's rendering settings for its own picture. Reads the maker note.
  package var cameraRendering: CameraRendering { CameraRendering(bytes, tiff) }

  /// Whether ``replacingSamples(_:)`` replaced the stored samples.
  package var hasOtherSamples: Bool { replacement != nil }

  /// The files that the samples come from; empty for bytes in memory.
  package var sources: Set<FileIdentity> {
    replacement?.sources ?? bytes.identity.map { [$0] } ?? []
  }

  /// A UUID of the file's content.
  package var contentUUID: String {
    if let replacement { return replacement.contentUUID }
    // The system may map more of the file than its samples.
    defer { bytes.releaseMemory() }
    return frameNumber == 1
      ? bytes.contentUUID : NameUUID.text([bytes.contentUUID, "frame \(frameNumber)"])
  }

  /// LinearizationTable of a DNG: the value of each stored code; empty for none.
  package var linearizationTable: [UInt16] { tags?.linearizationTable ?? [] }

  /// Throws where the file ends before its pixel data do, by its directories alone.
  package func requireComplete() throws(RAWError) {
    if let tags {
      try tags.storage.requireComplete(in: bytes)
    } else {
      try RawCompleteness.require(bytes, tiff, .open)
    }
  }

  /// The samples of the active area as stored. With `appliesTable` they are mapped by
  /// ``linearizationTable``, without opcode list 1.
  package func decode(
    appliesTable: Bool = true, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    if let replacement { return try replacement.samples(workers) }
    try RAWError.translating(.decode) { () throws(FormatError) in try bytes.checkReading() }
    return try decode(by: decoder, appliesTable: appliesTable, workers: workers)
  }

  /// The samples as decoded by `decoder`, which must support the file.
  func decode(
    by decoder: Decoder, appliesTable: Bool = true, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let data = try samples(
      by: decoder, appliesTable: appliesTable, includesBorders: false, workers: workers)
    guard data.size == tags?.activeArea.size ?? info.size else { throw inconsistent }
    bytes.releaseMemory()
    return data
  }

  /// The complete stored picture, including borders, before ``linearizationTable``. Layout and
  /// levels are those of the active area and relative to its corner.
  package func decodeStored(
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let data = try samples(
      by: decoder, appliesTable: false, includesBorders: true, workers: workers)
    guard data.size == info.storedSize else { throw inconsistent }
    bytes.releaseMemory()
    return data
  }

  /// The rows `rows` of the complete stored picture, for files that this package decodes itself;
  /// nil for other files.
  package func decodeStored(
    rows: Range<Int>, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> RawSamples? {
    guard case .stored(var picture) = decoder else { return nil }
    picture.appliesTable = false
    picture.area = PixelRect(
      x: 0, y: rows.lowerBound, width: picture.storage.size.width, height: rows.count)
    return try reading { () throws(RAWError) in try picture.decode(bytes, workers: workers) }
  }

  private func samples(
    by decoder: Decoder, appliesTable: Bool, includesBorders: Bool, workers: Int
  ) throws(RAWError) -> SensorData {
    try reading { () throws(RAWError) in
      try decode(
        by: decoder, appliesTable: appliesTable, includesBorders: includesBorders, workers: workers)
    }
  }

  /// Runs `read`; throws if a part of the file was lost meanwhile.
  package func reading<Value>(_ read: () throws(RAWError) -> Value) throws(RAWError) -> Value {
    try bytes.reading({ RAWError($0, .decode) }, read)
  }

  private func decode(
    by decoder: Decoder, appliesTable: Bool, includesBorders: Bool, workers: Int
  ) throws(RAWError) -> SensorData {
    let layout = tags.flatMap { SensorData.Layout($0) } ?? info.layout
    if tags == nil { try RawCompleteness.require(bytes, tiff, .decode) }
    switch decoder {
    case .storage(let own, let libRaw):
      let request = RawStorageRequest(
        file: bytes, metadata: libRaw, layout: layout, includesBorders: includesBorders,
        workers: workers)
      if let data = try own.decode(request) { return data }
      return try RawDecoder.decode(
        bytes, frame: frameNumber, tags: nil, layout: layout, includesBorders: includesBorders)
    case .stored(var picture):
      guard let tags else { throw inconsistent }
      picture.appliesTable = appliesTable
      if includesBorders { picture.area = PixelRect(picture.storage.size) }
      return SensorData(
        size: picture.area.size, layout: layout,
        samples: try picture.decode(bytes, workers: workers), levels: tags.levels.sensor)
    case .libRaw:
      return try RawDecoder.decode(
        bytes, frame: frameNumber, tags: tags, layout: layout, includesBorders: includesBorders)
    }
  }

  private var inconsistent: RAWError {
    RAWError(
      .damaged, .decode,
      "its decoded picture does not have the size that its header declares; copy the file again",
      path: bytes.path)
  }

  /// The largest complete embedded JPEG; nil if there is none.
  package func preview() -> EmbeddedPreview? {
    let preview = readPreview()
    return bytes.isLost ? nil : preview
  }

  private func readPreview() -> EmbeddedPreview? {
    // LibRaw 0.20 writes out of bounds for some damaged CR2s, and lets libjpeg print. It cannot
    // open an ARW 6.
    if let tiff, info.isDNG || tiff.isCR2(bytes) || decoder.isOwn(SonyARW6Decoder.self) {
      return EmbeddedPreview(in: tiff, bytes)
    }
    guard let handle = try? LibRawHandle(bytes), let jpeg = handle.previewJPEG()
    else { return nil }
    return EmbeddedPreview(jpeg, limits: limits)
  }
}

extension DecodeLimits {
  /// Throws if a picture of `size` has more pixels than the limits allow.
  fileprivate func require(_ size: PixelSize, _ path: String?) throws(RAWError) {
    guard size.area <= maxPixels else {
      throw RAWError(
        .tooLarge, .open, "\(size) pixels are more than the limit of \(maxPixels); raise the limit",
        path: path, remedies: [.allowMemory])
    }
    do throws(FormatError) { try allowSides(size) } catch {
      throw RAWError(error.at(path), .open)
    }
  }

  /// Throws if a picture of `size` with `samples` per pixel exceeds the limits.
  func require(
    _ size: PixelSize, samples: Int, bytesPerSample: Int = 2, _ path: String?
  ) throws(RAWError) {
    try require(size, path)
    guard size.area * samples * bytesPerSample <= maxDecodeBytes else {
      throw RAWError(
        .tooLarge, .open,
        "its pixels take more than the limit of \(maxDecodeBytes) bytes; raise the limit",
        path: path, remedies: [.allowMemory])
    }
  }
}
