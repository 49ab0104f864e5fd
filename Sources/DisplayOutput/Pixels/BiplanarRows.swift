import ImageCore

/// Code values of luma and color differences in ten bits.
///
/// Source: ITU-T H.273 (2021), 8.3: Y = 1023 E or 64 + 876 E; C = 512 + 1023 D or 512 + 896 D with
/// D = (B − Y) / (2 − 2 K_B) and (R − Y) / (2 − 2 K_R). A fully saturated difference of full range
/// would be half a code value above 1023 and is clamped.
struct BiplanarCodes: Sendable {
  let matrix: LumaMatrix
  let black: Float
  let luma: Float
  let chroma: Float

  init(_ matrix: LumaMatrix, _ format: PixelFormat) {
    let isVideo = format == .biplanar10VideoRange
    self.matrix = matrix
    (black, luma, chroma) = isVideo ? (64, 876, 896) : (0, 1023, 1023)
  }

  /// Signals to luma, Cb, Cr in code values, in place.
  func encode(_ row: RGBRows) {
    let (kr, kb) = (matrix.red, matrix.blue)
    for x in 0..<row.count {
      let (r, b) = (row.red[x], row.blue[x])
      let y = r * kr + row.green[x] * (1 - kr - kb) + b * kb
      row.red[x] = black + luma * y
      row.green[x] = 512 + chroma * (b - y) / (2 - 2 * kb)
      row.blue[x] = 512 + chroma * (r - y) / (2 - 2 * kr)
    }
  }

  /// Code values to signals, in place; outside 0…1 where the code values are out of range.
  func decode(_ row: RGBRows) {
    let (kr, kb) = (matrix.red, matrix.blue)
    for x in 0..<row.count {
      let y = (row.red[x] - black) / luma
      let b = y + (row.green[x] - 512) / chroma * (2 - 2 * kb)
      let r = y + (row.blue[x] - 512) / chroma * (2 - 2 * kr)
      row.green[x] = (y - r * kr - b * kb) / (1 - kr - kb)
      (row.red[x], row.blue[x]) = (r, b)
    }
  }
}

/// Rows of luma, and of color differences at half the columns and rows: co-sited with the top left
/// pixel of four, filtered by 1/4, 1/2, 1/4 along columns and rows.
struct BiplanarRows: Sendable {
  private let packing: PixelPacking
  private let codes: BiplanarCodes

  init(_ packing: PixelPacking) {
    self.packing = packing
    codes = BiplanarCodes(packing.matrix, packing.format)
  }

  /// The bytes of both planes for the rows of `rect`, whose first row is even.
  func pack(
    _ source: any PixelSource<DisplayReferred>, _ rect: PixelRect, _ pitches: [Int],
    _ pool: BufferPool
  ) throws(PixelError) -> [[UInt8]] {
    let above = min(rect.y, 1)
    let part = PixelRect(
      x: 0, y: rect.y - above, width: rect.width, height: rect.height + above)
    let half = PixelSize(width: (rect.width + 1) / 2, height: (rect.height + 1) / 2)
    var luma = [UInt8](repeating: 0, count: pitches[0] * rect.height)
    var chroma = [UInt8](repeating: 0, count: pitches[1] * half.height)
    try pool.withBuffer(part.size) { buffer throws(PixelError) in
      try source.read(part, into: buffer)
      for y in 0..<part.height {
        let row = buffer.rows(y)
        packing.transfer.encode(row)
        codes.encode(row)
      }
      for y in 0..<rect.height {
        let row = buffer.row(0, y + above)
        for x in 0..<rect.width {
          put(row[x], x, rect.y + y, &luma, at: pitches[0] * y + 2 * x)
        }
      }
      for y in 0..<half.height {
        for plane in 1...2 {
          let lines = [-1, 0, 1].map {
            buffer.row(plane, min(max(2 * y + above + $0, 0), part.height - 1))
          }
          for x in 0..<half.width {
            let at = 2 * x
            let (left, right) = (max(at - 1, 0), min(at + 1, rect.width - 1))
            let sums = lines.map { $0[left] / 4 + $0[at] / 2 + $0[right] / 4 }
            put(
              sums[0] / 4 + sums[1] / 2 + sums[2] / 4, x, rect.y / 2 + y, &chroma,
              at: pitches[1] * y + 4 * x + 2 * (plane - 1))
          }
        }
      }
    }
    return [luma, chroma]
  }

  private func put(
    _ value: Float, _ x: Int, _ y: Int, _ out: inout [UInt8], at: Int
  ) {
    let code = packing.code(value, top: 1023, x: x, y: y) << 6
    (out[at], out[at + 1]) = (UInt8(truncatingIfNeeded: code), UInt8(code >> 8))
  }
}

/// Luma and color differences in memory as linear values.
struct BiplanarSource: PixelSource {
  typealias State = DisplayReferred

  let picture: PackedPicture
  let transfer: SignalTransfer
  let info: DisplayReferred.Info
  private let codes: BiplanarCodes

  init(_ picture: PackedPicture, _ meaning: PixelAttachments) {
    self.picture = picture
    transfer = meaning.transfer
    let matrix = meaning.matrix ?? (meaning.primaries == .bt2020 ? .bt2020 : .bt709)
    codes = BiplanarCodes(matrix, picture.format)
    info = DisplayReferred.Info(primaries: meaning.primaries, headroom: transfer.headroom)
  }

  var size: PixelSize { picture.size }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    let last = PixelPoint(x: (size.width + 1) / 2 - 1, y: (size.height + 1) / 2 - 1)
    let (luma, chroma) = (picture.planes[0], picture.planes[1])
    for y in 0..<rect.height {
      let row = buffer.rows(y)
      let line = rect.y + y
      let (top, below) = (line / 2, min((line + 1) / 2, last.y))
      for x in 0..<rect.width {
        let column = rect.x + x
        row.red[x] = Float(luma.word(line * luma.bytesPerRow + 2 * column) >> 6)
        let (left, right) = (column / 2, min((column + 1) / 2, last.x))
        for (plane, out) in [row.green, row.blue].enumerated() {
          func difference(_ x: Int, _ y: Int) -> Float {
            Float(chroma.word(y * chroma.bytesPerRow + 4 * x + 2 * plane) >> 6)
          }
          out[x] =
            (difference(left, top) + difference(right, top) + difference(left, below)
              + difference(right, below)) / 4
        }
      }
      codes.decode(row)
      if !transfer.isHDR { Self.cut(row) }
      transfer.decode(row)
    }
  }

  /// Clamps interpolated signals to 0…1.
  private static func cut(_ row: RGBRows) {
    for samples in [row.red, row.green, row.blue] {
      for x in 0..<row.count { samples[x] = min(max(samples[x], 0), 1) }
    }
  }
}
