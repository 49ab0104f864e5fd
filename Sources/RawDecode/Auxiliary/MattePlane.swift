package import ImageCore

/// A one-channel picture as stored, its position in its frame, and the requested window of that
/// frame, in pixels of the picture. Renders the window at any size.
///
/// Source: bilinear interpolation between pixel centers for enlargement, exact area mean for
/// reduction, separably. Values keep their range. Parts of the frame outside the stored pixels are
/// 0 (MaskSubArea, DNG 1.7.1); the frame's edge is repeated outside it. A pixel-aligned window at
/// its own size returns the stored values bit for bit. Known failure: strong enlargement shows the
/// creases of the bilinear kernel.
package struct MattePlane: Sendable {
  /// A rectangle with fractional edges.
  package struct Window: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
  }

  /// Columns and rows of the full frame.
  package let frame: PixelSize
  /// Position of the stored pixels in the frame.
  package let stored: PixelRect
  /// The stored pixels, row by row.
  package let samples: [Float]
  /// The requested part of the frame.
  package let window: Window

  /// The `samples` of the part `stored`, one for each pixel.
  package init(frame: PixelSize, stored: PixelRect, samples: [Float], window: Window) {
    precondition(samples.count == stored.size.area, "a plane needs a sample for each pixel")
    self.frame = frame
    self.stored = stored
    self.samples = samples
    self.window = window
  }

  /// One axis: the stored pixels that contribute to each new pixel, and their weights.
  private struct Taps {
    /// Index of the first stored pixel of each new pixel.
    var starts: [Int] = []
    /// Start of the weights of each new pixel, and the end of the last.
    var bounds = [0]
    var weights: [Float] = []

    mutating func append(_ pixels: Range<Int>, of stored: Range<Int>, _ weight: (Int) -> Double) {
      starts.append(pixels.isEmpty ? 0 : pixels.lowerBound - stored.lowerBound)
      for pixel in pixels { weights.append(Float(weight(pixel))) }
      bounds.append(weights.count)
    }

    /// Appends every new pixel of a row, computed from the stored row `line`, to `picture`.
    func mix(_ line: Span<Float>, into picture: inout [Float]) {
      let weights = weights.span
      for x in starts.indices {
        var sum: Float = 0
        var from = starts[x]
        for k in bounds[x]..<bounds[x + 1] {
          sum += unsafe weights[unchecked: k] * line[unchecked: from]
          from += 1
        }
        picture.append(sum)
      }
    }
  }

  /// The window as a picture of `size`.
  package func picture(_ size: PixelSize) -> [Float] {
    if size == stored.size, size == frame,
      window == Window(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    {
      return samples
    }
    let columns = Self.taps(
      size.width, origin: window.x, span: window.width, frame: frame.width,
      stored: stored.x..<stored.endX)
    let rows = Self.taps(
      size.height, origin: window.y, span: window.height, frame: frame.height,
      stored: stored.y..<stored.endY)
    var line = [Float](repeating: 0, count: stored.width)
    var picture: [Float] = []
    picture.reserveCapacity(size.area)
    for y in 0..<size.height {
      mix(rows, y, into: &line)
      columns.mix(line.span, into: &picture)
    }
    return picture
  }

  /// The weighted sum of the stored rows for row `y`.
  private func mix(_ rows: Taps, _ y: Int, into line: inout [Float]) {
    for x in line.indices { line[x] = 0 }
    var from = rows.starts[y] * line.count
    for k in rows.bounds[y]..<rows.bounds[y + 1] {
      let weight = rows.weights[k]
      let stored = samples.span.extracting(from..<from + line.count)
      var mixed = line.mutableSpan
      for x in mixed.indices {
        unsafe mixed[unchecked: x] += weight * stored[unchecked: x]
      }
      from += stored.count
    }
  }

  private static func taps(
    _ count: Int, origin: Double, span: Double, frame: Int, stored: Range<Int>
  ) -> Taps {
    var taps = Taps()
    let step = span / Double(count)
    for index in 0..<count {
      if step > 1 {
        // The fraction of each pixel between the edges of the new one.
        let low = max(origin + Double(index) * step, 0)
        let high = max(min(origin + Double(index + 1) * step, Double(frame)), low)
        let cover = AreaCoverage(from: low, to: high, of: frame)
        let pixels = high > low ? cover.pixels.clamped(to: stored) : 0..<0
        taps.append(pixels, of: stored) { cover[$0] / (high - low) }
      } else {
        // The one or two nearest pixel centers; 0 is the center of the first.
        let position = min(
          max(origin + (Double(index) + 0.5) * step - 0.5, 0), Double(frame - 1))
        let left = Int(position)
        let fraction = position - Double(left)
        let pixels = (left..<left + (fraction == 0 ? 1 : 2)).clamped(to: stored)
        taps.append(pixels, of: stored) { $0 == left ? 1 - fraction : fraction }
      }
    }
    return taps
  }
}
