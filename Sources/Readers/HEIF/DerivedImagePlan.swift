import AV1Codec
import Containers
import ImageCore

/// How the picture of one item is assembled: its coded tiles, a single one for a plain picture,
/// their positions, and the transforms from the coded picture to the upright one (ISO/IEC
/// 23008-12:2022 6.6.2).
struct DerivedImagePlan {
  /// Minimum pixels that a tile counts as, since opening a decoder takes time as well.
  private static let minTilePixels = 64 * 64

  /// The items of the tiles, row by row.
  let tiles: [Int]
  let columns: Int
  /// Format of the first tile, and so of each.
  let still: CodedStill
  /// Columns and rows before ``placement``.
  let canvas: PixelSize
  private(set) var placement: HEIFPlacement
  /// The item's properties, then its first tile's.
  let properties: [HEIFProperty]
  let decoding: YCbCrDecoding
  /// Says that container and coded picture declare different value ranges.
  let rangeNote: String?

  var bits: Int { still.bits }
  var channels: Int { still.isGray ? 1 : 3 }
  /// Columns and rows, upright.
  var size: PixelSize { placement.size }
  /// Whether the item has its own transforms.
  let hasTransforms: Bool

  /// `borrowed`: transforms that apply where the item has no own ones. `isAlpha`: the samples are
  /// fractions of the highest code (ISO/IEC 23008-12), where no range is declared.
  init(
    _ number: Int, _ reader: HEIFItemReader, borrowed: [HEIFProperty.Transform] = [],
    isAlpha: Bool = false
  ) throws(FormatError) {
    let limits = reader.file.limits
    let picture = number
    var (number, chain, seen) = (number, [HEIFItems.Item](), Set<Int>())
    while true {
      guard let item = reader.items[number], seen.insert(number).inserted else {
        throw .contradiction("item \(number) has no coded image")
      }
      guard chain.count < limits.maxNesting else { throw limits.tooDeep("derived pictures") }
      if let unknown = item.unknown.first {
        throw FormatError(
          .unsupported,
          "it needs the property \(ISOBox.shown(unknown)), which is not supported; export it again"
        )
      }
      chain.append(item)
      guard item.type == "iden" else { break }
      number = reader.items.targets("dimg", of: number).first ?? 0
    }
    let item = chain[chain.count - 1]
    let grid = item.type == "grid" ? try Grid(number, reader) : nil
    tiles = grid?.tiles ?? [number]
    columns = grid?.columns ?? 1
    guard let first = reader.items[tiles[0]] else {
      throw .contradiction("tile \(tiles[0]) is missing")
    }
    let tile = tiles[0]
    still = try Self.still(tile, reader) { () throws(FormatError) in try reader.bytes(of: tile) }
    try Self.check(still.codedSize, limits)
    let declared = grid?.size ?? Self.size(item.properties) ?? still.size
    try Self.check(declared, limits)
    canvas = declared
    let own = chain.reversed().flatMap { $0.properties.compactMap(\.transform) }
    hasTransforms = !own.isEmpty
    placement = try HEIFPlacement(canvas, own.isEmpty ? borrowed : own)
    properties = chain.flatMap(\.properties) + (grid == nil ? [] : first.properties)
    var points = Self.codePoints(properties, still)
    // The range of an uncompressed gray is limited only where code points say so.
    let isPlainGray = still.codec == .uncompressed && still.isGray && still.codePoints == nil
    if isAlpha, still.isFullRange == nil, !properties.contains(where: \.isCodePoints) {
      points.isFullRange = true
    }
    if still.isRGB || isPlainGray { (points.matrix, points.isFullRange) = (0, true) }
    if let coded = still.isFullRange, coded != points.isFullRange {
      // Sony's cameras write limited range into the container of full-range pictures.
      let make = HEIFMetadata.exif(of: picture, reader).metadata.make
      if make?.isSame(as: "SONY") == true { points.isFullRange = coded }
      rangeNote =
        "its container and its coded picture declare different value ranges; "
        + "\(points.isFullRange ? "full" : "limited") range is used"
    } else {
      rangeNote = nil
    }
    decoding = try YCbCrDecoding(
      matrix: points.matrix, primaries: points.primaries, transfer: points.transfer,
      isFullRange: points.isFullRange, bits: still.bits, isGray: still.isGray)
    try checkTiles(reader)
    guard memory(tiles: 1) <= limits.maxDecodeBytes else { throw limits.tooManyPixels(canvas) }
  }

  /// Bytes that decoding holds: the picture, and `tiles` that are being decoded.
  func memory(tiles: Int) -> Int {
    let format = DecodedSamples.Format.codes(bits: bits)
    let tile = DecodedSamples.bytes(still.codedSize, channels: channels, format)
    return DecodedSamples.bytes(size, channels: channels, format)
      + tiles
      * (max(tile, still.codec == .av1 ? still.size.area * AOMCheck.bytesPerPixel : 0)
        + still.decoderBytes)
  }

