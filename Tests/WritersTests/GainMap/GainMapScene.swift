import CTurboJPEG
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Writers

/// A scene in two renditions, and the map from one to the other.
struct GainMapScene {
  let standard: AnalyticPicture
  let high: AnalyticPicture
  let created: GainMapCreation.Result

  var map: StoredGainMap { StoredGainMap(created, alternatePrimaries: high.info.primaries) }

  /// Smooth values up to four times reference white; the standard rendition rolls it off to 1 by
  /// m (1 + m/16) / (1 + m) of the largest channel m.
  init(
    _ width: Int, _ height: Int, kind: GainMapCreation.Kind = .luminance, isBaseHDR: Bool = false,
    primaries: Primaries = .displayP3
  ) throws {
    let linear = AnalyticPicture.smooth(width, height, headroom: 4).linear
    high = AnalyticPicture(width, height, headroom: 4, primaries: primaries, linear)
    standard = AnalyticPicture(width, height, primaries: primaries) { x, y in
      let color = linear(x, y)
      let m = color.max()
      return color * ((1 + m / 16) / (1 + m))
    }
    created = try GainMapCreation(kind: kind, isBaseHDR: isBaseHDR).map(from: standard, to: high)
  }

  /// Mean distance of a rendition from the high one in stops, over all channels of every third
  /// pixel.
  func error(of rendition: any PixelSource<DisplayReferred>) throws -> Double {
    try Self.error(of: rendition, to: high)
  }

  static func error(
    of rendition: any PixelSource<DisplayReferred>, to wanted: AnalyticPicture
  ) throws -> Double {
    let buffer = try PlanarBuffer(size: rendition.size)
    try rendition.read(PixelRect(rendition.size), into: buffer)
    var (sum, count) = (0.0, 0)
    for y in stride(from: 1, to: rendition.size.height, by: 3) {
      for x in stride(from: 1, to: rendition.size.width, by: 3) {
        let linear = wanted.linear(x, y)
        for plane in 0..<3 {
          let got = max(Double(buffer.row(plane, y)[x]), 0)
          sum += abs(log2((got + 1 / 64) / (Double(linear[plane]) + 1 / 64)))
          count += 1
        }
      }
    }
    return sum / Double(count)
  }

  /// The error in stops of the standard rendition that the map of a PQ picture leads down to.
  func standardError(ofPQ bytes: [UInt8]) throws -> Double {
    let decoded = try DecodedHEIF(bytes)
    let top = Double(1 << decoded.bits - 1)
    let linear = AnalyticPicture(decoded.size.width, decoded.size.height, headroom: 4) { x, y in
      let code = decoded[x, y]
      return SIMD3(
        (0..<3).map { Float(PQ.nits(signal: Double(code[$0]) / top) / ReferenceWhite.nits) })
    }
    let picture = GainMapPicture(
      base: linear, map: try DecodedHEIF.gainMap(bytes, channels: 1),
      formula: .iso(try ParsedHEIF(bytes).gainMapRecord))
    return try Self.error(of: picture.rendition(displayHeadroom: 1), to: standard)
  }

  /// Codes of eight bits as linear values.
  static func linear(
    _ codes: [UInt8], size: PixelSize, primaries: Primaries = .displayP3
  ) throws -> Image<DisplayReferred> {
    let table = (0...255).map { Float(SRGB.linear(signal: Double($0) / 255)) }
    return try Image(
      size: size, info: DisplayReferred.Info(primaries: primaries, headroom: 1)
    ) { planes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          for plane in 0..<3 {
            planes.row(plane, y)[x] = table[Int(codes[3 * (y * size.width + x) + plane])]
          }
        }
      }
    }
  }
}

/// A JPEG as TurboJPEG reads it, and its segments.
struct DecodedJPEG {
  let size: PixelSize
  let channels: Int
  /// Interleaved.
  let codes: [UInt8]
  /// Markers and contents of the segments before the scan, in order.
  let segments: [(marker: UInt8, body: [UInt8])]
  /// Where the contents of each segment start.
  let offsets: [Int]

  struct Failure: Error {}

  init(_ bytes: [UInt8]) throws {
    guard let handle = tjInitDecompress() else { throw Failure() }
    defer { tjDestroy(handle) }
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      tjDecompressHeader3(
        handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0
    else { throw Failure() }
    size = PixelSize(width: Int(width), height: Int(height))
    channels = space == TJCS_GRAY.rawValue ? 1 : 3
    var codes = [UInt8](repeating: 0, count: size.area * channels)
    guard
      tjDecompress2(
        handle, bytes, UInt(bytes.count), &codes, width, 0, height,
        channels == 1 ? TJPF_GRAY.rawValue : TJPF_RGB.rawValue,
        Int32(TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING)) == 0
    else { throw Failure() }
    self.codes = codes
    var (at, segments, offsets) = (2, [(UInt8, [UInt8])](), [Int]())
    while bytes[at + 1] != 0xDA {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      segments.append((bytes[at + 1], Array(bytes[(at + 4)..<(at + 2 + length)])))
      offsets.append(at + 4)
      at += 2 + length
    }
    (self.segments, self.offsets) = (segments, offsets)
  }

  /// Index of the first segment whose contents start like this.
  func index(_ name: String) -> Int? {
    segments.firstIndex { $0.body.starts(with: name.utf8) }
  }
  /// The bytes after the name in the first such segment.
  func body(_ name: String) -> [UInt8]? {
    index(name).map { Array(segments[$0].body.dropFirst(name.utf8.count)) }
  }
}
