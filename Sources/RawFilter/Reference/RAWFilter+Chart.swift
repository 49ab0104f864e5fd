package import Charts
import Foundation
import ImageCore
package import RawDecode

/// A ColorChecker in a raw.
package struct ChartMeasurement: Sendable, Hashable {
  /// Linear camera values of each patch without white balance, 1 at the end of the samples' range,
  /// normalized to the illumination at the chart's center.
  package let camera: [SIMD3<Double>]
  /// The same under the illumination of each patch.
  package let asLit: [SIMD3<Double>]
  /// The reading with its uniformity of illumination.
  package let reading: ChartReading
  /// The centers of dark skin, bluish green, black and white in pixels of the upright picture.
  package let corners: [SIMD2<Double>]
}

extension RAWFilter {
  /// The color model in use; nil without colors.
  package var colorModel: CameraProfile? { profile }

  /// The ColorChecker Classic in the picture: with the centers of dark skin, bluish green, black
  /// and white at `corners`, in pixels of the upright picture at native size, or detected. Throws
  /// if there is none, or it is clipped or too unevenly lit.
  package func chart(
    _ reference: ColorChecker = .after2014, corners: [SIMD2<Double>]? = nil
  ) throws(RAWError) -> ChartMeasurement {
    try chart(in: try CameraSamples(self), reference, corners: corners)
  }

  func chart(
    in samples: CameraSamples, _ reference: ColorChecker = .after2014,
    corners: [SIMD2<Double>]? = nil,
    instead: String = "the centers of its corner patches"
  ) throws(RAWError) -> ChartMeasurement {
    guard hasColor else {
      throw RAWError(.unsupported, .color, "this raw has no colors; name one of a color camera")
    }
    let placement: ChartPlacement
    if let corners {
      guard let given = ChartPlacement(corners: corners.map { samples.position($0) }) else {
        throw RAWError(
          .badSetting, .settings,
          "these chart corners are no quadrangle; give the centers of dark skin, bluish green, "
            + "black and white, in this order")
      }
      placement = given
    } else {
      do { placement = try ChartFinder.placement(in: samples.picture) } catch {
        throw RAWError(.badSetting, .color, error.text(instead))
      }
    }
    do {
      let reading = try ChartReading(placement, in: samples.picture, reference: reference)
      return ChartMeasurement(
        camera: reading.evenValues.map { $0 * samples.neutral },
        asLit: reading.values.map { $0 * samples.neutral }, reading: reading,
        corners: placement.corners.map { samples.upright($0) })
    } catch { throw RAWError(.badSetting, .color, error.text) }
  }
}

extension ChartFinder.Refusal {
  /// The problem and what to do: photograph it again, or give `instead`.
  fileprivate func text(_ instead: String) -> String {
    let give =
      "; photograph all of its 24 patches larger and in even light, or give \(instead)"
    return switch self {
    case .noGrid: "no ColorChecker was found in this picture" + give
    case .otherColors(let score):
      String(
        format: "no ColorChecker was found in this picture: the likeliest grid of patches has "
          + "other colors (mean dE00 %.0f)", score) + give
    }
  }
}

extension ChartReading.Refusal {
  /// The problem and what to do.
  fileprivate var text: String {
    switch self {
    case .outside: "the ColorChecker reaches beyond the picture; check its corners"
    case .small(let pixels):
      "the patches of the ColorChecker are too small (\(pixels) pixels each); photograph it larger"
    case .clipped(let names):
      "the ColorChecker is clipped at \(names.joined(separator: ", ")); expose it less"
    case .black(let names):
      "the ColorChecker is black at \(names.joined(separator: ", ")); expose it more, or check its "
        + "corners"
    case .uneven(let neutrals, let border):
      String(
        format: "the ColorChecker is lit too unevenly: by %.0f %% along its neutral row, by %@ "
          + "along its border; light it from both sides, or photograph it at a longer distance",
        (neutrals - 1) * 100, border.map { String(format: "%.0f %%", ($0 - 1) * 100) } ?? "?")
    }
  }
}
