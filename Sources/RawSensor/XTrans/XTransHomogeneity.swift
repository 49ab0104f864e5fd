import CKernels
import ImageCore

/// The last steps of ``XTransDemosaic``: the mean of the most homogeneous candidates.
extension XTransDemosaic {
  /// The steps to both sides for the curvature of the candidates.
  private static let directions = [(1, 0), (0, 1), (1, 1), (1, -1)]

  /// Adds the steps that take
  /// 1. the squared second difference of a candidate along its own direction, in luma and two
  ///   color differences (BT.2020 weights); with CIELAB the result is visually the same;
  /// 2. the number of pixels in 3 × 3 where that is at most eight times the smallest of all
  ///   candidates at the center;
  /// 3. the mean of the candidates for which that number, summed over 5 × 5, is at least seven
  ///   eighths of the best.
  func addChoice(_ rows: XTransRows, _ inset: Int) {
    let (kernel, number) = (scale.kernel, Int64(candidates))
    rows.addStep(inset, ck_lumaAndDifferences) { y, phase in
      (0..<candidates).map { lumaSite(rows, y, phase, $0) }
    }
    rows.addStep(inset + 1, ck_squaredCurvature) { y, phase in
      (0..<candidates).map { curvatureSite(rows, y, phase, $0) }
    }
    rows.addStep(
      inset + 2, { ck_homogeneity($0, $1, number, $2, $3) },
      { y, phase in [homogeneitySite(rows, y, phase)] })
    rows.addStep(inset + 4, ck_sumCounts) { y, phase in
      (0..<rows.counts.planes).map { plane in
        var site = ck_countSite()
        Self.fill(&site.rows) { rows.offset(rows.counts, plane, y, phase, 0, $0 - 2) }
        site.out = rows.offset(rows.sums, plane, y, phase)
        return site
      }
    }
    rows.addStep(
      inset + 4, { ck_chooseCandidates(kernel, $0, $1, number, $2, $3) },
      { y, phase in [choiceSite(rows, y, phase)] })
  }

  private func lumaSite(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int
  ) -> ck_lumaSite {
    var site = ck_lumaSite()
    Self.fill(&site.rgb) { offset(rows, candidate, $0, y, phase) }
    Self.fill(&site.out) { rows.offset(rows.luma, 3 * candidate + $0, y, phase) }
    return site
  }

  private func curvatureSite(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int
  ) -> ck_curvatureSite {
    let (dx, dy) = Self.directions[candidate & 3]
    func luma(_ times: Int) -> ck_offset {
      rows.offset(rows.luma, 3 * candidate, y, phase, times * dx, times * dy)
    }
    return ck_curvatureSite(
      here: luma(0), ahead: luma(1), behind: luma(-1), step: ck_offset(rows.stride),
      out: rows.offset(rows.curvature, candidate, y, phase))
  }

  private func homogeneitySite(
    _ rows: XTransRows, _ y: Int, _ phase: Int
  ) -> ck_homogeneitySite {
    var site = ck_homogeneitySite()
    Self.fill(&site.around) { rows.offset(rows.curvature, 0, y, phase, $0 % 3 - 1, $0 / 3 - 1) }
    site.step = ck_offset(rows.stride)
    Self.fill(&site.out, 0..<rows.counts.planes) { rows.offset(rows.counts, $0, y, phase) }
    return site
  }

  private func choiceSite(_ rows: XTransRows, _ y: Int, _ phase: Int) -> ck_choiceSite {
    var site = ck_choiceSite()
    Self.fill(&site.counts, 0..<5 * rows.counts.planes) {
      rows.offset(rows.sums, $0 / 5, y, phase, $0 % 5 - 2)
    }
    Self.fill(&site.colors, 0..<3 * candidates) { offset(rows, $0 / 3, $0 % 3, y, phase) }
    Self.fill(&site.out) { rows.offset(rows.result, $0, y, phase) }
    return site
  }

  /// Fills an array of offsets, or its part `range`.
  private static func fill<Offsets>(
    _ offsets: inout Offsets, _ range: Range<Int>? = nil, _ offset: (Int) -> ck_offset
  ) {
    withUnsafeMutableBytes(of: &offsets) {
      let offsets = $0.assumingMemoryBound(to: ck_offset.self)
      for i in range ?? 0..<offsets.count { offsets[i] = offset(i) }
    }
  }
}
