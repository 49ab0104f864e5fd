import Codecs
import Formats
import HDRRender
import ImageCore

/// A band ready for the file.
struct EncodedBand: Sendable {
  /// The strips, concatenated.
  let block: BandMemory.Block
  /// Their lengths.
  let stripBytes: [Int]
  /// Luminance statistics of the linear values.
  let statistics: ContentLightStatistics
}

/// Encodes bands of linear values as strips. One instance per thread, with its own memory.
final class BandEncoder: @unchecked Sendable {
  private let layout: StripLayout
  private let coding: TIFFCoding
  private let compressor: (any BlockCompressor)?
  private let planes: PlanarBuffer
  private let row: BandMemory.Block
  private let codes: BandMemory.Block
  private let bytePlanes: BandMemory.Block
  private let strip: BandMemory.Block

  init(layout: StripLayout, coding: TIFFCoding) throws(WriteError) {
    self.layout = layout
    self.coding = coding
    compressor = try coding.compression.makeCompressor()
    planes = PlanarBuffer(size: layout.band(0).size)
    let isPlain = compressor == nil
    row = BandMemory.Block(byteCount: layout.rowBytes)
    codes = BandMemory.Block(byteCount: layout.sampleBytes == 1 ? 2 * layout.rowBytes : 0)
    bytePlanes = BandMemory.Block(byteCount: isPlain ? 0 : layout.rowBytes)
    strip = BandMemory.Block(byteCount: isPlain ? 0 : layout.rowBytes * layout.rowsPerStrip)
  }

  /// Maximum compressed length of a band.
  func bandBound() -> Int {
    let stripBytes = layout.rowBytes * layout.rowsPerStrip
    return layout.stripsPerBand * (compressor?.bound(stripBytes) ?? stripBytes)
  }

  /// Reads band `index` of `picture` and encodes its strips in a block of `memory`.
  func encode<State>(
    _ index: Int, of picture: some PixelSource<State>, memory: BandMemory
  ) throws(WriteError) -> EncodedBand {
    let rect = layout.band(index)
    picture.read(rect, into: planes)
    let statistics = planes.rollOff(coding.toneMapping)
    let block = memory.take()
    var stripBytes: [Int] = []
    var used = 0
    for first in stride(from: 0, to: rect.height, by: layout.rowsPerStrip) {
      let rows = first..<min(first + layout.rowsPerStrip, rect.height)
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: block.bytes[used...])
      let made: Int
      if let compressor {
        let raw = unsafe UnsafeMutableRawBufferPointer(
          rebasing: strip.bytes[..<(rows.count * layout.rowBytes)])
        unsafe fill(raw, from: rows, isPredicted: true)
        made = try WriteError.encoding { () throws(CodecError) in
          try unsafe compressor.compress(UnsafeRawBufferPointer(raw), into: rest)
        }
      } else {
        made = rows.count * layout.rowBytes
        unsafe fill(rest, from: rows, isPredicted: false)
      }
      stripBytes.append(made)
      used += made
    }
    return EncodedBand(block: block, stripBytes: stripBytes, statistics: statistics)
  }

  /// Encodes `lines` of the band into `target`, row by row.
  private func fill(
    _ target: UnsafeMutableRawBufferPointer, from lines: Range<Int>, isPredicted: Bool
  ) {
    guard let start = target.baseAddress, let scratch = unsafe row.bytes.baseAddress else { return }
    let width = layout.size.width
    for (index, y) in lines.enumerated() {
      let line = unsafe start + index * layout.rowBytes
      let coded = unsafe isPredicted ? scratch : line
      let rows = planes.rows(y)
      switch coding.sample {
      case .code(let encoder):
        let codes = unsafe coded.assumingMemoryBound(to: UInt16.self)
        unsafe encoder.encode(rows, into: codes)
        if isPredicted {
          unsafe TIFFPredictor.differences(
            of: codes, count: 3 * width, into: line.assumingMemoryBound(to: UInt16.self))
        }
      case .byte(let encoder):
        guard let wide = unsafe codes.bytes.baseAddress else { return }
        let bytes = unsafe coded.assumingMemoryBound(to: UInt8.self)
        unsafe encoder.encode(
          rows, scratch: wide.assumingMemoryBound(to: UInt16.self), into: bytes)
        if isPredicted {
          unsafe TIFFPredictor.differences(
            of: bytes, count: 3 * width, into: line.assumingMemoryBound(to: UInt8.self))
        }
      case .float:
        let values = unsafe coded.assumingMemoryBound(to: UInt32.self)
        for x in 0..<width {
          unsafe values[3 &* x] = rows.red[x].bitPattern
          unsafe values[3 &* x &+ 1] = rows.green[x].bitPattern
          unsafe values[3 &* x &+ 2] = rows.blue[x].bitPattern
        }
        if isPredicted, let bytes = unsafe bytePlanes.bytes.baseAddress {
          unsafe TIFFPredictor.floatDifferences(
            of: values, count: 3 * width, planes: bytes.assumingMemoryBound(to: UInt8.self),
            into: line.assumingMemoryBound(to: UInt8.self))
        }
      }
    }
  }
}
