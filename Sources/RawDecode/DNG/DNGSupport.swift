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
    guard
      storage.photometric != TIFFTag.Photometric.colorFilterArray || storage.samplesPerPixel == 1
    else {
      throw refuse("a mosaic of \(storage.samplesPerPixel) samples a pixel is not supported")
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
    let coded =
      chunkCompression?.hasFixedRows == true ? 0 : expectedChunks * Self.leastCodedPixels
    guard covered.area <= max(4 * size.area, Self.roomTogether),
      coded <= max(4 * covered.area * samplesPerPixel, Self.roomTogether)
    else {
      return "tiles of \(tile) in a picture of \(size) are not supported"
    }
    guard let chunkCompression else { return "\(compressionName) is not supported" }
    return chunkCompression.obstacle(self)
  }
}
