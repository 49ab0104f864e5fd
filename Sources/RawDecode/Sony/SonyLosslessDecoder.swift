import Containers
import ImageCore

/// Sony's lossless compressed ARWs of full size, from the α 1 on: tiles of lossless JPEG
/// (compression 7; ITU-T T.81 annex H) of four components, which are the samples of 2 × 2 pixels.
///
/// Sources: the tags of the SubIFD, and the component order of published decoders (rawspeed's
/// ArwDecoder). LibRaw stays the source of margins, pattern and levels, which it reads without
/// decoding; its own decoder exists from 0.21 on, works on one core, and takes a damaged tile for
/// the end of the picture, which stays black from there.
struct SonyLosslessDecoder: RawStorageDecoder {
  private let picture: StoredPicture

  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ facts: LibRawFacts) {
    guard let picture = tiff.flatMap({ Self.picture($0, file) }) else { return nil }
    self.picture = picture
  }

  /// The mosaic of the ARW in `tiff`, all of it; nil for other files and storages.
  static func picture(_ tiff: TIFFFile, _ file: FileBytes) -> StoredPicture? {
    guard tiff.magic == 42, tiff.first[TIFFTag.make]?.name?.lowercased().hasPrefix("sony") == true,
      let raw = tiff.directories.first(where: \.isMosaic),
      raw[TIFFTag.compression]?.integer == TIFFTag.Compression.jpeg, var storage = RawStorage(raw),
      storage.isTiled,
      let chunk = storage.chunks.first, let stream = file.view(chunk.offset, chunk.bytes),
      let header = try? LosslessJPEGHeader(stream, extended: false), header.components == 4,
      header.samplesPerRow == 2 * storage.tile.width, 2 * header.rows == storage.tile.height
    else { return nil }
    storage.block = PixelSize(width: 2, height: 2)
    guard storage.samplesPerPixel == 1, storage.obstacle == nil else { return nil }
    return StoredPicture(
      storage: storage, bigEndian: tiff.bigEndian, area: PixelRect(storage.size))
  }

  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, facts) = (request.file, request.facts)
    guard picture.storage.size == facts.storedArea.size else {
      throw UndecodedStorage.refusal(camera: facts.cameraName, path: file.path)
    }
    var picture = picture
    let area = facts.visibleArea
    picture.area = request.isWhole ? PixelRect(picture.storage.size) : area
    return SensorData(
      size: picture.area.size, layout: request.layout,
      samples: try picture.decode(file, workers: request.workers),
      levels: try CameraLevels.read(
        facts, layout: request.layout, area: area, path: file.path))
  }
}
