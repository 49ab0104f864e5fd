import Charts
import Foundation
import HDRRender
import ImageCore
package import RawData

/// Samples of a camera's look from one picture.
package struct CameraLookSample: Sendable {
  let cells: [CameraLookFit.Cell]
  /// Why it has no samples; nil if it has.
  package let refusal: String?
}

/// One ``CameraLook`` fitted to many pictures of a camera, with its cross-validation.
///
/// Pictures are held out in turn, in up to five groups; for each group a mapping is fitted to the
/// others. Differences are means of ΔE2000 over the cells. Each picture has the same weight, and
/// all together ``maxWeight``, because errors of their cells are correlated.
package struct CameraLookStudy: Sendable {
  /// ΔE2000 of each picture by the standard rendering, by the mapping, and by a mapping fitted to
  /// other pictures.
  package let standard: [Double]
  package let fitted: [Double]
  /// Empty with a single picture.
  package let heldOut: [Double]
  private let mapping: CameraLook

  private static let groups = 5
  private static let maxWeight = 4.0

  /// Nil with too few `samples`, none of which is refused.
  package init?(_ samples: [CameraLookSample]) {
    let pictures = samples.map(\.cells)
    guard let mapping = Self.fit(pictures) else { return nil }
    self.mapping = mapping
    standard = pictures.map { Self.difference($0, CameraLook()) }
    fitted = pictures.map { Self.difference($0, mapping) }
    guard pictures.count > 1 else {
      heldOut = []
      return
    }
    let groups = min(Self.groups, pictures.count)
    var differences = [Double](repeating: 0, count: pictures.count)
    for group in 0..<groups {
      let others = pictures.indices.filter { $0 % groups != group }.map { pictures[$0] }
      guard let look = Self.fit(others) else { return nil }
      for index in pictures.indices where index % groups == group {
        differences[index] = Self.difference(pictures[index], look)
      }
    }
    heldOut = differences
  }

  private static func fit(_ pictures: [[CameraLookFit.Cell]]) -> CameraLook? {
    let weight = min(1, maxWeight / Double(max(pictures.count, 1)))
    return CameraLookFit.fit(
      pictures.joined().map { cell in
        var cell = cell
        cell.weight *= weight
        return cell
      })
  }

  /// Mean ΔE2000 of cells of one picture by the standard rendering, and by `look`.
  static func differences(
    _ cells: [CameraLookFit.Cell], _ look: CameraLook
  ) -> (standard: Double, fitted: Double) {
    (difference(cells, CameraLook()), difference(cells, look))
  }

  private static func difference(_ cells: [CameraLookFit.Cell], _ look: CameraLook) -> Double {
    func lab(_ color: SIMD3<Double>) -> LabColor {
      LabColor(Primaries.bt2020.toXYZ * Oklab.rgb(color), white: Chromaticity.d65.xyz)
    }
    let sum = cells.reduce(0) {
      $0 + ColorDifference(lab(look($1.own)), lab($1.preview)).value
    }
    return sum / Double(max(cells.count, 1))
  }

  /// The mapping as a file.
  package func file(name: String, camera: String, style: String?) -> CameraLookFile {
    CameraLookFile(
      name: name, camera: camera, style: style, pictures: standard.count, standard: standard.mean,
      fitted: fitted.mean, heldOut: heldOut.isEmpty ? nil : heldOut.mean, mapping: mapping)
  }
}

extension RAWFilter {
  /// Samples of the camera's look from this picture and its preview. Decodes both.
  package func cameraLookSample() throws(RAWError) -> CameraLookSample {
    guard let comparison = try previewCells() else {
      return CameraLookSample(cells: [], refusal: "it holds no preview by the camera")
    }
    return CameraLookSample(
      cells: comparison.cells, refusal: comparison.doubt.map { "its preview \($0.reason)" })
  }
}
