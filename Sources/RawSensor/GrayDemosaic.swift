import ImageCore
import RawData

/// No filter: the sample of each photosite for all three colors, unchanged.
struct GrayDemosaic: Demosaic {
  let reach = 0

  init() {}

  init?(_ settings: DemosaicSettings) {
    if Self.method(settings.cfa, settings.method) == nil { return nil }
  }

  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod? {
    cfa.channelCount == 1 ? .fast : nil
  }

  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: Void, continues: Bool
  ) {
    for y in rect.y..<rect.endY {
      for c in 0..<3 {
        buffer.row(c, y - origin.y).from(rect.x - origin.x).update(
          from: mosaic.row(y).from(rect.x - mosaic.rect.x), count: rect.width)
      }
    }
  }
}