  /// The same picture as coded, neither rotated nor cropped.
  func untransformed() throws(FormatError) -> DerivedImagePlan {
    var plan = self
    plan.placement = try HEIFPlacement(canvas, [])
    return plan
  }

  /// Codec and format of `tile`, whose bytes are `data`.
  static func still(
    _ tile: Int, _ reader: HEIFItemReader, data: () throws(FormatError) -> [UInt8]
  ) throws(FormatError) -> CodedStill {
    guard let item = reader.items[tile] else {
      throw .contradiction("tile \(tile) is missing")
    }
    return try CodedStill(type: item.type, configuration: item.configuration, data: data)
  }

  private static func size(_ properties: [HEIFProperty]) -> PixelSize? {
    for case .size(let size) in properties { return size }
    return nil
  }

  /// The container's code points; what they leave unspecified is taken from the coded data. If that
  /// declares nothing either, BT.601 and limited range are assumed, which an absent
  /// `video_full_range_flag` means (ITU-T H.265 E.3.1); AV1 data always declare them.
  private static func codePoints(
    _ properties: [HEIFProperty], _ still: CodedStill
  ) -> (matrix: UInt16, primaries: UInt16, transfer: UInt16, isFullRange: Bool) {
    let coded = still.codePoints
    for case .codePoints(let points) in properties {
      return (
        points.matrix == 2 ? coded?.matrix ?? 2 : points.matrix,
        points.primaries == 2 ? coded?.primaries ?? 2 : points.primaries,
        points.transfer == 2 ? coded?.transfer ?? 2 : points.transfer, points.isFullRange
      )
    }
    return (
      coded?.matrix ?? 2, coded?.primaries ?? 2, coded?.transfer ?? 2, still.isFullRange ?? false
    )
  }

  private static func check(_ size: PixelSize, _ limits: DecodeLimits) throws(FormatError) {
    let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard area > 0 || overflow else { throw .contradiction("the picture has no pixels") }
    try limits.allow(size)
    guard DecodedSamples.bytes(size, channels: 3, .codes(bits: 16)) <= limits.maxDecodeBytes else {
      throw limits.tooManyPixels(size)
    }
  }

  private func checkTiles(_ reader: HEIFItemReader) throws(FormatError) {
    let rows = tiles.count / columns
    let (width, height) = (still.size.width, still.size.height)
    guard columns * width >= canvas.width, rows * height >= canvas.height,
      (columns - 1) * width < canvas.width, (rows - 1) * height < canvas.height
    else { throw .contradiction("the size of its coded picture or tiles does not match \(canvas)") }
    let each = max(still.codedSize.area, Self.minTilePixels)
    guard tiles.count * each <= DecodeLimits.maxTiledPixels(canvas) else {
      throw .contradiction("its tiles are much larger than its picture")
    }
    // Tiles may be referenced repeatedly, up to the data limit of one item. Their configuration and
    // properties count as data, since they are read for each tile.
    let limit = FormatLimits.reuse * reader.file.count
    var (total, known) = (0, [Int: Int]())
    for tile in tiles {
      guard let item = reader.items[tile], item.type == still.codec.rawValue else {
        throw FormatError(
          .unsupported, "its tiles do not all have the same codec; export it again")
      }
      if tiles.count > 1, let unknown = item.unknown.first {
        throw FormatError(
          .unsupported,
          "its tiles need the property \(ISOBox.shown(unknown)), which is not supported; "
            + "export it again")
      }
      total += reader.readBytes(of: tile, atMost: limit + 1, &known)
      total += item.configuration.count + item.properties.count
      guard total <= limit else { throw .contradiction("its tiles overlap") }
    }
  }
}

extension DerivedImagePlan {
  /// The payload of a `grid` item: rows and columns minus one, output size.
  private struct Grid {
    let tiles: [Int]
    let columns: Int
    let size: PixelSize

    init(_ number: Int, _ reader: HEIFItemReader) throws(FormatError) {
      var payload = ByteCursor(try reader.bytes(of: number))
      guard try payload.u8() == 0 else {
        throw FormatError(.unsupported, "its grid version is later than 0; export it again")
      }
      let wide = try payload.u8() & 1
      let rows = try payload.u8() + 1
      columns = try payload.u8() + 1
      size = PixelSize(
        width: try payload.uint(2 + 2 * wide), height: try payload.uint(2 + 2 * wide))
      tiles = reader.items.targets("dimg", of: number)
      guard tiles.count == rows * columns else {
        throw .contradiction("a grid of \(rows) × \(columns) has \(tiles.count) tiles")
      }
    }
  }
}

extension HEIFProperty {
  fileprivate var isCodePoints: Bool { if case .codePoints = self { true } else { false } }

  var transform: HEIFProperty.Transform? {
    if case .transform(let step) = self { step } else { nil }
  }
}
