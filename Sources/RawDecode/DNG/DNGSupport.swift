import Codecs
import Containers
import ImageCore

/// Which DNG storages can be decoded; every other one is refused in one line. Pixel data that are
/// missing or damaged are left to decoding, so that the description of such a file can be read.
enum DNGSupport {
  static let remedy = "convert it with Adobe DNG Converter (lossless, DNG 1.4) first"

  /// The decoder for the raw picture of `tags`. Fails when there is none.
  static func decoder(for tags: DNGTags, in file: FileBytes) throws(RAWError) -> RawFile.Decoder {
    let storage = tags.storage
    func refuse(_ what: String) -> RAWError {
      RAWError(.unsupported, .open, "\(what); \(remedy)", path: file.path)
    }
    guard tags.backwardVersion.lexicographicallyPrecedes([1, 7, 1, 1]) else {
      let version = tags.backwardVersion.map(String.init).joined(separator: ".")
      throw refuse("it needs a reader of DNG \(version), newer than the 1.7.1.0 known here")
    }
    guard tags.cfaLayout == 1 else { throw refuse("staggered sensors are not supported") }
    guard [1, 3].contains(storage.samplesPerPixel) else {
      throw refuse("\(storage.samplesPerPixel) samples a pixel are not supported")
    }
    guard storage.photometric != 32803 || storage.samplesPerPixel == 1 else {
      throw refuse("a mosaic of \(storage.samplesPerPixel) samples a pixel is not supported")
    }
    if let obstacle = storage.obstacle { throw refuse(obstacle) }
    if storage.compression == 9 {
      guard tags.cfa?.kind == .bayer else {
        throw refuse("VC-5 of anything but a Bayer mosaic is not supported")
      }
      let bytes = storage.chunks.first.flatMap { file.view($0.offset, $0.bytes) }
      if let what = bytes.flatMap({ VC5Decoder.obstacle($0) }) { throw refuse(what) }
      return .stored(StoredPicture(tags))
    }
    if storage.compression == 7, let chunk = storage.chunks.first, chunk.bytes > 0,
      let stream = file.view(chunk.offset, chunk.bytes),
      case .lossless? = try? JPEGKind(storage, file), !LosslessJPEGDecoder.covers(stream)
    {
      // LibRaw reads some of them, and of others leaves the picture black without a word.
      throw refuse("lossless JPEG of its kind is not supported")
    }
    return .stored(StoredPicture(tags))
  }
}

extension RawStorage {
  /// For a message on its data.
  var compressionName: String {
    switch compression {
    case 1: "uncompressed"
    case 8, 32946: "Deflate"
    case 9: "VC-5"
    case 52546: "JPEG XL"
    default: "JPEG"
    }
  }

  /// Why it cannot be decoded; nil when it can, as far as tags tell.
  var obstacle: String? {
    guard (1...4).contains(samplesPerPixel) else {
      return "\(samplesPerPixel) samples a pixel are not supported"
    }
    guard hasEqualBits else { return "samples of different numbers of bits are not supported" }
    guard (1...size.width).contains(columnFields), (1...size.height).contains(rowFields) else {
      return "\(columnFields) × \(rowFields) interleaved fields are not supported"
    }
    guard block.width > 0, block.height > 0, tile.width % block.width == 0,
      tile.height % block.height == 0
    else { return "blocks of \(block) in tiles of \(tile) are not supported" }
    guard tile.area <= max(4 * size.area, Self.roomForTiles) else {
      return "tiles of \(tile) in a picture of \(size) are not supported"
    }
    // Nor may all of them together be much larger, as whole tiles are decoded, or so small that
    // they take much longer than the picture.
    let coded = compression == 1 ? 0 : expectedChunks * Self.leastCodedPixels
    guard covered.area <= max(4 * size.area, Self.roomTogether),
      coded <= max(4 * covered.area * samplesPerPixel, Self.roomTogether)
    else {
      return "tiles of \(tile) in a picture of \(size) are not supported"
    }
    let isKnown: Bool
    switch compression {
    case 1: isKnown = isFloat ? floatBits.contains(bitsPerSample) : intBits.contains(bitsPerSample)
    case 7, 34892: isKnown = !isFloat && (2...16).contains(bitsPerSample)
    case 8, 32946: return deflateObstacle
    case 9 where rowFields > 1 || columnFields > 1 || block.area > 1:
      return "VC-5 in interleaved fields or blocks is not supported"
    case 9: isKnown = !isFloat && (12...16).contains(bitsPerSample)
    case 52546:
      if let obstacle = JPEGXL.obstacle { return obstacle }
      isKnown = isFloat ? [16, 32].contains(bitsPerSample) : (2...16).contains(bitsPerSample)
    default: return "compression \(compression) is not supported"
    }
    return isKnown
      ? nil : "\(bitsPerSample)-bit \(kind) stored as \(compressionName) are not supported"
  }

  private var floatBits: [Int] { [16, 24, 32] }
  private var intBits: ClosedRange<Int> { 1...32 }
  private var kind: String { isFloat ? "floats" : "integers" }

  private var deflateObstacle: String? {
    let isKnown =
      switch predictor {
      case 1: isFloat ? floatBits.contains(bitsPerSample) : intBits.contains(bitsPerSample)
      case 2, 34892, 34893: [8, 16, 32].contains(bitsPerSample) && !(isFloat && bitsPerSample == 8)
      case 3, 34894, 34895: isFloat && floatBits.contains(bitsPerSample)
      default: false
      }
    return isKnown
      ? nil : "Deflate of \(bitsPerSample)-bit \(kind) with predictor \(predictor) is not supported"
  }
}
