import CKernels
import ImageCore

/// The last step of ``XTransDemosaic``: the mean of the most homogeneous candidates.
extension XTransDemosaic {
  /// Squared second difference of a candidate along its own direction, in luma and two color
  /// differences (BT.2020 weights); with CIELAB the result is visually the same.
  func curvature(_ work: PolyphasePlanes, _ candidate: Int, _ inset: Int) {
    for y in work.rect.y + inset..<work.rect.endY - inset {
      for phase in 0..<6 { lumaAndDifferences(work, candidate, y, phase) }
    }
    let (dx, dy) = [(1, 0), (0, 1), (1, 1), (1, -1)][candidate & 3]
    for y in work.rect.y + inset + 1..<work.rect.endY - inset - 1 {
      for phase in 0..<6 {
        ck_squaredCurvature(
          ck_threeRows { work.row(lumaPlane + $0, y, phase) },
          Int64(work.offset(phase, dx, dy)), Int64(work.offset(phase, -dx, -dy)),
          work.row(curvaturePlane(candidate), y, phase).start, Int64(work.count))
      }
    }
  }

  private func lumaAndDifferences(
    _ work: PolyphasePlanes, _ candidate: Int, _ y: Int, _ phase: Int
  ) {
    ck_lumaAndDifferences(
      ck_threeRows { samples(work, candidate, $0, y, phase, 0, 0) },
      ck_threeRows { work.row(lumaPlane + $0, y, phase) }, Int64(work.count))
  }

  /// The number of pixels in 3 × 3 whose curvature is at most eight times the smallest of all
  /// candidates at the center.
  func homogeneity(_ work: PolyphasePlanes, _ y: Int, _ phase: Int) {
    let curvatures: [UnsafePointer<Float>?] = (0..<candidates).map {
      UnsafePointer(work.row(curvaturePlane($0), y, phase).start)
    }
    let outs: [UnsafeMutablePointer<Float>?] = (0..<candidates).map {
      work.row(homogeneityPlane($0), y, phase).start
    }
    let around = (0..<9).map { Int64(work.offset(phase, $0 % 3 - 1, $0 / 3 - 1)) }
    ck_homogeneity(Int64(candidates), curvatures, around, outs, Int64(work.count))
  }

  /// Writes row `y`: the mean of the candidates whose homogeneity, summed over 5 × 5, is at least
  /// seven eighths of the best.
  func choose(
    _ work: PolyphasePlanes, _ y: Int, _ rect: PixelRect, _ buffer: PlanarBuffer,
    _ origin: PixelPoint
  ) {
    sumColumns(work, y)
    for phase in 0..<6 {
      let sums: [UnsafePointer<Float>?] = (0..<candidates).map {
        UnsafePointer(work.row(curvaturePlane($0), work.rect.y, phase).start)
      }
      let colors: [UnsafePointer<Float>?] = (0..<candidates * 3).map {
        UnsafePointer(samples(work, $0 / 3, $0 % 3, y, phase, 0, 0).start)
      }
      let around = (0..<5).map { Int64(work.offset(phase, $0 - 2, 0)) }
      ck_chooseCandidates(
        scale.kernel, Int64(candidates), sums, colors, around,
        ck_threeRows { work.row(lumaPlane + $0, y, phase) }, Int64(work.count))
    }
    let shift = rect.x - work.rect.x
    for channel in 0..<3 {
      let out = buffer.row(channel, y - origin.y).from(rect.x - origin.x)
      for phase in 0..<6 {
        let source = work.row(lumaPlane + channel, y, phase)
        let x = floorModulo(phase - shift, 6)
        guard x < rect.width else { continue }
        ck_joinPhase(
          source.start + (x + shift) / 6, out.start + x, Int64((rect.width - x + 5) / 6))
      }
    }
  }

  /// Sums the homogeneity of rows y − 2 to y + 2 into the first row of the curvature planes, which
  /// are not needed any more.
  private func sumColumns(_ work: PolyphasePlanes, _ y: Int) {
    for candidate in 0..<candidates {
      for phase in 0..<6 {
        ck_sumOfFive(
          work.row(homogeneityPlane(candidate), y, phase).start,
          Int64(work.offset(phase, 0, 1)),
          work.row(curvaturePlane(candidate), work.rect.y, phase).start, Int64(work.count))
      }
    }
  }
}
