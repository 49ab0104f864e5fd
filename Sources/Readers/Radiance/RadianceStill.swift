import Containers
import HDRRender
import ImageCore

/// Radiance pictures (`.hdr`, `.pic`), as linear values with 1.0 at reference white: uncompressed
/// and by both run-length codes.
///
/// Source: G. Ward, "Real Pixels", Graphics Gems II, 1991. A sample of the mantissa m and the
/// shared exponent e is m · 2^(e − 136), black where e is 0; Radiance's own programs add half a
/// step to m; other readers and this one do not. A scan line begins with 2, 2 and its length where
/// the four components follow one after the other in runs of up to 127. Otherwise it consists of
/// four-byte pixels, and 1, 1, 1, n repeats the last one n · 256^k times. Without PRIMARIES, sRGB
/// is assumed, as current programs do; Radiance's own primaries are close to it.
struct RadianceStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let header: RadianceHeader

  /// Maximum pixels per byte for runs of four-byte pixels, where up to three repeat counts in a row
  /// multiply.
  private static let ratio = 1 << 22

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    guard let header = RadianceHeader(file) else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    (self.file, self.policy, self.header) = (file, policy, header)
    var notes: [String] = []
    var info = StillInfo(
      storedSize: header.stored, orientation: header.orientation, bitDepth: 32, channels: 3,
      color: Self.color(header, &notes))
    info.isFloat = true
    if header.hasExposure {
      notes.append("EXPOSURE is already applied to its values; they are read as stored")
    }
    info.notes = notes
    self.info = info
  }

  private static func color(_ header: RadianceHeader, _ notes: inout [String]) -> ColorDescription {
    if header.isXYZ {
      return ColorDescription(
        primaries: .bt2020, transfer: .linear, matrix: Primaries.bt2020.fromXYZ,
        origin: .codePoints, name: "CIE XYZ, linear")
    }
    if let v = header.primaries {
      if let space = ColorDescription.space(
        red: Chromaticity(x: v[0], y: v[1]), green: Chromaticity(x: v[2], y: v[3]),
        blue: Chromaticity(x: v[4], y: v[5]), white: Chromaticity(x: v[6], y: v[7]))
      {
        return ColorDescription(
          primaries: space.0, transfer: .linear, matrix: space.1, origin: .codePoints,
          name: "\(ColorDescription.name(of: space)), linear")
      }
      notes.append("its primaries are invalid; sRGB is assumed")
    }
    return ColorDescription(
      primaries: .srgb, transfer: .linear, origin: .assumed, name: "linear sRGB (assumed)")
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let size = header.stored
    try file.limits.allow(size, channels: 3, .floats, file: file, ratio: Self.ratio)
    // Each scan line takes at least four bytes.
    guard size.height <= file.count / 4 else { throw damaged() }
    return try DecodedSamples(size: size, channels: 3, format: .floats) {
      picture throws(ReadError) in
      if policy.reads(.radianceLine) { picture.clear() }
      var scan = RadianceScan(file, at: header.start, width: size.width)
      for y in 0..<size.height {
        if y % 64 == 0 {
          try ReadError.translating { () throws(FormatError) in try file.checkReading() }
        }
        guard scan.next() else {
          guard y > 0, policy.reads(.radianceLine) else { throw damaged() }
          return picture.add(note: StillInfo.partNote(rows: y, of: size))
        }
        let row = unsafe picture.row(y).assumingMemoryBound(to: Float.self)
        for x in 0..<size.width {
          let rgb = scan.rgb(x)
          for channel in 0..<3 { unsafe row[3 * x + channel] = rgb[channel] }
        }
      }
    }
  }

  private func damaged() -> ReadError {
    ReadError(.damaged, "its pixels are damaged; copy it again", path: file.path)
  }
}
