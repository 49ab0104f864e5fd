import ImageCore
import RawData

/// Full color from any color filter pattern, also of four colors.
///
/// Source: Shepard (1968): the mean of the nearest photosites of each color, weighted by one over
/// the squared distance, over the smallest square that holds the color. For Bayer that is bilinear
/// interpolation. Domain: as of `scale`. Known failures: soft, and colored at edges.
struct PatternDemosaic: Demosaic {
  let reach: Int

  /// A photosite and its weight in the mean of a missing color.
  private struct Tap: Sendable {
    let dx: Int
    let dy: Int
    let weight: Float
  }

  private let cfa: CFA
  private let scale: DemosaicScale
  private let matrix: ChannelMatrix
  /// For each position of the pattern and each channel.
  private let taps: [[Tap]]

  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod? {
    cfa.channelCount > 1 ? .fast : nil
  }

  init(_ settings: DemosaicSettings) {
    let cfa = settings.cfa
    self.cfa = cfa
    scale = settings.scale
    matrix = settings.matrix
    var widest = 0
    var taps: [[Tap]] = []
    for index in 0..<cfa.width * cfa.height {
      for channel in 0..<cfa.channelCount {
        let found = Self.taps(cfa, index % cfa.width, index / cfa.width, channel)
        for tap in found { widest = max(widest, abs(tap.dx), abs(tap.dy)) }
        taps.append(found)
      }
    }
    self.taps = taps
    reach = widest
  }

  private static func taps(_ cfa: CFA, _ x: Int, _ y: Int, _ channel: Int) -> [Tap] {
    if cfa.channel(x: x, y: y) == channel { return [Tap(dx: 0, dy: 0, weight: 1)] }
    for radius in 1..<max(cfa.width, cfa.height, 2) {
      var found: [Tap] = []
      for dy in -radius...radius {
        for dx in -radius...radius {
          if cfa.channel(at: x + dx, y + dy) == channel {
            found.append(Tap(dx: dx, dy: dy, weight: 1 / Float(dx * dx + dy * dy)))
          }
        }
      }
      let sum = found.reduce(0) { $0 + $1.weight }
      if sum > 0 {
        return found.map { Tap(dx: $0.dx, dy: $0.dy, weight: $0.weight / sum) }
      }
    }
    return []
  }

  /// One row: the fourth color.
  func workspace(for rect: PixelRect, last: TilePlane?) -> TilePlane { last ?? TilePlane() }

  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ fourth: TilePlane, continues: Bool
  ) throws(PixelError) {
    let area = rect.expanded(by: reach)
    for y in area.y..<area.endY {
      let row = mosaic.row(y).from(area.x - mosaic.rect.x)
      for i in 0..<area.width { row[i] = scale.forward(row[i]) }
    }
    let channels = cfa.channelCount
    try fourth.reshape(PixelRect(x: rect.x, y: 0, width: rect.width, height: 1))
    for y in rect.y..<rect.endY {
      for channel in 0..<max(channels, 3) {
        let out =
          channel < 3
          ? buffer.row(channel, y - origin.y).from(rect.x - origin.x) : fourth.row(0)
        for phase in 0..<min(cfa.width, rect.width) {
          let position =
            floorModulo(y, cfa.height) * cfa.width + floorModulo(rect.x + phase, cfa.width)
          let sources = channel < channels ? taps[position * channels + channel] : []
          interpolate(mosaic, rect, y, phase, sources, into: out)
        }
      }
      if channels == 4 {
        matrix.apply(
          buffer.rows(y - origin.y).from(rect.x - origin.x).prefix(rect.width),
          fourth: fourth.row(0))
      }
    }
  }

  private func interpolate(
    _ mosaic: TilePlane, _ rect: PixelRect, _ y: Int, _ phase: Int, _ taps: [Tap],
    into out: MutableRowView
  ) {
    let row = mosaic.row(y).from(rect.x - mosaic.rect.x)
    let step = cfa.width
    var x = phase
    while x < rect.width {
      out[x] = 0
      x &+= step
    }
    for tap in taps {
      let source = row.from(tap.dy * mosaic.stride + tap.dx)
      x = phase
      while x < rect.width {
        out[x] += source[x] * tap.weight
        x &+= step
      }
    }
    x = phase
    while x < rect.width {
      out[x] = scale.inverse(out[x])
      x &+= step
    }
  }
}
