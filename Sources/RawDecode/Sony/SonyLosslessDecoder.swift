import Containers
import ImageCore

/// Sony's lossless compressed ARWs of full size, from the α 1 on: tiles of lossless JPEG
/// (compression 7; ITU-T T.81 annex H) of four components, the samples of 2 × 2 pixels.
///
/// Sources: the tags of the SubIFD, and the component order of published decoders (rawspeed's
/// ArwDecoder). Margins, pattern and levels come from LibRaw, which reads them without decoding;
/// its own decoder exists since 0.21, uses one core, and ends the picture at a damaged tile,
/// leaving the rest black.
struct SonyLosslessDecoder: RawStorageDecoder {
  private let picture: StoredPicture

  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    guard let picture = tiff.flatMap({ Self.picture($0, file) }) else { return nil }
    self.picture = picture
  }

  /// The full mosaic of the ARW in `tiff`; nil for other files and formats.
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
    let (file, metadata) = (request.file, request.metadata)
    guard picture.storage.size == metadata.storedArea.size else {
      throw UndecodedStorage.refusal(camera: metadata.cameraName, path: file.path)
    }
    var picture = picture
    let area = metadata.visibleArea
    picture.area = request.includesBorders ? PixelRect(picture.storage.size) : area
    return SensorData(
      size: picture.area.size, layout: request.layout,
      samples: try picture.decode(file, workers: request.workers),
      levels: try CameraLevels.read(
        metadata, layout: request.layout, area: area, path: file.path))
  }
}
