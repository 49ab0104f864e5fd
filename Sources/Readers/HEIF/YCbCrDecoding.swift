import Codecs
import Containers

/// From coded luma and chroma to full-range RGB code values of the same depth.
///
/// Source: ITU-T H.273 (2024) 8.3, equations for matrix coefficients 0, 1, 4–7, 8, 9, 12 and for
/// narrow and full range, and for 10, 13 and 14 by ``LinearMatrix``; 2 (unspecified) is read as
/// BT.601, as HEIF readers do. In fixed point of 20 bits, within 0.001 code value of the formulas;
/// rounded and clamped. 16 and 17, YCgCo-Re and -Ro, are integers of two bits and one bit more than
/// their RGB, which is scaled to all bits. Known failure: 12 and 13 with primaries of another white
/// than D65 are refused. Chroma is replicated, not interpolated; its siting is ignored.
struct YCbCrDecoding: Sendable {
  private static let shift = 20

  /// Whether the samples are full-range RGB already.
  let isIdentity: Bool
  private let weights: [Int]
  private let offset: SIMD2<Int>
  private let maxCode: Int
  /// How many bits less RGB has than the planes, for YCgCo-Re and -Ro; nil for all else.
  private let spareBits: Int?
  /// For conversions through linear values, the matrix and the divisors of the codes.
  private let linear: (matrix: LinearMatrix, luma: Double, chroma: Double)?

