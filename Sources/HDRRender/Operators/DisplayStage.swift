import CKernels
import ImageCore

/// A picture after the last operator before a display, rectangle by rectangle.
struct DisplayStage: PixelSource {
  typealias State = DisplayReferred

  enum Operation: Sendable {
    /// Mapped, then fitted into the display's headroom.
    case toneMap(ReferenceWhiteToneMapping)
    /// Pixels above the limit scaled down to it, hue preserved.
    case fit(Float)
    /// Each channel clipped at the limit.
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
    info = DisplayReferred.Info(
      primaries: source.info.primaries, headroom: headroom, sources: source.info.sources)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      switch operation {
      case .toneMap(let mapping):
        mapping.apply(rows)
        Self.fit(rows, limit: Float(mapping.displayHeadroom))
      case .fit(let limit): Self.fit(rows, limit: limit)
      case .cut(let limit): Self.cut(rows, limit: limit)
      case .reference(let clip): clip.apply(rows)
      }
    }
  }

  private static func fit(_ rows: RGBRows, limit: Float) {
    ck_fitRow(limit, rows.kernel, Int64(rows.count))
  }

  private static func cut(_ rows: RGBRows, limit: Float) {
    ck_cutRow(limit, rows.kernel, Int64(rows.count))
  }
}
