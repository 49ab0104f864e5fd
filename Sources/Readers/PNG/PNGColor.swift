import Containers
import ImageCore

/// The color encoding of a PNG (third edition, 4.3): cICP, else iCCP, else sRGB, else gAMA and
/// cHRM, else sRGB is assumed.
struct PNGColor: Sendable {
  var color: ColorDescription
  /// Whether samples are narrow range, 16…235 of 8 bits.
  var isNarrow = false
  var notes: [String] = []

  init(_ chunks: PNGChunks) {
    var notes: [String] = []
    defer { self.notes = notes }
    if let c = chunks.payload(PNGChunk.codePoints, length: 4) {
      if c[2] == 0, c[3] <= 1,
        let found = ColorDescription(
          primaries: UInt16(c[0]), transfer: UInt16(c[1]), matrix: UInt16(c[2]))
      {
        color = found
        // Of HDR it may hold more than colors.
        if found.isHighDynamicRange, chunks.hasProfile { color.profile = chunks.profile }
        isNarrow = c[3] == 0
        return
      }
      notes.append("its cICP code points are not supported and were left out")
    }
    if chunks.hasProfile {
      if let found = chunks.profile.flatMap(ICCReader.description) {
        color = found
        return
      }
      notes.append(ICCReader.damagedNote)
    }
    if chunks.payload("sRGB", length: 1) != nil {
      color = ColorDescription(
        primaries: .srgb, transfer: .srgb, origin: .codePoints, name: "sRGB")
      return
    }
    color = Self.plain(chunks) ?? .assumed
  }

  /// gAMA, the encoding exponent, and cHRM; nil when both are missing.
  private static func plain(_ chunks: PNGChunks) -> ColorDescription? {
    func values(_ name: String, _ count: Int) -> [Double]? {
      chunks.payload(name, length: 4 * count).map { bytes in
        var cursor = ByteCursor(bytes)
        return (0..<count).map { _ in Double(cursor.integer(UInt32.self) ?? 0) / 100_000 }
      }
    }
    var transfer: ColorDescription.Transfer?
    if let power = values("gAMA", 1)?.first, (0.1...10).contains(power) {
      // Five digits of the exponent give two of its inverse.
      let exponent = (100 / power).rounded() / 100
      let exact = abs(1 / power - exponent) < 1e-3 ? exponent : 1 / power
      transfer = exact == 1 ? .linear : .gamma(exact)
    }
    let space = values("cHRM", 8).flatMap { v in
      ColorDescription.space(
        red: Chromaticity(x: v[2], y: v[3]), green: Chromaticity(x: v[4], y: v[5]),
        blue: Chromaticity(x: v[6], y: v[7]), white: Chromaticity(x: v[0], y: v[1]))
    }
    guard transfer != nil || space != nil else { return nil }
    let name = space.map(ColorDescription.name(of:)) ?? Primaries.srgb.name
    return ColorDescription(
      primaries: space?.0 ?? .srgb, transfer: transfer ?? .srgb, matrix: space?.1 ?? .identity,
      origin: .codePoints, name: "\(name), \((transfer ?? .srgb).name)")
  }
}
