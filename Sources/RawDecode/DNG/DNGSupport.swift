import Containers
import ImageCore

/// Supported DNG storage formats; all others are rejected with a one-line message. Missing or
/// damaged pixel data are detected when decoding, so that the metadata of such a file can be read.
enum DNGSupport {
  static let remedy = "convert it with Adobe DNG Converter (lossless, DNG 1.4) first"

  /// The error for `obstacle`, which cannot be decoded.
  static func refusal(
    _ obstacle: String, _ stage: RAWError.Stage, _ file: FileBytes
  ) -> RAWError {
    RAWError(.unsupported, stage, "\(obstacle); \(remedy)", path: file.path)
  }

  /// The decoder for the raw picture of `tags`. Throws if there is none.
  static func decoder(for tags: DNGTags, in file: FileBytes) throws(RAWError) -> RawFile.Decoder {
    let storage = tags.storage
    func refuse(_ what: String) -> RAWError { refusal(what, .open, file) }
    guard tags.backwardVersion.lexicographicallyPrecedes([1, 7, 1, 1]) else {
      let version = tags.backwardVersion.map(String.init).joined(separator: ".")
      throw refuse("it requires support of DNG \(version), newer than the supported 1.7.1.0")
    }
    guard tags.cfaLayout == 1 else { throw refuse("staggered sensor layouts are not supported") }
    guard [1, 3].contains(storage.samplesPerPixel) else {
      throw refuse("\(storage.samplesPerPixel) samples per pixel are not supported")
    }
    guard
      storage.photometric != TIFFTag.Photometric.colorFilterArray || storage.samplesPerPixel == 1
    else {
      throw refuse("a mosaic with \(storage.samplesPerPixel) samples per pixel is not supported")
    }
    if let obstacle = storage.obstacle { throw refuse(obstacle) }
    let picture = StoredPicture(tags)
    if let obstacle = storage.chunkCompression?.obstacle(picture, in: file) {
      throw refuse(obstacle)
    }
    return .stored(picture)
  }
}

extension RawStorage {
  /// Why it cannot be decoded; nil if it can, according to its tags.
  var obstacle: String? {
    guard (1...4).contains(samplesPerPixel) else {
      return "\(samplesPerPixel) samples per pixel are not supported"
    }
    guard hasEqualBits else { return "samples of different bit depths are not supported" }
    guard (1...size.width).contains(columnFields), (1...size.height).contains(rowFields) else {
      return "interleave factors of \(columnFields) columns and \(rowFields) rows are not supported"
    }
    guard block.width > 0, block.height > 0, tile.width % block.width == 0,
      tile.height % block.height == 0
    else { return "subtile blocks of \(block) in tiles of \(tile) are not supported" }
    guard tile.area <= max(4 * size.area, Self.roomForTiles) else {
      return "tiles of \(tile) are not supported in a picture of \(size)"
    }
    // The total must not greatly exceed the picture either, as full tiles are decoded, and tiles
    // must not be so small that they take much longer than the picture.
    let coded =
      chunkCompression?.hasFixedRows == true ? 0 : expectedChunks * Self.minCodedPixels
    guard covered.area <= max(4 * size.area, Self.roomTogether),
      coded <= max(4 * covered.area * samplesPerPixel, Self.roomTogether)
    else {
      return "tiles of \(tile) are not supported in a picture of \(size)"
    }
    guard let chunkCompression else { return "\(compressionName) is not supported" }
    return chunkCompression.obstacle(self)
  }
}
