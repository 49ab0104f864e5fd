// Brightness that jumps between the frames of a time-lapse, removed.
//
// A frame is compared with the one before on a grid of the scene's luminance (camera values, which
// no setting changes): the median of the log ratios of all cells is the change of the exposure, and
// clouds, cars and people, which move in less than half of the cells, do not count. The sum of the
// changes is the level c of each frame, in stops. It has three parts:
//
//   the scene's own change   smooth
//   steps of the camera      changes that differ by over ``steps`` from the running median of their
//                            neighbors: a third of a stop, mostly
//   flicker                  the rest: apertures, mains, mirrors
//
// The scene is c without its steps, smoothed by a local parabola (Savitzky and Golay 1964, degree
// 2, weighted by a tricube), which leaves ramps as they are, twice, the second time without frames
// that lie far from the first. Steps are replaced by the line through the middles of the plateaus
// between them, continued at both ends, so that the level that the photographer chose stays, and
// its course is smooth. The correction is the difference to c.
//
// Known limits: what darkens most of the frame for some frames only, such as a hand in front of the
// lens, counts as flicker; a sun that comes out within one frame is a step.

import Foundation

/// Corrections of exposure for the frames of a clip.
enum Deflicker {
  /// Stops from which a change is a step of the camera, where flicker is weak and where it is
  /// strong.
  static let steps = 0.14...0.22
  /// Frames on each side of the smoothed one.
  static let reach = 24
  /// Frames on each side whose changes are the usual ones.
  private static let neighbors = 4

  /// The stops to add to each frame. `grids` has the luminances of each, in order, of one size; nil
  /// for a frame that could not be read, which is passed over.
  static func stops(_ grids: [[Float?]?]) -> [Float] {
    let read = grids.indices.filter { grids[$0] != nil }
    guard read.count > 2 else { return grids.map { _ in 0 } }
    var level = [0.0]
    for (before, now) in zip(read, read.dropFirst()) {
      level.append(level[level.count - 1] + change(grids[before] ?? [], grids[now] ?? []))
    }
    let found = corrections(level)
    var all = [Float](repeating: 0, count: grids.count)
    for (index, value) in zip(read, found) { all[index] = Float(value) }
    return all
  }

  /// The change of exposure between two frames in stops; 0 where they have too little in common.
  static func change(_ before: [Float?], _ now: [Float?]) -> Double {
    guard before.count == now.count else { return 0 }
    let ratios = zip(before, now).compactMap { a, b in
      if let a, let b { log2(Double(b) / Double(a)) } else { Double?.none }
    }
    return ratios.count < max(8, before.count / 50) ? 0 : middle(ratios)
  }

  /// The corrections of frames of these levels.
  static func corrections(_ level: [Double]) -> [Double] {
    let changes = zip(level, level.dropFirst()).map { $1 - $0 }
    // Steps of the camera.
    var steps = [(at: Int, size: Double)]()
    let usually = changes.indices.map { index in
      middle(Array(changes[max(index - neighbors, 0)...min(index + neighbors, changes.count - 1)]))
    }
    // 1.48 medians are a standard deviation.
    let deviation = 1.48 * middle(zip(changes, usually).map { abs($0 - $1) })
    let step = min(max(2.6 * deviation, Self.steps.lowerBound), Self.steps.upperBound)
    for index in changes.indices {
      let usual = usually[index]
      let next = index + 1 < changes.count ? changes[index + 1] : usual
      let last = index > 0 ? changes[index - 1] : usual
      let own = changes[index] - usual
      // A jump that the next frame takes back is flicker.
      guard abs(own) > step, abs(own + next - usual) > step, abs(own + last - usual) > step else {
        continue
      }
      steps.append((index + 1, own))
    }
    var stepped = [Double](repeating: 0, count: level.count)
    for (at, size) in steps {
      for index in at..<level.count { stepped[index] += size }
    }
    let scene = zip(level, stepped).map { $0 - $1 }
    var smooth = smoothed(scene, Array(repeating: 1, count: scene.count))
    let residuals = zip(scene, smooth).map { abs($0 - $1) }
    let usual = max(middle(residuals), 1e-6)
    smooth = smoothed(scene, residuals.map { $0 > 6 * usual ? 0.05 : 1 })
    let ramp = plateaus(stepped, steps.map(\.at))
    return level.indices.map { smooth[$0] + ramp[$0] - level[$0] }
  }

  /// The line through the middles of the plateaus that begin at `starts`.
  private static func plateaus(_ stepped: [Double], _ starts: [Int]) -> [Double] {
    guard !starts.isEmpty else { return stepped }
    let edges = [0] + starts + [stepped.count]
    var points = zip(edges, edges.dropFirst()).filter { $1 > $0 }.map {
      (x: Double($0 + $1 - 1) / 2, y: stepped[$0])
    }
    // Steps of one direction go on to both ends, where it is not seen how long the plateau was: by
    // the slope beside it, and by half a step at most.
    func end(_ x: Double, _ own: Int, _ next: Int, _ further: Int) -> (x: Double, y: Double)? {
      let (a, b, c) = (points[own], points[next], points[further])
      guard (b.y - a.y) * (c.y - b.y) > 0 else { return nil }
      let value = b.y + (c.y - b.y) / (c.x - b.x) * (x - b.x)
      let half = abs(b.y - a.y) / 2
      return (x, min(max(value, a.y - half), a.y + half))
    }
    if points.count > 2 {
      let last = points.count - 1
      let (first, final) = (
        end(0, 0, 1, 2), end(Double(stepped.count - 1), last, last - 1, last - 2)
      )
      if let first { points[0] = first }
      if let final { points[last] = final }
    }
    return stepped.indices.map { index in
      let x = Double(index)
      guard let next = points.firstIndex(where: { $0.x > x }) else {
        return points[points.count - 1].y
      }
      guard next > 0 else { return points[0].y }
      let (a, b) = (points[next - 1], points[next])
      return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    }
  }

  /// Each value by the parabola of least squares through its neighbors.
  private static func smoothed(_ values: [Double], _ weights: [Double]) -> [Double] {
    values.indices.map { center in
      // s[k] = Σ w x^k, t[k] = Σ w y x^k.
      var (s, t) = ([Double](repeating: 0, count: 5), [Double](repeating: 0, count: 3))
      for index in max(center - reach, 0)...min(center + reach, values.count - 1) {
        let x = Double(index - center) / Double(reach + 1)
        let tricube = pow(1 - pow(abs(x), 3), 3) * weights[index]
        var power = tricube
        for k in 0..<5 {
          s[k] += power
          if k < 3 { t[k] += power * values[index] }
          power *= x
        }
      }
      let minors = (
        s[2] * s[4] - s[3] * s[3], s[1] * s[4] - s[2] * s[3], s[1] * s[3] - s[2] * s[2]
      )
      let determinant = s[0] * minors.0 - s[1] * minors.1 + s[2] * minors.2
      guard abs(determinant) > 1e-12 else { return s[0] > 0 ? t[0] / s[0] : values[center] }
      return (t[0] * minors.0 - t[1] * minors.1 + t[2] * minors.2) / determinant
    }
  }

  private static func middle(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}
