import Codecs
import Formats
import HDRRender
import ImageCore

/// Encodes bands of linear values as strips. One instance per thread, with its own memory.
final class BandEncoder: @unchecked Sendable {
  private let layout: StripLayout
  private let coding: TIFFCoding
  private let alpha: AlphaPlane?
  private let compressor: (any BlockCompressor)?
  private let row: BandMemory.Block
  private let codes: BandMemory.Block
  private let bytePlanes: BandMemory.Block
  private let strip: BandMemory.Block

  init(layout: StripLayout, coding: TIFFCoding, alpha: AlphaPlane?) throws(WriteError) {
    self.layout = layout
    self.coding = coding
    self.alpha = alpha
    compressor = try coding.compression.makeCompressor()
    let isPlain = compressor == nil
    (row, codes, bytePlanes, strip) = try WriteError.translating { () throws(PixelError) in
      (
        try BandMemory.Block(byteCount: layout.rowBytes),
        try BandMemory.Block(
          byteCount: layout.sampleBytes == 1 || coding.isGray || alpha != nil
            ? 6 * layout.size.width : 0),
        try BandMemory.Block(byteCount: isPlain ? 0 : layout.rowBytes),
        try BandMemory.Block(byteCount: isPlain ? 0 : layout.rowBytes * layout.rowsPerStrip)
      )
    }
  }

  /// Maximum compressed length of a strip.
  func stripBound() -> Int {
    let stripBytes = layout.rowBytes * layout.rowsPerStrip
    return compressor?.bound(stripBytes) ?? stripBytes
  }

