import ImageCore
import ImageFilters
import RawFilter

/// A picture with marks drawn over it.
struct MarkedSource: PixelSource {
  typealias State = DisplayReferred

  private let source: any PixelSource<DisplayReferred>
  private let marks: [OverlayMark]
  private let pool = BufferPool()

  /// `source` with `marks`, the last on top; each is made of a picture of the same size.
  init(_ source: any PixelSource<DisplayReferred>, _ marks: [OverlayMark]) {
    (self.source, self.marks) = (source, marks)
  }

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for mark in marks {
      try pool.withBuffer(rect.size) { found throws(PixelError) in
        try mark.source.read(rect, into: found)
        for y in 0..<rect.height {
          let (from, to) = (found.rows(y), buffer.rows(y))
          for x in 0..<rect.width {
            guard let color = mark.color(SIMD3(from.red[x], from.green[x], from.blue[x])) else {
              continue
            }
            (to.red[x], to.green[x], to.blue[x]) = (color.x, color.y, color.z)
          }
        }
      }
    }
  }
}

/// The marked pixels, by the values of another picture with the same geometry.
struct OverlayMark: Sendable {
  /// The other picture.
  let source: any PixelSource<DisplayReferred>
  /// The color of the mark, linear, for a pixel of that picture; nil for none.
  let color: @Sendable (SIMD3<Float>) -> SIMD3<Float>?
}

extension OverlayMark {
  /// Saturated photosites, `saturated` having 0 where a channel has none: in red, green and blue,
  /// in their mixtures where two are saturated, white for all. `threshold`: the fraction of a pixel
  /// that counts.
  static func sensorClipping(
    _ saturated: any PixelSource<DisplayReferred>, threshold: Float
  ) -> OverlayMark {
    OverlayMark(source: saturated) { fraction in
      let isSaturated = fraction .>= SIMD3(repeating: threshold)
      guard any(isSaturated) else { return nil }
      return SIMD3<Float>.zero.replacing(with: 1, where: isSaturated)
    }
  }

  /// Colors outside of the gamut of `unmapped`, whose values are in its primaries and have not been
  /// mapped into them: a channel so far below 0 that a code of 8 bits shows it.
  static func gamut(_ unmapped: any PixelSource<DisplayReferred>) -> OverlayMark {
    let mark = linear(TuningMarks.gamut)
    return OverlayMark(source: unmapped) { rgb in
      rgb.min() < -max(0.002 * rgb.max(), 0.0005) ? mark : nil
    }
  }

  /// Luminances of the HDR rendition above reference white, in steps of a stop; the last has no
  /// end.
  static func highlights(_ rendition: any PixelSource<DisplayReferred>) -> OverlayMark {
    let weights = SIMD3<Float>(rendition.info.primaries.luminance)
    let marks = TuningMarks.highlights.map(linear)
    return OverlayMark(source: rendition) { rgb in
      let luminance = (rgb * weights).sum()
      guard luminance > 1 + 1e-5 else { return nil }
      var zone = 0
      while zone + 1 < marks.count, luminance > Float(2 << zone) { zone += 1 }
      return marks[zone]
    }
  }

  private static func linear(_ color: SIMD3<UInt8>) -> SIMD3<Float> {
    func rgb(_ code: UInt8) -> Float { Float(SRGB.linear(signal: Double(code) / 255)) }
    return SIMD3(rgb(color.x), rgb(color.y), rgb(color.z))
  }
}

/// Colors of marks, 8-bit codes of the picture that they are drawn in.
package enum TuningMarks {
  /// Colors outside of the gamut.
  package static let gamut = SIMD3<UInt8>(255, 0, 153)
  /// Up to one, two, three and four stops above reference white, and more.
  package static let highlights: [SIMD3<UInt8>] = [
    SIMD3(0, 153, 255), SIMD3(0, 204, 68), SIMD3(255, 187, 0), SIMD3(255, 51, 0),
    SIMD3(136, 0, 204),
  ]
}

extension TuningRendering {
  /// `displayed`, the view of `plan` by `filter`, with the marks that `request` asks for.
  func marked(
    _ displayed: any PixelSource<DisplayReferred>, _ request: TuningRequest, _ view: TuningView,
    _ filter: RAWFilter, _ plan: DevelopPlan
  ) throws -> any PixelSource<DisplayReferred> {
    var marks: [OverlayMark] = []
    if request.overlays.contains(.highlights) {
      var (high, _) = try self.filter(
        view.settings, isHDR: true, filter.outputPrimaries, limit: request.headroomLimit,
        allowsDraft: request.allowsDraft)
      high.scaleFactor = filter.scaleFactor
      marks.append(.highlights(PartSource(try high.plan().rendition(), view.rect)))
    }
    if request.overlays.contains(.gamut) {
      var unmapped = filter
      unmapped.outputPrimaries = request.isWideGamut ? .displayP3 : .srgb
      unmapped.isGamutMappingEnabled = false
      marks.append(.gamut(PartSource(try unmapped.plan().rendition(), view.rect)))
    }
    if request.overlays.contains(.sensorClipping) {
      let saturated = PartSource(try plan.saturatedPixels(), view.rect)
      marks.append(.sensorClipping(saturated, threshold: plan.minSaturated))
    }
    return marks.isEmpty ? displayed : MarkedSource(displayed, marks)
  }
}
