import HDRRender
import ImageCore

/// Rows of red, green, blue and alpha.
struct InterleavedRows: Sendable {
  private let packing: PixelPacking

  init(_ packing: PixelPacking) { self.packing = packing }

  /// The bytes of the rows of `rect`, `pitch` bytes each.
  func pack(
    _ source: any PixelSource<DisplayReferred>, _ rect: PixelRect, _ pitch: Int, _ pool: BufferPool
  ) throws(PixelError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: pitch * rect.height)
    try pool.withBuffer(rect.size) { buffer throws(PixelError) in
      try source.read(rect, into: buffer)
      var span = bytes.mutableSpan
      // Any bits are bytes.
      var out = unsafe span.mutableBytes
      for y in 0..<rect.height {
        let row = buffer.rows(y)
        packing.transfer.encode(row)
        store(row, y: rect.y + y, into: &out, at: pitch * y)
      }
    }
    return bytes
  }

  private func store(
    _ row: RGBRows, y: Int, into out: inout MutableRawSpan, at start: Int
  ) {
    let (r, g, b, count) = (row.red, row.green, row.blue, row.count)
    guard let top = packing.format.top else {
      for x in 0..<count {
        let pixel = SIMD4(r[x], g[x], b[x], 1)
        if packing.format == .rgbaFloat {
          for c in 0..<4 {
            out.storeBytes(
              of: pixel[c].bitPattern.littleEndian, toByteOffset: start + 16 * x + 4 * c,
              as: UInt32.self)
          }
        } else {
          for c in 0..<4 {
            out.storeBytes(
              of: Self.half(pixel[c]).bitPattern.littleEndian,
              toByteOffset: start + 8 * x + 2 * c, as: UInt16.self)
          }
        }
      }
      return
    }
    for x in 0..<count {
      let codes = SIMD3(
        packing.code(r[x] * top, top: top, x: x, y: y),
        packing.code(g[x] * top, top: top, x: x, y: y),
        packing.code(b[x] * top, top: top, x: x, y: y))
      switch packing.format {
      case .rgba8:
        let word =
          UInt32(codes.x) | UInt32(codes.y) << 8 | UInt32(codes.z) << 16 | UInt32(255) << 24
        out.storeBytes(of: word.littleEndian, toByteOffset: start + 4 * x, as: UInt32.self)
      case .rgb10:
        let word =
          3 << 30 | UInt32(codes.x) << 20 | UInt32(codes.y) << 10 | UInt32(codes.z)
        out.storeBytes(of: word.littleEndian, toByteOffset: start + 4 * x, as: UInt32.self)
      default:
        for c in 0..<3 {
          out.storeBytes(
            of: codes[c].littleEndian, toByteOffset: start + 8 * x + 2 * c, as: UInt16.self)
        }
        out.storeBytes(of: UInt16.max, toByteOffset: start + 8 * x + 6, as: UInt16.self)
      }
    }
  }

  /// The nearest half; values too large for one become the greatest finite half.
  private static func half(_ value: Float) -> Float16 {
    let top = Float(Float16.greatestFiniteMagnitude)
    return Float16(value.isFinite ? min(max(value, -top), top) : value)
  }
}

/// Red, green, blue and alpha in memory as linear values.
struct InterleavedSource: PixelSource {
  typealias State = DisplayReferred

  let picture: PackedPicture
  let transfer: SignalTransfer
  let info: DisplayReferred.Info
  /// The linear value of each code value, where channels are independent.
  private let table: [Float]

  init(_ picture: PackedPicture, _ meaning: PixelAttachments) throws(OperatorError) {
    self.picture = picture
    transfer = meaning.transfer
    table = try OperatorError.translating("pixels") { () throws(PixelError) in
      try Self.table(picture.format, meaning.transfer)
    }
    var headroom = transfer.headroom
    if picture.format.isFloat, !transfer.isHDR {
      headroom = try OperatorError.translating("pixels") { () throws(PixelError) in
        try Self.peak(picture, meaning.transfer)
      }
    }
    info = DisplayReferred.Info(primaries: meaning.primaries, headroom: headroom)
  }

  var size: PixelSize { picture.size }

  /// The largest value: floats have no bound of their own, so all are examined.
  private static func peak(_ picture: PackedPicture, _ transfer: SignalTransfer) throws(PixelError)
    -> Float
  {
    let buffer = try PlanarBuffer(size: PixelSize(width: picture.size.width, height: 1))
    var top: Float = 1
    for y in 0..<picture.size.height {
      let row = buffer.rows(0)
      load(picture, y: y, x: 0, into: row)
      transfer.decode(row)
      for samples in [row.red, row.green, row.blue] {
        for x in 0..<picture.size.width where samples[x] > top { top = samples[x] }
      }
    }
    return top
  }

  private static func table(_ format: PixelFormat, _ transfer: SignalTransfer) throws(PixelError)
    -> [Float]
  {
    guard let top = format.top, transfer != .hlg else { return [] }
    let buffer = try PlanarBuffer(size: PixelSize(width: Int(top) + 1, height: 1))
    let row = buffer.rows(0)
    for code in 0...Int(top) {
      row.red[code] = Float(code) / top
      (row.green[code], row.blue[code]) = (0, 0)
    }
    transfer.decode(row)
    return (0...Int(top)).map { row.red[$0] }
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for y in 0..<rect.height {
      let row = buffer.rows(y)
      Self.load(picture, y: rect.y + y, x: rect.x, into: row)
      guard let top = picture.format.top, !table.isEmpty else {
        transfer.decode(row)
        continue
      }
      for samples in [row.red, row.green, row.blue] {
        for x in 0..<rect.width { samples[x] = table[Int(samples[x] * top + 0.5)] }
      }
    }
  }

  private static func load(
    _ picture: PackedPicture, y: Int, x first: Int, into row: RGBRows
  ) {
    let plane = picture.planes[0]
    let pixel = picture.format.bytesPerPixel
    func short(_ at: Int) -> UInt16 { plane.word(at) }
    func long(_ at: Int) -> UInt32 { UInt32(plane.word(at)) | UInt32(plane.word(at + 2)) << 16 }
    let rows = [row.red, row.green, row.blue]
    for x in 0..<row.count {
      let at = y * plane.bytesPerRow + (first + x) * pixel
      switch picture.format {
      case .rgba8: for c in 0..<3 { rows[c][x] = Float(plane.bytes[at + c]) / 255 }
      case .rgba16: for c in 0..<3 { rows[c][x] = Float(short(at + 2 * c)) / 65_535 }
      case .rgbaHalf:
        for c in 0..<3 { rows[c][x] = Float(Float16(bitPattern: short(at + 2 * c))) }
      case .rgbaFloat: for c in 0..<3 { rows[c][x] = Float(bitPattern: long(at + 4 * c)) }
      case .rgb10:
        let word = long(at)
        for c in 0..<3 { rows[c][x] = Float(word >> UInt32(20 - 10 * c) & 1023) / 1023 }
      case .biplanar10FullRange, .biplanar10VideoRange: rows[0][x] = 0
      }
    }
  }
}
