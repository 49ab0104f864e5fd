// Content light levels of coded PQ frames.
// Source: CTA-861.3 annex P: of each pixel the largest of linear R, G and B in cd/m²; MaxCLL is the
// largest of all pixels of all frames, MaxFALL the largest mean of a frame over its active picture.
// Measured on the code values that the encoder gets, through the inverse of the matrix and the EOTF
// of ST 2084: the largest channel of the signal is that of the linear values. Subsampled chroma is
// on the top left sample in PQ, and interpolated between: replicated, it would make small lamps
// brighter. The EOTF of means is a table of 16 bits: 0.1 cd/m² at
// 1000.

import ImageCore

/// Content light levels of frames in PQ, cd/m²; 0 for none.
package struct CodedContentLight: Sendable, Hashable, Codable {
  /// The brightest pixel's largest channel.
  package private(set) var maximum: Double = 0
  /// The largest mean of a frame.
  package private(set) var frameAverage: Double = 0

  package init() {}

  package init(maximum: Double, frameAverage: Double) {
    (self.maximum, self.frameAverage) = (maximum, frameAverage)
  }

  /// Adds other frames.
  package mutating func add(_ other: CodedContentLight) {
    maximum = max(maximum, other.maximum)
    frameAverage = max(frameAverage, other.frameAverage)
  }

  private static let nits: [Float] = (0...65_535).map {
    Float(PQ.nits(signal: Double($0) / 65_535))
  }

  /// The levels of one frame in `active`.
  init(
    _ planes: YCbCrPlanes, _ encoding: VideoEncoding, in active: PixelRect, workers: Int
  ) throws(PixelError) {
    let rect = active.intersection(PixelRect(planes.size))
    guard rect.size.area > 0 else { return }
    let decoding = Decoding(encoding)
    let rows = 64
    let parts = (rect.height + rows - 1) / rows
    let all = try Parallel.map(count: parts, workers: workers) { part in
      let first = rect.y + part * rows
      return decoding.levels(
        planes, x: rect.x..<rect.endX, y: first..<min(first + rows, rect.endY), Self.nits)
    }
    maximum = PQ.nits(signal: Double(all.map(\.signal).max() ?? 0))
    frameAverage = all.reduce(0) { $0 + $1.sum } / Double(rect.size.area)
  }

  /// From codes to the largest channel of the signal.
  private struct Decoding {
    let luma, chroma, lumaOffset, middle: Float
    let crToRed, cbToBlue, cbToGreen, crToGreen: Float
    let shift: (x: Int, y: Int)
    let wordShift: UInt16

    init(_ encoding: VideoEncoding) {
      let step = Float(1 << (encoding.bits - 8))
      let top = Float((1 << encoding.bits) - 1)
      luma = 1 / (encoding.isFullRange ? top : 219 * step)
      chroma = 1 / (encoding.isFullRange ? top : 224 * step)
      lumaOffset = encoding.isFullRange ? 0 : 16 * step
      middle = Float(1 << (encoding.bits - 1))
      let matrix: YCbCrMatrix = encoding.matrix == .bt709 ? .bt709 : .bt2020
      let green = 1 - matrix.red - matrix.blue
      crToRed = 2 * (1 - matrix.red)
      cbToBlue = 2 * (1 - matrix.blue)
      cbToGreen = -matrix.blue * cbToBlue / green
      crToGreen = -matrix.red * crToRed / green
      shift = (encoding.chroma == .yuv444 ? 0 : 1, encoding.chroma == .yuv420 ? 1 : 0)
      wordShift = encoding.bits == 8 ? 8 : 0
    }

    func levels(
      _ planes: YCbCrPlanes, x: Range<Int>, y: Range<Int>, _ nits: [Float]
    ) -> (signal: Float, sum: Double) {
      var (peak, total): (Float, Double) = (0, 0)
      var (cb, cr) = ([Float](), [Float]())
      for y in y {
        let luma = planes.row(0, y)
        read(planes, 1, y, into: &cb)
        read(planes, 2, y, into: &cr)
        var sum: Float = 0
        for x in x {
          let signal = (Float(luma[x] >> wordShift) - lumaOffset) * self.luma
          let (blue, red) = (value(cb, x), value(cr, x))
          let green = cbToGreen * blue + crToGreen * red
          let top = min(max(signal + max(crToRed * red, cbToBlue * blue, green), 0), 1)
          peak = max(peak, top)
          sum += nits[Int(top * 65_535 + 0.5)]
        }
        total += Double(sum)
      }
      return (peak, total)
    }

    /// The samples of plane `plane` at row `y` of luma.
    private func read(_ planes: YCbCrPlanes, _ plane: Int, _ y: Int, into values: inout [Float]) {
      let size = planes.chromaSize
      let above = planes.row(plane, y >> shift.y)
      // Every second row lies between two.
      let below = planes.row(plane, min((y + shift.y) >> shift.y, size.height - 1))
      values = (0..<size.width).map {
        (0.5 * (Float(above[$0] >> wordShift) + Float(below[$0] >> wordShift)) - middle) * chroma
      }
    }

    /// The sample at column `x` of luma.
    private func value(_ row: [Float], _ x: Int) -> Float {
      0.5 * (row[x >> shift.x] + row[min((x + shift.x) >> shift.x, row.count - 1)])
    }
  }
}
