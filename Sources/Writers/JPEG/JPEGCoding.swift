import Codecs
import Formats
import ImageCore

/// How a picture becomes a JPEG: from linear values to code values, and from these to bits.
struct JPEGCoding: Sendable {
  let encoding: PictureEncoding
  let chroma: ChromaFormat
  /// 1…100, libjpeg's quality.
  let quality: Int

  /// Rows that are coded together, between two restart markers: a multiple of all MCU heights, and
  /// few enough that the MCUs of the widest picture fit a restart interval.
  static let bandHeight = 64

  /// MCUs of one band, the restart interval.
  func interval(width: Int) -> Int {
    let side = chroma == .yuv420 ? 16 : 8
    return (width + side - 1) / side * (Self.bandHeight / side)
  }
}

/// Encodes rows of a picture to JPEGs of bands on one thread, with its memory and compressor.
final class JPEGBandCoder: @unchecked Sendable {
  /// Columns that become code values at a time.
  private static let partWidth = 512
  private let coding: JPEGCoding
  private let compressor: TurboJPEGCompressor
  private let linear = PlanarBuffer()
  private let scratch: PlanarBuffer
  private let codes: YCbCrPlanes
  private var bytes: [[UInt8]]

  /// For runs of up to `rows` rows of `width` pixels.
  init(_ coding: JPEGCoding, width: Int, rows: Int) throws(WriteError) {
    self.coding = coding
    compressor = try WriteError.encoding { () throws(CodecError) in try TurboJPEGCompressor() }
    // Even, so that every chroma sample has its four pixels.
    scratch = try WriteError.translating { () throws(PixelError) in
      try PlanarBuffer(size: PixelSize(width: Self.partWidth, height: 1))
    }
    codes = try WriteError.translating { () throws(PixelError) in
      try YCbCrPlanes(
        size: PixelSize(width: (width + 1) & ~1, height: (rows + 1) & ~1),
        chroma: coding.chroma)
    }
    let planes = coding.chroma == .monochrome ? 0..<1 : 0..<3
    bytes = planes.map { [codes] in
      [UInt8](repeating: 0, count: codes.stride($0) * JPEGCoding.bandHeight)
    }
  }

  /// The JPEGs of the bands of 64 rows in `rows`, which starts with one.
  func encode(
    _ rows: PictureBand
  ) throws(WriteError) -> (bands: [[UInt8]], statistics: ContentLightStatistics) {
    let rect = rows.rect
    var statistics = ContentLightStatistics()
    // From left to right: a part overwrites what is to its right.
    for x in stride(from: 0, to: rect.width, by: Self.partWidth) {
      let part = PixelRect(
        x: x, y: rect.y, width: min(Self.partWidth, rect.width - x), height: rect.height)
      try WriteError.translating { () throws(PixelError) in
        try rows.copy(coding.encoding.source(of: part), into: linear)
      }
      statistics.add(
        coding.encoding.encode(
          linear, rect: part, scratch: scratch, into: codes, at: PixelPoint(x: x, y: 0)))
    }
    codes.pad(rect.size)
    var bands: [[UInt8]] = []
    for top in stride(from: 0, to: rect.height, by: JPEGCoding.bandHeight) {
      let height = min(JPEGCoding.bandHeight, rect.height - top)
      for plane in bytes.indices {
        let isHalf = plane > 0 && coding.chroma == .yuv420
        narrow(
          plane, from: isHalf ? top / 2 : top, rows: isHalf ? (height + 1) / 2 : (height + 1) & ~1)
      }
      bands.append(
        try MeasuredStage.encode.measure { () throws(WriteError) in
          try compress(PixelSize(width: rect.width, height: height))
        })
    }
    return (bands, statistics)
  }

  /// 8-bit code values are stored in the upper half of 16-bit words.
  private func narrow(_ plane: Int, from first: Int, rows: Int) {
    let size = plane == 0 ? codes.size : codes.chromaSize
    for y in 0..<min(rows, size.height - first) {
      let (row, start) = (codes.row(plane, first + y), y * codes.stride(plane))
      unsafe bytes[plane].withUnsafeMutableBufferPointer { out in
        for x in 0..<size.width { unsafe out[start + x] = UInt8(truncatingIfNeeded: row[x] >> 8) }
      }
    }
  }

  private func compress(_ size: PixelSize) throws(WriteError) -> [UInt8] {
    let result = unsafe withPlanes { planes in
      Result { () throws(CodecError) in
        try unsafe compressor.compress(
          planes, strides: bytes.indices.map(codes.stride), size: size, chroma: coding.chroma,
          quality: coding.quality)
      }
    }
    return try WriteError.encoding { () throws(CodecError) in try result.get() }
  }

  private func withPlanes<R>(_ body: ([UnsafePointer<UInt8>]) -> R) -> R {
    func pointers(_ index: Int, _ found: [UnsafePointer<UInt8>]) -> R {
      if index == bytes.count { return unsafe body(found) }
      return unsafe bytes[index].withUnsafeBufferPointer { plane in
        unsafe pointers(index + 1, found + [plane.baseAddress].compactMap { unsafe $0 })
      }
    }
    return unsafe pointers(0, [])
  }
}
