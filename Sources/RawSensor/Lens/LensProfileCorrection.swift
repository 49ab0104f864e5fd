package import ImageCore
package import RawData

/// A ``LensProfile`` as corrections of pictures of one size, like opcode list 3 of a DNG: first
/// vignetting, then distortion and lateral color in one resampling.
///
/// Source: lensfun 0.3.3, `lfModifier`. Formula: with p the vector from the axis to a pixel in
/// pixels, ρ = u·|p|, u = 2/h · √(A² + 1)/√(a² + 1) · C/c (h the shorter side from center to center
/// of its pixels, a and A the aspect ratios of the picture and of the calibration, c and C their
/// crop factors), distortion d and lateral color t of ``LensCalibration``, a corrected pixel is
/// read at m·p · d(mρ) · t(mρ·d(mρ)). Values are divided by the relative illumination at their
/// radius in the uncorrected picture, ρ/√(A² + 1). Verified against lensfun's own pixels.
/// Magnification m: the largest, which is the smallest enlargement, at which every pixel is read
/// inside the picture, in every channel; 1 where only lateral color is corrected, whose edges are
/// repeated by a pixel or two instead. Domain: the full picture that the camera delivers; the
/// sensor around it is corrected by the same formula. Known failure: pictures cropped by another
/// program before have another center.
package struct LensProfileCorrection {
  /// One for all channels, or red, green and blue.
  var radials: [Radial]
  /// Where the axis meets the frame, in fractions of its sides.
  let center: (x: Double, y: Double)
  private let vignette: RadialVignette?

  /// The factor from corrected to source radii of a channel.
  struct Radial: Sendable, Hashable {
    var distortion: LensCalibration.Distortion?
    /// v, c, b of ``LensCalibration/LateralColor``; 1, 0, 0 for green.
    var lateral = SIMD3<Double>(1, 0, 0)
    /// m.
    var magnification = 1.0
    /// ρ at the farthest corner of the frame, where the radius of warps is 1.
    var unit: Double

    /// At distance `r` from the axis, 1 at the farthest corner.
    func factor(_ r: Double) -> Double {
      let corrected = magnification * unit * r
      let distorted = distortion?.factor(corrected) ?? 1
      let radius = corrected * distorted
      return magnification * distorted * LensCalibration.LateralColor.factor(lateral, radius)
    }

    /// The factors at the squared radii of ``LensWarp/Radial/sampled(_:)``.
    fileprivate var samples: [Double] {
      let steps = LensWarp.Radial.samples
      return (0...steps + 1).map { factor((Double(min($0, steps)) / Double(steps)).squareRoot()) }
    }

    fileprivate var isIdentity: Bool {
      distortion == nil && lateral == SIMD3(1, 0, 0) && magnification == 1
    }
  }

  /// The corrections of pictures in `frame`; `crop`: the part that the camera delivers. `isGray`:
  /// the picture has one plane, corrected as green.
  package init(_ profile: LensProfile, frame: OpcodeFrame, crop: PixelRect, isGray: Bool) {
    let size = frame.size
    // From the center of the first pixel to the center of the last, in widths of a pixel.
    let width = Double(max(crop.width, 2) - 1)
    let height = Double(max(crop.height, 2) - 1) / frame.pixelAspect
    let (short, long) = (min(width, height), max(width, height))
    let aspect = long / short
    let diagonal = (profile.calibrationAspectRatio * profile.calibrationAspectRatio + 1)
      .squareRoot()
    let scale =
      2 / short * diagonal / (aspect * aspect + 1).squareRoot()
      * profile.calibrationCropFactor / profile.cropFactor
    let shift = profile.center * (short / 2)
    // The axis, from the center of the frame's first pixel.
    let axis = SIMD2(
      Double(crop.x) + width / 2 + shift.x,
      Double(crop.y) + (height / 2 + shift.y) * frame.pixelAspect)
    func fraction(_ position: Double, _ side: Int) -> Double {
      min(max(position / Double(max(side, 1)), 0), 1)
    }
    center = (x: fraction(axis.x, size.width), y: fraction(axis.y, size.height))
    // Vignettes are measured from the corner of the first pixel rather than from its center.
    let corner = (x: fraction(axis.x + 0.5, size.width), y: fraction(axis.y + 0.5, size.height))
    vignette = profile.calibration.vignetting.map { k in
      let unit = frame.farthestCorner(from: corner) * scale / diagonal
      let square = unit * unit
      return RadialVignette(
        coefficients: [
          k.x * square, k.y * square * square, k.z * square * square * square, 0, 0,
        ],
        center: corner, isDivisor: true)
    }
    radials = Self.radials(
      profile, unit: frame.farthestCorner(from: center) * scale, isGray: isGray,
      reach: Self.reach(
        width: width, height: height, shift: shift,
        unit: frame.farthestCorner(from: center)))
  }

  /// The corrections as opcodes, without those that change nothing.
  package var actions: [Opcode.Action] {
    var actions = vignette.map { [Opcode.Action.vignette($0)] } ?? []
    if radials.contains(where: { !$0.isIdentity }) {
      let planes = radials.map { LensWarp.Plane(radial: .sampled($0.samples), tangential: SIMD2()) }
      actions.append(.warp(LensWarp(planes: planes, center: center)))
    }
    return actions
  }

  private static func radials(
    _ profile: LensProfile, unit: Double, isGray: Bool, reach: [Double]
  ) -> [Radial] {
    let green = Radial(distortion: profile.calibration.distortion, unit: unit)
    var radials = [green]
    if let color = profile.calibration.lateralColor, !isGray {
      var (red, blue) = (green, green)
      (red.lateral, blue.lateral) = (color.red, color.blue)
      radials = [red, green, blue]
    }
    guard green.distortion != nil else { return radials }
    let magnification = radials.map { $0.largestMagnification(reach) }.min() ?? 1
    return radials.map {
      var radial = $0
      radial.magnification = magnification
      return radial
    }
  }

  /// Distances of pixels along the full border from the axis, in `unit`s.
  private static func reach(
    width: Double, height: Double, shift: SIMD2<Double>, unit: Double
  ) -> [Double] {
    let steps = 64
    var reach: [Double] = []
    for i in 0...steps {
      let t = Double(i) / Double(steps) - 0.5
      for side in [-0.5, 0.5] {
        for point in [SIMD2(t * width, side * height), SIMD2(side * width, t * height)] {
          let offset = point - shift
          reach.append((offset.x * offset.x + offset.y * offset.y).squareRoot() / unit)
        }
      }
    }
    return reach
  }
}

extension LensProfileCorrection.Radial {
  /// Plausible magnifications of a lens correction.
  private static let magnifications = 0.5...1.5

  /// The largest magnification at which border pixels at all the distances `reach` are read inside
  /// the border, that is, no farther from the axis than they are.
  fileprivate func largestMagnification(_ reach: [Double]) -> Double {
    var plain = self
    plain.magnification = 1
    var largest = Self.magnifications.upperBound
    for r in reach where r > 0 {
      // A pixel at r, enlarged by t, is read at t·r·factor(t·r).
      let isInside = { (t: Double) in t * plain.factor(t * r) <= 1 }
      guard !isInside(largest) else { continue }
      var (low, high) = (Self.magnifications.lowerBound, largest)
      for _ in 0..<40 {
        let middle = (low + high) / 2
        if isInside(middle) { low = middle } else { high = middle }
      }
      largest = low
    }
    return largest
  }
}
