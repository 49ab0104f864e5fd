import Codecs
package import Containers
import Formats
package import ImageCore
import Synchronization

/// A picture as coded tiles, with their decoder configuration.
package struct CodedTiles: Sendable {
  let grid: TileGrid
  package let coding: TileCoding
  /// The decoder configuration record.
  package let record: [UInt8]
  /// Row by row; a single one where there is no grid.
  package let tiles: [[UInt8]]
  /// Luminance statistics of the encoded values.
  let statistics: ContentLightStatistics

  /// Renders and codes `picture`. `workers`: maximum threads; they do not change the bytes.
  init(
    _ picture: some PixelSource, coding: TileCoding, workers: Int,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws {
    let grid = try TileGrid(picture.size, coding.codec, coding.tiles)
    let part = grid.isSinglePicture ? coding.codec.part(of: grid.tile) : nil
    let parts =
      try part.map { TileGrid(picture.size, part: $0) }
      ?? TileGrid(picture.size, coding.codec, .grid)
    let rows = TileRows(coding, parts)
    // A part is as wide as the picture and coded by one thread, while the others go on.
    let bands = PictureBands(
      picture, unit: 2, hasRowAbove: coding.encoding.overlap.y > 0, ahead: part == nil ? nil : 5,
      workers: workers)
    let total = Mutex(ContentLightStatistics())
    func code(_ finish: @Sendable (_ index: Int, YCbCrPlanes, _ worker: Int) throws -> Void) throws
    {
      try bands.forEach { band, worker in
        try rows.add(band) { index, codes in try finish(index, codes, worker) }
      } consume: { index, statistics in
        total.withLock { $0.add(statistics) }
        progress?(Double(index + 1) / Double(bands.count))
      }
    }
    /// All parts, coded side by side.
    func coded(_ encode: @Sendable (_ index: Int, YCbCrPlanes, _ worker: Int) throws -> [UInt8])
      throws -> [[UInt8]]
    {
      let coded = Mutex([[UInt8]](repeating: [], count: parts.count))
      try code { index, codes, worker in
        let bytes = try MeasuredStage.encode.measure { try encode(index, codes, worker) }
        coded.withLock { $0[index] = bytes }
      }
      return coded.withLock { $0 }
    }
    if part != nil {
      let encoders = try (0..<bands.workers).map { _ in
        Encoder<any PartEncoder>(try coding.codec.partEncoder(coding, picture: grid.tile))
      }
      let joined = try encoders[0].encoder.join(
        coded { try encoders[$2].encoder.encode($1, part: $0) })
      tiles = [joined]
      record = try encoders[0].encoder.record(tile: joined)
    } else if parts.tile == grid.tile {
      let encoders = try (0..<bands.workers).map { _ in
        Encoder<any TileEncoder>(
          try coding.codec.encoder(coding, tile: grid.tile, threads: 1))
      }
      tiles = try coded { _, codes, worker in try encoders[worker].encoder.encode(codes) }
      record = try encoders[0].encoder.record(tile: tiles.first ?? [])
    } else {
      let planes = try YCbCrPlanes(size: grid.tile, chroma: coding.chroma)
      try code { index, codes, _ in planes.copy(codes, to: parts.rect(index)) }
      planes.pad(picture.size)
      // One thread gives other bits than several.
      let encoder = try coding.codec.encoder(coding, tile: grid.tile, threads: max(workers, 2))
      tiles = [try MeasuredStage.encode.measureProcess { try encoder.encode(planes) }]
      record = try encoder.record(tile: tiles[0])
    }
    statistics = total.withLock { $0 }
    (self.grid, self.coding) = (grid, coding)
  }

  /// An encoder that one thread at a time uses.
  private struct Encoder<Kind>: @unchecked Sendable {
    let encoder: Kind
    init(_ encoder: Kind) { self.encoder = encoder }
  }

  /// Columns and rows of the picture, and of a tile.
  package var size: PixelSize { grid.picture }
  package var tileSize: PixelSize { grid.tile }
  /// 1 or 3.
  package var channels: Int { coding.chroma == .monochrome ? 1 : 3 }
  /// Payload of the grid item; nil for a single picture.
  package var gridPayload: [UInt8]? { grid.isSinglePicture ? nil : grid.payload }
  /// Type of the items of coded pictures.
  package var itemType: String { coding.codec.kind.rawValue }
  package var color: HEIFProperty { .codePoints(coding.color) }
  /// The property that holds ``record``.
  package var configuration: HEIFProperty { .configuration(record, coding.codec.kind) }

  /// Whether a file with this picture conforms to ISO/IEC 23000-22. A cropped grid of odd size in
  /// 4:2:0 does not, though readers accept it, and some accept nothing else for odd sizes.
  package var followsMIAF: Bool {
    let isOdd = grid.picture.width % 2 != 0 || grid.picture.height % 2 != 0
    return coding.chroma != .yuv420 || !isOdd
  }
}

/// A picture as coded tiles, and its thumbnail.
struct CodedPicture {
  let main: CodedTiles
  /// Nil if not requested, or if the picture is no larger.
  let thumbnail: CodedTiles?

  var all: [CodedTiles] { [main] + (thumbnail.map { [$0] } ?? []) }

  init(
    _ picture: some PixelSource<DisplayReferred>, writer: HEIFWriter,
    progress: (@Sendable (Double) -> Void)?
  ) throws {
    let coding = writer.coding(picture.size, headroom: picture.info.headroom)
    let workers = writer.workers
    let reducing = writer.settings.thumbnail.flatMap {
      ReducingSource(picture, longerSide: $0, overlap: coding.encoding.overlap)
    }
    guard let reducing else {
      main = try CodedTiles(picture, coding: coding, workers: workers, progress: progress)
      thumbnail = nil
      return
    }
    main = try CodedTiles(reducing, coding: coding, workers: workers, progress: progress)
    thumbnail = try CodedTiles(reducing.image(), coding: coding, workers: workers)
  }
}

extension HEIFDocument {
  /// Adds an item with its properties and references, and returns its number.
  mutating func add(
    _ type: String, _ storage: HEIFMeta.Storage, isHidden: Bool = false,
    contentType: String? = nil, properties: [HEIFProperty] = [],
    references: [(type: String, to: [Int])] = []
  ) -> Int {
    let number = meta.addItem(type, storage, isHidden: isHidden, contentType: contentType)
    for property in properties { meta.add(property, to: number) }
    for reference in references {
      meta.references.append(.init(type: reference.type, from: number, to: reference.to))
    }
    return number
  }

  /// Adds a picture with its thumbnail, and returns its number; `own` are properties of the picture
  /// alone.
  mutating func add(
    _ pictures: CodedPicture, common: [HEIFProperty], own: [HEIFProperty]
  ) -> Int {
    let number = add(pictures.main, common: common, own: own)
    if let thumbnail = pictures.thumbnail {
      _ = add(thumbnail, common: common, isHidden: true, references: [("thmb", [number])])
    }
    return number
  }

  /// Adds a picture, one item or a grid of hidden ones, and returns its number. `common` properties
  /// are also given to the tiles; `own` and the references to the picture alone.
  mutating func add(
    _ picture: CodedTiles, common: [HEIFProperty], own: [HEIFProperty] = [], isHidden: Bool = false,
    references: [(type: String, to: [Int])] = []
  ) -> Int {
    let properties = [picture.configuration, .size(picture.tileSize)] + common
    guard let grid = picture.gridPayload else {
      return add(
        picture.itemType, .new(picture.tiles[0], isInline: false), isHidden: isHidden,
        properties: properties + own, references: references)
    }
    let numbers = picture.tiles.map {
      add(picture.itemType, .new($0, isInline: false), isHidden: true, properties: properties)
    }
    return add(
      "grid", .new(grid, isInline: true), isHidden: isHidden,
      properties: [.size(picture.size)] + common + own,
      references: [("dimg", numbers)] + references)
  }

  /// Adds an Exif block that describes `items`.
  mutating func add(exif block: [UInt8], about items: [Int]) {
    _ = add(
      "Exif", .new(ExifItem.bytes(block), isInline: false), isHidden: true,
      references: [("cdsc", items)])
  }

  /// Adds an XMP packet that describes `items`.
  mutating func add(xmp packet: [UInt8], about items: [Int]) {
    _ = add(
      "mime", .new(packet, isInline: false), isHidden: true, contentType: HEIFMeta.xmpType,
      references: [("cdsc", items)])
  }
}
