import Foundation
import RawFilter

/// A profile gain table map as JSON: sizes, positions, weights, and all gains as an array of rows
/// of columns of points (`numpy.array(json["gains"])`).
struct GainTableMapFile {
  private struct Contents: Encodable {
    var version: Int
    var rows: Int
    var columns: Int
    var points: Int
    /// Vertical, horizontal.
    var spacing: [Double]
    /// Vertical, horizontal.
    var origin: [Double]
    var weights: [Float]
    var gamma: Float
    var byteOrder: String
    /// Written at this point of the JSON.
    var gains: [Float] = []
  }

  /// Bytes of JSON that are buffered before they are written.
  private static let chunkBytes = 1 << 16

  private let stored: StoredGainTableMap

  init(_ stored: StoredGainTableMap) { self.stored = stored }

  /// Passes the JSON to `put` in chunks: a map may hold millions of gains in a byte each, and
  /// their text takes a multiple of that.
  func write(to put: ([UInt8]) throws -> Void) throws {
    let map = stored.map
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let frame = try encoder.encode(
      Contents(
        version: stored.version, rows: map.rows, columns: map.columns, points: map.points,
        spacing: [map.spacing.y, map.spacing.x], origin: [map.origin.y, map.origin.x],
        weights: map.weights, gamma: map.gamma, byteOrder: stored.bigEndian ? "big" : "little"))
    let parts = String(decoding: frame, as: UTF8.self).components(separatedBy: "\"gains\":[]")
    var chunk = Array("\(parts[0])\"gains\":[".utf8)
    for row in 0..<map.rows {
      chunk += Array(row == 0 ? "[".utf8 : ",[".utf8)
      for column in 0..<map.columns {
        let cell = (row * map.columns + column) * map.points
        chunk += Array(column == 0 ? "[".utf8 : ",[".utf8)
        for (point, gain) in map.gains[cell..<cell + map.points].enumerated() {
          if point > 0 { chunk.append(UInt8(ascii: ",")) }
          let text = "\(gain)"
          chunk += Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
        }
        chunk.append(UInt8(ascii: "]"))
        guard chunk.count >= Self.chunkBytes else { continue }
        try put(chunk)
        chunk.removeAll(keepingCapacity: true)
      }
      chunk.append(UInt8(ascii: "]"))
    }
    try put(chunk + Array("]\(parts.dropFirst().joined())".utf8))
  }
}