  /// `primaries` is used for matrices derived from primaries, `transfer` for conversions through
  /// linear values.
  init(
    matrix: UInt16, primaries: UInt16, transfer: UInt16, isFullRange: Bool, bits: Int, isGray: Bool
  ) throws(FormatError) {
    let luma: (red: Double, blue: Double)? =
      switch matrix {
      case 1: (0.2126, 0.0722)
      case 2, 5, 6: (0.299, 0.114)
      case 4: (0.30, 0.11)
      case 7: (0.212, 0.087)
      case 9: (0.2627, 0.0593)
      case 12: ColorDescription.luma(primaries: primaries)
      default: nil
      }
    spareBits = isGray || !isFullRange ? nil : matrix == 16 ? 2 : matrix == 17 ? 1 : nil
    isIdentity = isFullRange && (matrix == 0 || isGray)
    maxCode = (1 << bits) - 1
    let step = Double(1 << (bits - 8))
    let (lumaScale, chromaScale) =
      isFullRange ? (1, 1) : (Double(maxCode) / (219 * step), Double(maxCode) / (224 * step))
    let linearMatrix =
      isGray ? nil : LinearMatrix(matrix: matrix, primaries: primaries, transfer: transfer)
    let top = Double(maxCode)
    linear = linearMatrix.map { ($0, top / lumaScale, top / chromaScale) }
    var half = 1 << (bits - 1)
    // Rows red, green, blue; columns luma, Cb, Cr.
    var rows: [[Double]]
    switch (matrix, luma) {
    case _ where isGray: rows = [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    case (0, _):
      rows = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
      half = isFullRange ? 0 : 16 * Int(step)
    case _ where linearMatrix != nil: rows = []
    case (16, _) where spareBits != nil, (17, _) where spareBits != nil: rows = []
    case (8, _): rows = [[1, -1, 1], [1, 1, 0], [1, -1, -1]]
    case (_, let luma?):
      let green = 1 - luma.red - luma.blue
      rows = [
        [1, 0, 2 * (1 - luma.red)],
        [
          1, -2 * luma.blue * (1 - luma.blue) / green, -2 * luma.red * (1 - luma.red) / green,
        ],
        [1, 2 * (1 - luma.blue), 0],
      ]
    default:
      throw FormatError(
        .unsupported,
        "its color matrix \(Self.names[matrix] ?? "\(matrix)") is not supported; convert it to "
          + "BT.709, BT.601 or BT.2020")
    }
    let scales = [
      lumaScale, matrix == 0 ? lumaScale : chromaScale, matrix == 0 ? lumaScale : chromaScale,
    ]
    weights = rows.flatMap { row in
      zip(row, scales).map { Int(($0 * $1 * Double(1 << Self.shift)).rounded()) }
    }
    offset = SIMD2(isFullRange ? 0 : 16 * Int(step), half)
  }

  private static let names: [UInt16: String] = [
    10: "of constant luminance (10) with its curve", 11: "Y'D'zD'x (11)",
    12: "of its primaries (12)", 13: "of constant luminance (13) with its primaries and curve",
    14: "ICtCp (14) with its curve", 15: "IPT-PQ-C2 (15)",
  ]

  /// One row of coded planes.
  @unsafe struct Row<Code: FixedWidthInteger & UnsignedInteger> {
    let luma: UnsafePointer<Code>
    /// Luma where there is no chroma.
    let cb, cr: UnsafePointer<Code>
    /// Horizontal subsampling of chroma as a power of two.
    var shift = 0
  }

  /// Converts `count` pixels of `source` from column `x` on to interleaved RGB, or luma only where
  /// `channels` is 1. Each chroma sample applies to all pixels that it covers.
  func convert<Code: FixedWidthInteger & UnsignedInteger>(
    _ source: Row<Code>, x: Int, _ target: UnsafeMutablePointer<Code>, count: Int, channels: Int
  ) {
    let round = 1 << (Self.shift - 1)
    let luma = unsafe source.luma + x
    if channels == 1 {
      if isIdentity { return unsafe target.update(from: luma, count: count) }
      for i in 0..<count {
        unsafe target[i] = code((weights[0] &* (Int(luma[i]) &- offset.x) &+ round) >> Self.shift)
      }
      return
    }
    if isIdentity {
      for i in 0..<count {
        let at = unsafe (x &+ i) &>> source.shift
        unsafe target[3 &* i] = source.cr[at]
        unsafe target[3 &* i &+ 1] = luma[i]
        unsafe target[3 &* i &+ 2] = source.cb[at]
      }
      return
    }
    if let spareBits {
      let (half, top) = ((maxCode + 1) / 2, maxCode >> spareBits)
      for i in 0..<count {
        let at = unsafe (x &+ i) &>> source.shift
        let cg = unsafe Int(source.cb[at]) &- half
        let co = unsafe Int(source.cr[at]) &- half
        let rest = unsafe Int(luma[i]) &- cg >> 1
        let blue = rest &- co >> 1
        for (channel, value) in [blue &+ co, rest &+ cg, blue].enumerated() {
          let held = min(max(value, 0), top)
          unsafe target[3 &* i &+ channel] = code((2 * held * maxCode + top) / (2 * top))
        }
      }
      return
    }
    if let linear {
      for i in 0..<count {
        let at = unsafe (x &+ i) &>> source.shift
        let signals = unsafe linear.matrix.signals(
          Double(Int(luma[i]) &- offset.x) / linear.luma,
          Double(Int(source.cb[at]) &- offset.y) / linear.chroma,
          Double(Int(source.cr[at]) &- offset.y) / linear.chroma)
        for channel in 0..<3 {
          let held = min(max(signals[channel], 0), 1)
          unsafe target[3 &* i &+ channel] = code(Int((held * Double(maxCode)).rounded()))
        }
      }
      return
    }
    unsafe weights.withUnsafeBufferPointer { w in
      for i in 0..<count {
        let at = unsafe (x &+ i) &>> source.shift
        let y = unsafe Int(luma[i]) &- offset.x
        let cb = unsafe Int(source.cb[at]) &- offset.y
        let cr = unsafe Int(source.cr[at]) &- offset.y
        for channel in 0..<3 {
          let row = 3 &* channel
          let sum = unsafe w[row] &* y &+ w[row &+ 1] &* cb &+ w[row &+ 2] &* cr
          unsafe target[3 &* i &+ channel] = code((sum &+ round) >> Self.shift)
        }
      }
    }
  }

  @inline(__always)
  private func code<Code: FixedWidthInteger & UnsignedInteger>(_ value: Int) -> Code {
    Code(truncatingIfNeeded: min(max(value, 0), maxCode))
  }
}

extension YCbCrDecoding.Row {
  /// Row `y` of `planes`.
  init(_ planes: CodedPlanes, y: Int) {
    unsafe luma = planes.luma.row(y).assumingMemoryBound(to: Code.self)
    let chroma = unsafe planes.chroma.map {
      unsafe ($0.cb.row(y >> planes.chromaShift.y), $0.cr.row(y >> planes.chromaShift.y))
    }
    unsafe cb = chroma?.0.assumingMemoryBound(to: Code.self) ?? luma
    unsafe cr = chroma?.1.assumingMemoryBound(to: Code.self) ?? luma
    unsafe shift = chroma == nil ? 0 : planes.chromaShift.x
  }
}