  /// Encodes the strips of `band` in a block of `memory`.
  func encode(_ band: PictureBand, memory: BandMemory) throws(WriteError) -> EncodedBand {
    let statistics = band.rollOff(coding.toneMapping)
    let block = try WriteError.translating { () throws(PixelError) in try memory.take() }
    var partBytes: [Int] = []
    var used = 0
    for first in stride(from: 0, to: band.rect.height, by: layout.rowsPerStrip) {
      let rows = first..<min(first + layout.rowsPerStrip, band.rect.height)
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: block.bytes[used...])
      let made: Int
      if let compressor {
        let raw = unsafe UnsafeMutableRawBufferPointer(
          rebasing: strip.bytes[..<(rows.count * layout.rowBytes)])
        unsafe fill(raw, from: band, rows, isPredicted: true)
        made = try WriteError.encoding { () throws(CodecError) in
          try MeasuredStage.encode.measure { () throws(CodecError) in
            try unsafe compressor.compress(UnsafeRawBufferPointer(raw), into: rest)
          }
        }
      } else {
        made = rows.count * layout.rowBytes
        unsafe fill(rest, from: band, rows, isPredicted: false)
      }
      partBytes.append(made)
      used += made
    }
    return EncodedBand(block: block, partBytes: partBytes, statistics: statistics)
  }

  /// Encodes `lines` of `band` into `target`, row by row.
  private func fill(
    _ target: UnsafeMutableRawBufferPointer, from band: PictureBand, _ lines: Range<Int>,
    isPredicted: Bool
  ) {
    guard let start = target.baseAddress, let scratch = unsafe row.bytes.baseAddress else { return }
    for (index, y) in lines.enumerated() {
      let line = unsafe start + index * layout.rowBytes
      let coded = unsafe isPredicted ? scratch : line
      for piece in band.pieces {
        let first = layout.channels * piece.columns.lowerBound * layout.sampleBytes
        unsafe encode(
          piece.rows(y), x: piece.columns.lowerBound, y: band.rect.y + y, into: coded + first)
      }
      if isPredicted { unsafe predict(coded, into: line) }
    }
  }

  /// Writes the samples of `rows`, which begin at (`x`, `y`), to `out`.
  private func encode(_ rows: RGBRows, x: Int, y: Int, into out: UnsafeMutableRawPointer) {
    switch coding.sample {
    case .code(let encoder) where alpha != nil, .byte(let encoder) where alpha != nil:
      guard let wide = unsafe codes.bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else {
        return
      }
      unsafe encoder.encode(rows, into: wide)
      unsafe alpha?.interleave(
        wide, keeping: layout.colors, x: x, y: y, count: rows.count,
        isByte: layout.sampleBytes == 1, into: out)
    case .code(let encoder) where coding.isGray, .byte(let encoder) where coding.isGray:
      guard let wide = unsafe codes.bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else {
        return
      }
      unsafe encoder.encode(rows, into: wide)
      unsafe GrayCodes.keep(
        wide, count: rows.count, isByte: layout.sampleBytes == 1, in: out)
    case .code(let encoder):
      unsafe encoder.encode(rows, into: out.assumingMemoryBound(to: UInt16.self))
    case .byte(let encoder):
      guard let wide = unsafe codes.bytes.baseAddress else { return }
      unsafe encoder.encode(
        rows, scratch: wide.assumingMemoryBound(to: UInt16.self),
        into: out.assumingMemoryBound(to: UInt8.self))
    case .half:
      guard let alpha, let plane = unsafe codes.bytes.baseAddress else {
        return unsafe FloatSamples(depth: .half).interleave(rows, into: out)
      }
      let (samples, count) = (FloatSamples(depth: .half), rows.count)
      let pixels = unsafe out.assumingMemoryBound(to: UInt16.self)
      let halves = unsafe plane.assumingMemoryBound(to: UInt16.self)
      func put(_ channel: Int) {
        for i in 0..<count { unsafe pixels[4 &* i &+ channel] = halves[i] }
      }
      for channel in 0..<3 {
        unsafe samples.store(rows[channel], into: plane)
        put(channel)
      }
      unsafe alpha.withRow(x: x, y: y, count: count) { row in
        unsafe samples.store(row, count: count, into: plane)
        put(3)
      }
    case .float:
      let values = unsafe out.assumingMemoryBound(to: UInt32.self)
      let channels = layout.channels
      for x in 0..<rows.count {
        unsafe values[channels &* x] = rows.red[x].bitPattern
        unsafe values[channels &* x &+ 1] = rows.green[x].bitPattern
        unsafe values[channels &* x &+ 2] = rows.blue[x].bitPattern
      }
      unsafe alpha?.withRow(x: x, y: y, count: rows.count) { row in
        for i in 0..<rows.count { unsafe values[4 &* i &+ 3] = row[i].bitPattern }
      }
    }
  }

  /// Writes the differences between the samples of a row to `line`.
  private func predict(_ row: UnsafeMutableRawPointer, into line: UnsafeMutableRawPointer) {
    let count = layout.channels * layout.size.width
    switch coding.sample {
    case .code:
      unsafe TIFFPredictor.differences(
        of: row.assumingMemoryBound(to: UInt16.self), count: count, channels: layout.channels,
        into: line.assumingMemoryBound(to: UInt16.self))
    case .byte:
      unsafe TIFFPredictor.differences(
        of: row.assumingMemoryBound(to: UInt8.self), count: count, channels: layout.channels,
        into: line.assumingMemoryBound(to: UInt8.self))
    case .half:
      guard let bytes = unsafe bytePlanes.bytes.baseAddress else { return }
      unsafe TIFFPredictor.halfDifferences(
        of: row.assumingMemoryBound(to: UInt16.self), count: count, channels: layout.channels,
        planes: bytes.assumingMemoryBound(to: UInt8.self),
        into: line.assumingMemoryBound(to: UInt8.self))
    case .float:
      guard let bytes = unsafe bytePlanes.bytes.baseAddress else { return }
      unsafe TIFFPredictor.floatDifferences(
        of: row.assumingMemoryBound(to: UInt32.self), count: count, channels: layout.channels,
        planes: bytes.assumingMemoryBound(to: UInt8.self),
        into: line.assumingMemoryBound(to: UInt8.self))
    }
  }
}
