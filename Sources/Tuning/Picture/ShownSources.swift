import Formats
import Foundation
import HDRRender
import ImageCore

/// A picture within reference white as the writers of SDR make it: what is brighter is rolled off.
struct RolledOffSource: PixelSource {
  typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let toneMapping: BT2390?
  let info: DisplayReferred.Info

  /// `source`, rolled off where it has headroom.
  init(_ source: any PixelSource<DisplayReferred>) {
    self.source = source
    toneMapping = ColorSpace.sRGB.toneMapping(headroom: source.info.headroom)
    info = DisplayReferred.Info(
      primaries: source.info.primaries, headroom: 1, sources: source.info.sources)
  }

  var size: PixelSize { source.size }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    guard let toneMapping else { return }
    for y in 0..<rect.height { toneMapping.apply(buffer.rows(y)) }
  }
}

/// A picture made darker by some stops, then clipped at reference white.
struct DarkenedSource: PixelSource {
  typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let gain: Float
  let info: DisplayReferred.Info

  /// `source`, `stops` darker, 0…16.
  init(_ source: any PixelSource<DisplayReferred>, stops: Float) {
    self.source = source
    gain = exp2(-min(max(stops, 0), 16))
    info = DisplayReferred.Info(
      primaries: source.info.primaries, headroom: 1, sources: source.info.sources)
  }

  var size: PixelSize { source.size }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      for plane in 0..<3 {
        let row = rows[plane]
        for x in 0..<rect.width { row[x] = min(row[x] * gain, 1) }
      }
    }
  }
}
