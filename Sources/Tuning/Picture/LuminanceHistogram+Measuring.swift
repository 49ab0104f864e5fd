import Foundation
import ImageCore

extension LuminanceHistogram {
  /// Stops of the first bin and after the last one.
  private static let stops = -12...6
  private static let perStop = 8

  /// The histogram of `picture`, 1.0 = reference white, which is read completely on up to `workers`
  /// threads.
  init(_ picture: any PixelSource<DisplayReferred>, workers: Int) throws {
    let bins = StopBins(stops: Self.stops, perStop: Self.perStop)
    let weights = SIMD3<Float>(picture.info.primaries.luminance)
    let (size, height, pool) = (picture.size, 128, BufferPool())
    let parts = try Parallel.map(count: (size.height + height - 1) / height, workers: workers) {
      band throws(PixelError) in
      let rect = PixelRect(
        x: 0, y: band * height, width: size.width, height: min(height, size.height - band * height))
      return try pool.withBuffer(rect.size) { buffer throws(PixelError) in
        try picture.read(rect, into: buffer)
        var counts = [[Int32]](repeating: [Int32](repeating: 0, count: bins.count), count: 4)
        for plane in 0..<3 {
          for y in 0..<rect.height {
            bins.add(buffer.row(plane, y), rect.width, to: &counts[plane])
          }
        }
        var statistics = ContentLightStatistics()
        statistics.add(buffer)
        for y in 0..<rect.height {
          let rows = buffer.rows(y)
          for x in 0..<rect.width {
            rows.red[x] =
              rows.red[x] * weights.x + rows.green[x] * weights.y + rows.blue[x] * weights.z
          }
          bins.add(rows.red, rect.width, to: &counts[3])
        }
        return (counts, statistics.contentHeadroom)
      }
    }
    let total = Float(max(size.area, 1))
    func fractions(_ channel: Int) -> [Float] {
      (0..<bins.count).map { bin in
        Float(parts.reduce(0) { $0 + Int($1.0[channel][bin]) }) / total
      }
    }
    self.init(
      firstStop: Float(Self.stops.lowerBound), binsPerStop: Self.perStop, red: fractions(0),
      green: fractions(1), blue: fractions(2), luminance: fractions(3), saturated: [0, 0, 0],
      contentHeadroom: parts.map(\.1).max() ?? 0)
  }
}

/// Bins of equal parts of a stop, found by the exponent of a value and the first bits of its
/// mantissa: no logarithm for each pixel.
struct StopBins: Sendable {
  /// Bins.
  let count: Int
  /// Lower edges of all bins but the first.
  private let edges: [Float]
  /// The bin of the smallest value that starts with these 16 bits.
  private let bins: [UInt8]

  /// `perStop` bins for each of `stops`, relative to reference white; at most 255.
  init(stops: ClosedRange<Int>, perStop: Int) {
    count = (stops.upperBound - stops.lowerBound) * perStop
    let edges = (1..<count).map {
      Float(exp2(Double(stops.lowerBound) + Double($0) / Double(perStop)))
    }
    var (bins, bin) = ([UInt8](), 0)
    for high in 0..<1 << 15 {
      let value = Float(bitPattern: UInt32(high) << 16)
      while bin < edges.count, value >= edges[bin] { bin += 1 }
      bins.append(UInt8(bin))
    }
    self.edges = edges + [.infinity]
    self.bins = bins
  }

  /// The bin of `value`; the first for what is below it, negative, or no number.
  func bin(_ value: Float) -> Int {
    guard value > 0 else { return 0 }
    let bin = Int(bins[Int(value.bitPattern >> 16)])
    // Bins are wider than what values with the same first bits cover.
    return value >= edges[min(bin, edges.count - 1)] ? min(bin + 1, count - 1) : bin
  }

  /// Counts the first `width` values of `row`.
  fileprivate func add(_ row: MutableRowView, _ width: Int, to counts: inout [Int32]) {
    for x in 0..<width { counts[bin(row[x])] += 1 }
  }
}
