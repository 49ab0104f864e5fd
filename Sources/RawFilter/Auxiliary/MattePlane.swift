package import ImageCore

/// A one-channel picture as stored, its place in the frame it belongs to, and the part of that frame
/// that is wanted, in pixels of the picture. Makes that part at any size.
///
/// Source: bilinear interpolation on pixel centres where pixels are spread out, the mean over the
/// exact area where they are brought together, each axis by itself. Values keep their range. What
/// the frame has beyond the stored pixels is 0 (MaskSubArea, DNG 1.7.1); beyond the frame its edge
/// goes on. A whole-pixel window at its own size returns the stored numbers bit for bit.
/// Known failure: enlarging by much shows the bilinear kernel's creases.
package struct MattePlane: Sendable {
  /// A rectangle between pixels.
  package struct Window: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
  }

  /// Columns and rows of the whole frame.
  package let frame: PixelSize
  /// Where the stored pixels lie in the frame.
  package let place: PixelRect
  /// The stored pixels, row by row.
  package let samples: [Float]
  /// The part of the frame that is wanted.
  package let window: Window

  /// The stored `samples` of `place`; there must be as many as it has pixels.
  package init(frame: PixelSize, place: PixelRect, samples: [Float], window: Window) {
    precondition(samples.count == place.size.area, "a plane needs a sample for each pixel")
    self.frame = frame
    self.place = place
    self.samples = samples
    self.window = window
  }

  /// Stored pixels that make one new pixel along an axis, and their weights.
  private struct Taps {
    var start = 0
    var weights: [Float] = []
  }

  /// The window as a picture of `size`.
  package func picture(_ size: PixelSize) -> [Float] {
    if size == place.size, size == frame,
      window == Window(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    {
      return samples
    }
    let columns = Self.taps(
      size.width, origin: window.x, span: window.width, frame: frame.width,
      stored: place.x..<place.endX)
    let rows = Self.taps(
      size.height, origin: window.y, span: window.height, frame: frame.height,
      stored: place.y..<place.endY)
    var result = [Float](repeating: 0, count: size.area)
    var line = [Float](repeating: 0, count: place.width)
    for (y, row) in rows.enumerated() where !row.weights.isEmpty {
      for (k, weight) in row.weights.enumerated() {
        let from = (row.start + k - place.y) * place.width
        for x in 0..<place.width {
          line[x] = weight * samples[from + x] + (k == 0 ? 0 : line[x])
        }
      }
      for (x, column) in columns.enumerated() {
        var sum: Float = 0
        for (k, weight) in column.weights.enumerated() {
          sum += weight * line[column.start + k - place.x]
        }
        result[y * size.width + x] = sum
      }
    }
    return result
  }

  private static func taps(
    _ count: Int, origin: Double, span: Double, frame: Int, stored: Range<Int>
  ) -> [Taps] {
    let step = span / Double(count)
    return (0..<count).map { index in
      step > 1
        ? mean(origin + Double(index) * step, origin + Double(index + 1) * step, frame, stored)
        : between(origin + (Double(index) + 0.5) * step - 0.5, frame, stored)
    }
  }

  /// The stored pixels between `low` and `high`, weighted by how much of each lies there.
  private static func mean(
    _ low: Double, _ high: Double, _ frame: Int, _ stored: Range<Int>
  ) -> Taps {
    let (low, high) = (max(low, 0), min(high, Double(frame)))
    guard high > low else { return Taps() }
    let first = max(Int(low), stored.lowerBound)
    let end = min(Int(high.rounded(.up)), stored.upperBound)
    guard first < end else { return Taps() }
    return Taps(
      start: first,
      weights: (first..<end).map { pixel in
        Float((min(high, Double(pixel + 1)) - max(low, Double(pixel))) / (high - low))
      })
  }

  /// The one or two stored pixels around `position`, 0 being the centre of the first.
  private static func between(_ position: Double, _ frame: Int, _ stored: Range<Int>) -> Taps {
    let position = min(max(position, 0), Double(frame - 1))
    let left = Int(position)
    let share = Float(position - Double(left))
    let weights: [Float] = share == 0 ? [1] : [1 - share, share]
    let inside = (left..<left + weights.count).clamped(to: stored)
    return Taps(start: inside.lowerBound, weights: inside.map { weights[$0 - left] })
  }
}
