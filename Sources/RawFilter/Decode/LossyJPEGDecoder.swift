import ImageCore

/// DNG pictures in baseline JPEG (compression 34892, or 7 with a DCT frame; DNG 1.7.1 chapter 3):
/// 8-bit samples, through the LinearizationTable where there is one. LibRaw 0.20 ignores that table
/// and, for compression 7, the map polynomial, so these files are decoded here.
enum LossyJPEGDecoder {
  static func decode(
    _ tags: DNGTags, _ file: FileBytes, layout: SensorData.Layout
  ) throws(RAWError) -> SensorData {
    let storage = tags.storage
    let perPixel = storage.samplesPerPixel
    let area = tags.activeArea
    let damaged = RAWError(
      .damaged, .decode, "a JPEG tile of its pixel data is damaged; copy the file again",
      path: file.path)
    guard let decoder = TurboJPEG() else { throw damaged }
    let table = (0..<256).map { code in
      tags.linearizationTable.isEmpty
        ? UInt16(code) : tags.linearizationTable[min(code, tags.linearizationTable.count - 1)]
    }
    let tiles = TileGrid(storage)
    let samples = try RawSamples(
      format: .uint16, stride: area.width * perPixel, rows: area.height
    ) { (target: UnsafeMutableRawPointer) throws(RAWError) in
      let target = target.assumingMemoryBound(to: UInt16.self)
      var pixels: [UInt8] = []
      for index in 0..<tiles.count {
        let chunk = storage.chunks[index]
        let rect = tiles.rect(index)
        let data = UnsafeRawBufferPointer(
          rebasing: file.buffer[chunk.offset..<chunk.offset + chunk.bytes])
        guard let header = decoder.header(data), header.components == perPixel,
          header.size.width >= min(rect.width, storage.size.width - rect.x),
          header.size.height >= min(rect.height, storage.size.height - rect.y),
          header.size.area <= max(4 * rect.size.area, 1 << 20)
        else { throw damaged }
        let needed = header.size.area * perPixel
        if pixels.count < needed { pixels = [UInt8](repeating: 0, count: needed) }
        let isSound = pixels.withUnsafeMutableBufferPointer { buffer in
          buffer.baseAddress.map {
            decoder.decode(data, size: header.size, components: perPixel, into: $0)
          } ?? false
        }
        guard isSound else { throw damaged }
        let part = PixelRect(
          x: rect.x, y: rect.y, width: min(rect.width, header.size.width),
          height: min(rect.height, header.size.height)
        ).intersection(area)
        for y in part.y..<max(part.endY, part.y) {
          let from = ((y - rect.y) * header.size.width + part.x - rect.x) * perPixel
          let to = target + ((y - area.y) * area.width + part.x - area.x) * perPixel
          for i in 0..<part.width * perPixel { to[i] = table[Int(pixels[from + i])] }
        }
      }
    }
    return SensorData(
      size: area.size, layout: layout, samples: samples, levels: tags.levels.sensor)
  }
}

/// Where the tiles or strips of a picture lie; those at the right and bottom may stick out.
struct TileGrid {
  private let across: Int
  private let tile: PixelSize
  let count: Int

  init(_ storage: RawStorage) {
    tile = storage.tile
    across = (storage.size.width + tile.width - 1) / tile.width
    count = across * ((storage.size.height + tile.height - 1) / tile.height)
  }

  func rect(_ index: Int) -> PixelRect {
    PixelRect(
      x: index % across * tile.width, y: index / across * tile.height, width: tile.width,
      height: tile.height)
  }
}
