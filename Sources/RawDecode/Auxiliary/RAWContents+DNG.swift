import Containers
import ImageCore

extension RAWContents {
  /// The contents that the tags of `file` declare.
  package init(_ file: RawFile) {
    func version(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ".") }
    storage = file.tags.map { Storage($0.storage, in: file.bytes) }
    dngVersion = file.tags.map { version($0.version) }
    dngBackwardVersion = file.tags.map { version($0.backwardVersion) }
    opcodes = file.info.opcodes.names
    gainTableMap = file.storedGainTableMaps.first.map {
      GainTableMap(
        version: $0.version, rows: $0.map.rows, columns: $0.map.columns, points: $0.map.points)
    }
    profiles = file.info.profiles.map(CameraProfileInfo.init)
    xmpBytes = file.metadata.xmp?.count ?? 0
  }
}

extension RAWContents.Storage {
  fileprivate init(_ storage: RawStorage, in file: FileBytes) {
    compressionCode = storage.compression
    compression =
      storage.chunkCompression?.name(of: storage, in: file) ?? storage.compressionName
    bitsPerSample = storage.bitsPerSample
    samplesPerPixel = storage.samplesPerPixel
    isFloat = storage.isFloat
    (width, height) = (storage.size.width, storage.size.height)
    isTiled = storage.isTiled
    (tileWidth, tileHeight) = (storage.tile.width, min(storage.tile.height, height))
    tileCount = storage.chunks.count
  }
}

extension RawFile {
  package var storedProfiles: [StoredProfile] {
    guard info.isDNG, let tiff else { return [] }
    return StoredProfile.all(in: tiff, raw: DNGTags.rawDirectory(in: tiff), bytes)
  }

  package var storedGainTableMaps: [StoredGainTableMap] {
    guard info.isDNG, let tiff else { return [] }
    let raw = DNGTags.rawDirectory(in: tiff)
    return [DNGTag.profileGainTableMap2, DNGTag.profileGainTableMap].compactMap {
      tiff.first[$0] ?? raw?[$0]
    }
    .compactMap(StoredGainTableMap.init)
  }
}
