package import ImageCore

/// The layout of the samples of an uncompressed picture in its data (ISO/IEC 23001-17:2024, `uncC`
/// and `cmpd`): integers of 8 to 16 bits, gray, RGB or YCbCr at full size, in planes, pixels, rows
/// or planes of tiles. Other layouts are refused by name.
package struct UncompressedLayout: Equatable, Sendable {
  /// Where one component of the picture is stored.
  package struct Component: Equatable, Sendable {
    let type: Int
    package let bits: Int
    /// Bytes of a sample; 0: bits of samples follow each other.
    package let alignedBytes: Int
    /// Bits of a sample as stored.
    package var storedBits: Int { alignedBytes > 0 ? 8 * alignedBytes : bits }
  }

  package enum Interleaving: Int, Sendable {
    case planes = 0
    case pixels = 1
    case rows = 3
    case tilePlanes = 4
  }

  package let size: PixelSize
  /// As stored in a pixel or one plane after the other.
  package let components: [Component]
  package let interleaving: Interleaving
  package let isLittleEndian: Bool
  /// Bytes that a pixel, row and tile are padded to a multiple of, a pixel to them; 0: none.
  package let pixelBytes, rowAlignment, tileAlignment: Int
  package let tiles: PixelSize
  /// Whether the data are a zlib stream.
  package let isDeflated: Bool
  /// Index of the components that are read: gray, or luma, Cb and Cr, which are green, blue and red
  /// of RGB.
  package let planes: [Int]
  package let isRGB: Bool

  private static let profiles: [String: [Int]] = [
    "rgb3": [4, 5, 6], "rgba": [4, 5, 6, 7], "abgr": [7, 6, 5, 4],
  ]

  /// From the properties of an item, as complete boxes one after the other.
  package init(_ record: [UInt8]) throws(FormatError) {
    var boxes: [String: ByteCursor] = [:]
    var all = ByteCursor(record[...])
    while let box = try all.box() { boxes[box.type] = box.content }
    guard var size = boxes["ispe"], var layout = boxes["uncC"] else {
      throw .contradiction("an uncompressed picture lacks an ispe or uncC property")
    }
    _ = try size.version()
    self.size = PixelSize(width: try size.u32(), height: try size.u32())
    isDeflated = try Self.isDeflated(boxes)
    let version = try layout.version().version
    let profile = try layout.name()
    if version == 1 {
      guard let types = Self.profiles[profile] else {
        throw Self.unread("its uncC profile is \(ISOBox.shown(profile))")
      }
      components = types.map { Component(type: $0, bits: 8, alignedBytes: 0) }
      (interleaving, isLittleEndian) = (.pixels, false)
      (pixelBytes, rowAlignment, tileAlignment) = (0, 0, 0)
      tiles = PixelSize(width: 1, height: 1)
    } else {
      let types = try Self.types(boxes["cmpd"])
      components = try Self.components(&layout, types)
      guard try layout.u8() == 0 else { throw Self.unread("its chroma is subsampled") }
      let order = try layout.u8()
      guard let interleaving = Interleaving(rawValue: order) else {
        throw Self.unread("its interleave type is \(order)")
      }
      guard try layout.u8() == 0 else { throw Self.unread("its samples are stored in blocks") }
      (self.interleaving, isLittleEndian) = (interleaving, try layout.u8() & 0x80 != 0)
      (pixelBytes, rowAlignment) = (try layout.u32(), try layout.u32())
      tileAlignment = try layout.u32()
      let across = try layout.u32()
      tiles = PixelSize(width: across + 1, height: try layout.u32() + 1)
    }
    (planes, isRGB) = try Self.planes(components.map(\.type))
    try check()
  }

  private static func unread(_ what: String) -> FormatError {
    FormatError(
      .unsupported,
      "it is uncompressed (unci), and \(what), which is not supported; convert it to TIFF or PNG")
  }

  private static func isDeflated(_ boxes: [String: ByteCursor]) throws(FormatError) -> Bool {
    guard var compression = boxes["cmpC"] else { return false }
    _ = try compression.version()
    let kind = try compression.name()
    // Only data that are compressed as one unit are supported.
    guard kind == "zlib", boxes["icef"] == nil else {
      throw unread("its data are compressed in units or by \(ISOBox.shown(kind))")
    }
    return true
  }

  private static func types(_ box: ByteCursor?) throws(FormatError) -> [Int] {
    guard var box else {
      throw .contradiction("an uncompressed picture has no component definition (cmpd)")
    }
    var types: [Int] = []
    for _ in 0..<min(try box.u32(), 64) {
      types.append(try box.u16())
      if types.last ?? 0 >= 0x8000 { _ = box.text() }
    }
    return types
  }

  private static func components(
    _ layout: inout ByteCursor, _ types: [Int]
  ) throws(FormatError) -> [Component] {
    let count = try layout.u32()
    guard (1...16).contains(count) else { throw unread("it has \(count) components") }
    var components: [Component] = []
    for _ in 0..<count {
      let index = try layout.u16()
      guard index < types.count else {
        throw .contradiction("an uncompressed picture names a missing component definition")
      }
      let bits = try layout.u8() + 1
      guard try layout.u8() == 0 else { throw unread("its samples are floats or complex numbers") }
      let bytes = try layout.u8()
      guard bytes == 0 || (bits <= 8 * bytes && bytes <= 8), bits <= 64 else {
        throw .contradiction(
          "an uncompressed picture has samples of \(bits) bits in \(bytes) bytes")
      }
      components.append(Component(type: types[index], bits: bits, alignedBytes: bytes))
    }
    return components
  }

  private static func planes(_ types: [Int]) throws(FormatError) -> ([Int], isRGB: Bool) {
    func find(_ wanted: [Int]) -> [Int]? {
      let found = wanted.compactMap(types.firstIndex(of:))
      return found.count == wanted.count ? found : nil
    }
    if let rgb = find([5, 6, 4]) { return (rgb, true) }
    if let ycc = find([1, 2, 3]) { return (ycc, false) }
    if let gray = find([0]) ?? find([1]) { return (gray, false) }
    let list = types.map(String.init).joined(separator: ", ")
    throw unread("its component types (\(list)) are not gray, RGB or YCbCr")
  }

  private func check() throws(FormatError) {
    let bits = components[planes[0]].bits
    guard planes.allSatisfy({ components[$0].bits == bits }), (8...16).contains(bits) else {
      throw Self.unread("its samples have \(bits) bits or several bit depths")
    }
    guard size.width > 0, size.height > 0, size.width < 1 << 24, size.height < 1 << 24,
      tiles.width <= size.width, tiles.height <= size.height,
      size.width % tiles.width == 0, size.height % tiles.height == 0,
      pixelBytes < 1 << 16, rowAlignment < 1 << 16, tileAlignment < 1 << 24
    else { throw .contradiction("the tiles of an uncompressed picture do not match its size") }
    guard pixelBytes == 0 || 8 * pixelBytes >= pixelBits else {
      throw .contradiction("an uncompressed picture has pixels shorter than their components")
    }
  }

  // MARK: Offsets

  /// Of one tile.
  package var tile: PixelSize {
    PixelSize(width: size.width / tiles.width, height: size.height / tiles.height)
  }

  private var pixelBits: Int { components.reduce(0) { $0 + $1.storedBits } }
  /// Bits from one pixel to the next, where these lie together.
  package var pixelStride: Int { pixelBytes > 0 ? 8 * pixelBytes : pixelBits }

  private func padded(_ bytes: Int, to alignment: Int) -> Int {
    alignment > 1 ? (bytes + alignment - 1) / alignment * alignment : bytes
  }

  /// Bytes of a row of one component.
  private func rowBytes(_ component: Int) -> Int {
    padded((tile.width * components[component].storedBits + 7) / 8, to: rowAlignment)
  }

  /// Bytes of a row of all components.
  private var rowBytes: Int {
    interleaving == .pixels
      ? padded((tile.width * pixelStride + 7) / 8, to: rowAlignment)
      : components.indices.reduce(0) { $0 + rowBytes($1) }
  }

  /// Bytes of a tile; for ``Interleaving/tilePlanes``, of one component of it.
  private func tileBytes(_ component: Int) -> Int {
    padded(
      tile.height * (interleaving == .tilePlanes ? rowBytes(component) : rowBytes),
      to: tileAlignment)
  }

  /// Bytes of all samples.
  package var byteCount: Int {
    let count = tiles.width * tiles.height
    return interleaving == .tilePlanes
      ? components.indices.reduce(0) { $0 + count * tileBytes($1) } : count * tileBytes(0)
  }

  /// The bit where row `y` of a component begins in tile `number`, and the bits from one sample to
  /// the next.
  package func offset(_ component: Int, tile number: Int, y: Int) -> (start: Int, step: Int) {
    let before = 0..<component
    let bits = components[component].storedBits
    switch interleaving {
    case .pixels:
      let first = before.reduce(0) { $0 + components[$1].storedBits }
      return (8 * (number * tileBytes(0) + y * rowBytes) + first, pixelStride)
    case .planes:
      let planes = before.reduce(0) { $0 + tile.height * rowBytes($1) }
      return (8 * (number * tileBytes(0) + planes + y * rowBytes(component)), bits)
    case .rows:
      let first = before.reduce(0) { $0 + rowBytes($1) }
      return (8 * (number * tileBytes(0) + y * rowBytes + first), bits)
    case .tilePlanes:
      let count = tiles.width * tiles.height
      let planes = before.reduce(0) { $0 + count * tileBytes($1) }
      let tile = number * tileBytes(component)
      return (8 * (planes + tile + y * rowBytes(component)), bits)
    }
  }

  /// What a decoder gives.
  var still: CodedStill {
    CodedStill(
      codec: .uncompressed, size: size, codedSize: size, bits: components[planes[0]].bits,
      isGray: planes.count == 1, codePoints: nil, isFullRange: isRGB ? true : nil,
      minBytes: isDeflated ? byteCount / 1032 : byteCount, isRGB: isRGB)
  }
}
