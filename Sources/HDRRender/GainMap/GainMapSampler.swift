import ImageCore

/// A gain map stretched over its picture, row by row.
///
/// Source: bilinear interpolation of the stored samples, before any other step, with the areas of
/// map and picture aligned: pixel x of W lies at (x + ½) · w / W − ½ of w columns; edges are
/// repeated. First between two rows, then between columns, so a pixel has the same bits in every
/// rectangle. Known failure: a map that is larger than its picture is sampled, not averaged.
struct GainMapSampler: Sendable {
  private let map: GainMapImage
  private let picture: PixelSize
  private let scale: Float
  /// For each column of the picture: the map's column to the left, and the weight of the next one.
  private let left: [Int32]
  private let weight: [Float]

  init(_ map: GainMapImage, over picture: PixelSize) {
    self.map = map
    self.picture = picture
    scale = 1 / Float(map.maximumCode)
    let positions = (0..<picture.width).map {
      Self.position($0, of: picture.width, in: map.size.width)
    }
    left = positions.map { Int32($0.index) }
    weight = positions.map(\.weight)
  }

  private static func position(_ pixel: Int, of count: Int, in samples: Int) -> (
    index: Int, weight: Float
  ) {
    let position = (Double(pixel) + 0.5) * Double(samples) / Double(count) - 0.5
    let clamped = min(max(position, 0), Double(samples - 1))
    let index = Int(clamped)
    return (index, Float(clamped - Double(index)))
  }

  /// Number of samples of the `line` of ``read(y:x:count:line:rows:)``.
  func lineLength(x: Int, count: Int) -> Int {
    guard count > 0 else { return 0 }
    return (Int(left[x + count - 1]) - Int(left[x]) + 2) * map.channels
  }

  /// The map's values, 0…1, for `count` pixels of row `y` from column `x` on, a row for each
  /// channel. `line` is working memory of ``lineLength(x:count:)`` samples.
  func read(
    y: Int, x: Int, count: Int, line: MutableRowView,
    rows: [MutableRowView]
  ) {
    guard count > 0 else { return }
    let (channels, first) = (map.channels, Int(left[x]))
    let row = Self.position(y, of: picture.height, in: map.size.height)
    // The edge is repeated where a map has a single row or column.
    let columns = min(Int(left[x + count - 1]) + 2, map.size.width) - first
    let below = min(row.index + 1, map.size.height - 1)
    map.codes.withUnsafeBufferPointer { codes in
      let top = (row.index * map.size.width + first) * channels
      let bottom = (below * map.size.width + first) * channels
      for i in 0..<columns * channels {
        let (a, b) = (Float(codes[top + i]), Float(codes[bottom + i]))
        line[i] = (a + (b - a) * row.weight) * scale
      }
    }
    let last = columns - 1
    left.withUnsafeBufferPointer { left in
      weight.withUnsafeBufferPointer { weight in
        for channel in 0..<channels {
          let out = rows[channel]
          for i in 0..<count {
            let at = Int(left[x + i]) - first
            let a = line[at * channels + channel]
            let b = line[min(at + 1, last) * channels + channel]
            out[i] = a + (b - a) * weight[x + i]
          }
        }
      }
    }
  }
}
