import Formats
import Foundation
import HDRRender
import ImageCore
import PictureLoading
import Readers

/// The HDR declarations of a file, and its picture and map at reduced size.
struct GainMapInfo: Sendable {
  let path: String
  let image: StillImage
  let report: IdentifyReport
  /// The parameters in all formats.
  let parameters: GainMapParameters
  /// The map, upright; nil for none, and where its samples are damaged.
  let map: GainMapImage?
  /// Why the samples of the map cannot be read.
  let damage: String?
  /// log2 of the luminance of the base, upright, in cells; nil where it cannot be decoded.
  let base: CellGrid?

  /// Gains of the complete map in stops, a mean over the channels, in cells.
  let gains: CellGrid?

  /// Longer side of the picture from which cells are averaged.
  private static let smallSide = 256

  init(_ path: String, _ limits: DecodeLimits = DecodeLimits()) throws(DevelopError) {
    do {
      let image = try StillImage(contentsOf: URL(fileURLWithPath: path), limits: limits)
      (self.path, self.image) = (path, image)
      report = IdentifyReport(image, path: path)
      parameters = image.gainMapParameters
      var (map, damage): (GainMapImage?, String?)
      if image.gainMap != nil {
        do { map = try image.uprightGainMapImage() } catch { damage = error.message }
      }
      (self.map, self.damage) = (map, damage)
      gains = image.gainMap.flatMap { info in map.map { Self.gains($0, info.formula) } }
      // Only needed for comparison with a map.
      base =
        map == nil
        ? nil : try Self.grid(image.thumbnail(maxPixelSize: Self.smallSide, .asStored))
    } catch { throw DevelopError(error, path: path) }
  }

  private static func grid(_ picture: DisplayPicture) throws(PixelError) -> CellGrid? {
    guard case .pixels(let linear) = picture.content else { return nil }
    let weights = linear.info.primaries.luminance
    let buffer = try PlanarBuffer(size: linear.size)
    try linear.read(PixelRect(linear.size), into: buffer)
    return CellGrid(linear.size) { x, y in
      let sum = (0..<3).reduce(0) { $0 + weights[$1] * Double(buffer.row($1, y)[x]) }
      return log2(max(sum, 0) + GainMapMetadata.Channel.defaultOffset)
    }
  }

  /// The parameters of ISO 21496-1 with which readers apply the map; nil for Apple's formula.
  var metadata: GainMapMetadata? {
    if case .iso(let metadata) = image.gainMap?.formula { metadata } else { nil }
  }

  /// The primaries in which gains act.
  var actingPrimaries: Primaries {
    let alternate = metadata?.usesBaseColorSpace == false ? image.gainMap?.alternatePrimaries : nil
    return alternate ?? image.color.primaries
  }

  /// Why a declared map cannot be used; nil without such a problem.
  var obstacle: String? { damage ?? image.gainMapNotes.first }

  /// Whether it is HDR in any way.
  var isHDR: Bool { image.isHighDynamicRange || image.gainMap != nil }

  private static func gains(_ map: GainMapImage, _ formula: GainMapPicture.Formula) -> CellGrid {
    let tables = (0..<map.channels).map { channel in
      (0...Int(map.maximumCode)).map { code in
        formula.stops(Double(code) / Double(map.maximumCode), channel: channel)
      }
    }
    return CellGrid(map.size) { x, y in
      let at = (y * map.size.width + x) * map.channels
      var sum = 0.0
      for (channel, table) in tables.enumerated() {
        sum += table[min(Int(map.codes[at + channel]), table.count - 1)]
      }
      return sum / Double(tables.count)
    }
  }
}

extension GainMapPicture.Formula {
  /// The gain of a sample of 0…1 at full weight, in stops.
  fileprivate func stops(_ sample: Double, channel: Int) -> Double {
    switch self {
    case .iso(let metadata):
      let c = metadata.channel(channel)
      return c.minimumStops + (c.maximumStops - c.minimumStops) * pow(sample, 1 / c.gamma)
    case .apple(let headroom):
      return log2(1 + (max(headroom, 1) - 1) * BT709.linear(signal: sample))
    }
  }
}

extension StillKind {
  /// The formats of gain maps that files of this kind hold.
  var gainMapFormats: Set<GainMapFormat> { container?.descriptor.mapFormats ?? [] }

  /// The same kind as a container to write; nil for those that are only read.
  var container: EncoderSettings.Container? { EncoderSettings.Container(rawValue: rawValue) }

  /// Its name for people.
  var name: String {
    container?.descriptor.name ?? (self == .webP ? "WebP" : "Radiance")
  }
}
