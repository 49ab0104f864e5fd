import Containers

/// Tiles and strips in JPEG (compression 7; DNG 1.7.1 chapter 3): lossless JPEG, or baseline JPEG
/// of 8 bits, according to the frame header of the first one.
enum JPEGDecoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.jpeg]
  static let name = "JPEG"

  /// The JPEG process of a picture.
  enum Kind: Sendable {
    /// Baseline or extended DCT.
    case lossy
    /// SOF3.
    case lossless
  }

  /// The JPEG process of the first chunk of `storage`, which lies within `file`.
  static func kind(of storage: RawStorage, in file: FileBytes) throws(RAWError) -> Kind {
    let stream = storage.chunks.first.flatMap { file.view($0.offset, $0.bytes) }
    switch stream?.jpegMarkers.first(where: { JPEGMarkers.isFrame($0.marker) })?.marker {
    case 0xC0, 0xC1:
      guard storage.bitsPerSample == 8 else {
        throw DNGSupport.refusal("12-bit lossy JPEG is not supported", .decode, file)
      }
      return .lossy
    case 0xC3: return .lossless
    case nil:
      throw RAWError(
        .damaged, .decode,
        "its pixel data are not the JPEG that its tags announce; copy the file again",
        path: file.path)
    default: throw unknownKind(file)
    }
  }

  /// The error for any other JPEG process.
  static func unknownKind(_ file: FileBytes) -> RAWError {
    DNGSupport.refusal("this JPEG coding process is not supported", .decode, file)
  }

  static func name(of storage: RawStorage, in file: FileBytes) -> String {
    let kind = try? kind(of: storage, in: file)
    return kind == .lossy ? name : "lossless JPEG"
  }

  static func obstacle(_ storage: RawStorage) -> String? {
    LossyJPEGDecoder.obstacle(storage)
  }

  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String? {
    guard let chunk = picture.storage.chunks.first, chunk.bytes > 0,
      let stream = file.view(chunk.offset, chunk.bytes),
      case .lossless? = try? kind(of: picture.storage, in: file),
      !LosslessJPEGDecoder.covers(stream)
    else { return nil }
    // LibRaw reads some of them, and silently leaves others black.
    return "lossless JPEG with these coding parameters is not supported"
  }

  static func tileBytes(_ storage: RawStorage) -> Int {
    storage.bitsPerSample == 8 ? LossyJPEGDecoder.tileBytes(storage) : 0
  }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) throws(RAWError) -> ChunkDecoder<UInt16> {
    switch try kind(of: picture.storage, in: file) {
    case .lossy: return LossyJPEGDecoder.decoder(picture, in: file)
    case .lossless:
      let adjacent = picture.storage.adjacentSamples
      let extended = picture.hasExtendedDifferences
      return {
        LosslessJPEGDecoder.decode($0, $1, adjacent: adjacent, extended: extended, into: $2)
      }
    }
  }
}
