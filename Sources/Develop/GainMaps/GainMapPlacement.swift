import Foundation
import HDRRender
import ImageCore

/// Whether a gain map is aligned with its picture, by their content.
///
/// A gain map changes where its picture changes, at the outlines of lamps, windows and skies. So
/// the edges of both, the length of the gradient of log2 luminance and of the map's samples in
/// 64 × 64 cells, are correlated (Pearson): with the map as it is, in each of the eight
/// orientations, and with each part of it that a crop may have left the picture, 1, 0.9 … 0.5 of
/// each side at five offsets. Domain: pictures with highlights; where the map as it is reaches
/// less than ``minScore`` nothing is claimed. Known failures: maps of only noise or a vignette;
/// rotations of pictures that are symmetric; crops of a few percent.
struct GainMapPlacement: Sendable, Hashable {
  /// Where the map would fit better.
  enum Better: Sendable, Hashable {
    /// In this orientation.
    case turned(Orientation)
    /// If only this part of it, in fractions of its sides, covered the picture.
    case part(x: Double, y: Double, width: Double, height: Double)
  }

  /// Correlation of the map as it is, −1…1.
  let score: Double
  /// The best other alignment, and its correlation.
  let better: Better?
  let betterScore: Double

  /// Below this a correlation is not significant.
  static let minScore = 0.15
  /// Another alignment must be better by this.
  private static let minGain = 0.15
  private static let fractions = [1, 0.9, 0.8, 0.7, 0.6, 0.5]
  private static let offsets = [0, 0.25, 0.5, 0.75, 1]

  init(base: CellGrid, map: CellGrid) {
    let edges = base.edges
    score = edges.correlation(map.edges)
    var (best, bestScore): (Better?, Double) = (nil, score)
    func consider(_ other: Better, _ grid: CellGrid) {
      let found = edges.correlation(grid.edges)
      if found > bestScore { (best, bestScore) = (other, found) }
    }
    for number in 2...8 {
      guard let orientation = Orientation(rawValue: number) else { continue }
      consider(.turned(orientation), map.upright(orientation))
    }
    for width in Self.fractions {
      for height in Self.fractions where width < 1 || height < 1 {
        for across in width < 1 ? Self.offsets : [0] {
          for down in height < 1 ? Self.offsets : [0] {
            let (x, y) = ((1 - width) * across, (1 - height) * down)
            consider(
              .part(x: x, y: y, width: width, height: height),
              map.part(x: x, y: y, width: width, height: height))
          }
        }
      }
    }
    (better, betterScore) = (best, bestScore)
  }

  /// Whether the content shows that the map is misaligned.
  var isMisplaced: Bool {
    better != nil && betterScore >= Self.minScore + Self.minGain
      && betterScore - score >= Self.minGain
  }
}

extension GainMapPlacement.Better {
  /// The misalignment, for people.
  var text: String {
    switch self {
    case .turned(let orientation):
      switch orientation {
      case .right: "it fits if it is turned by 90 degrees clockwise"
      case .left: "it fits if it is turned by 90 degrees counterclockwise"
      case .down: "it fits if it is turned by 180 degrees"
      default: "it fits if it is mirrored (orientation \(orientation.rawValue))"
      }
    case .part(let x, let y, let width, let height):
      "it fits if only its part of \(percent(width)) x \(percent(height)) from \(percent(x)), "
        + "\(percent(y)) on covers the picture, as if the picture had been cropped without it"
    }
  }

  private func percent(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded())) %" }
}
