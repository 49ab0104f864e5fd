import CVector
import ImageCore

/// A picture after the last operator before a display, rectangle by rectangle.
struct DisplayStage: PixelSource {
  typealias State = DisplayReferred

  enum Operation: Sendable {
    /// Mapped, then fitted into the display's headroom.
    case toneMap(ReferenceWhiteToneMapping)
    /// Pixels above the limit scaled down to it, hue kept.
    case fit(Float)
    /// Each channel cut at the limit.
    case cut(Float)
    case reference(ReferenceClip)
  }

  private let source: any PixelSource<DisplayReferred>
  private let operation: Operation
  let info: DisplayReferred.Info

  var size: PixelSize { source.size }
  var bandHeight: Int { source.bandHeight }

  init(_ source: any PixelSource<DisplayReferred>, _ operation: Operation) {
    self.source = source
    self.operation = operation
    let headroom =
      switch operation {
      case .toneMap(let mapping): min(source.info.headroom, Float(mapping.displayHeadroom))
      case .fit(let limit), .cut(let limit): min(source.info.headroom, limit)
      case .reference(let clip): clip.headroom
      }
    info = DisplayReferred.Info(primaries: source.info.primaries, headroom: headroom)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      switch operation {
      case .toneMap(let mapping):
        mapping.apply(r, g, b, count: rect.width)
        Self.fit(r, g, b, count: rect.width, limit: Float(mapping.displayHeadroom))
      case .fit(let limit): Self.fit(r, g, b, count: rect.width, limit: limit)
      case .cut(let limit):
        for row in [r, g, b] { Self.cut(row, count: rect.width, limit: limit) }
      case .reference(let clip): clip.apply(r, g, b, count: rect.width)
      }
    }
  }

  private static func fit(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int, limit: Float
  ) {
    let top = SIMD8<Float>(repeating: limit)
    var x = 0
    while x < count {
      let (red, green, blue) = (cv_load8(r + x), cv_load8(g + x), cv_load8(b + x))
      let most = cv_max8(cv_max8(red, green), blue)
      if any(most .> top) {
        let gain = SIMD8<Float>(repeating: 1).replacing(with: top / most, where: most .> top)
        cv_store8(r + x, cv_min8(red * gain, top))
        cv_store8(g + x, cv_min8(green * gain, top))
        cv_store8(b + x, cv_min8(blue * gain, top))
      }
      x &+= 8
    }
  }

  private static func cut(_ row: UnsafeMutablePointer<Float>, count: Int, limit: Float) {
    let top = SIMD8<Float>(repeating: limit)
    var x = 0
    while x < count {
      cv_store8(row + x, cv_min8(cv_number8(cv_load8(row + x)), top))
      x &+= 8
    }
  }
}
