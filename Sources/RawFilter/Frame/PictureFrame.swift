import Foundation
import HDRRender
import ImageCore
import ImageFilters
import RawDecode

/// Crop, rotation and perspective of the upright picture.
///
/// **Crop and angle.** The upright picture is W × H pixels, x to the right, y down. The box [left,
/// top, right, bottom] is in fractions of W and H. The angle φ, clockwise positive, rotates the
/// picture under it: the box is drawn level on the unrotated picture, then rotated about *its own*
/// center by −φ, and what it covers is shown level. So the result has
///
///     w = (right − left)·W,  h = (bottom − top)·H                                      pixels,
///     its pixel (i, j), center (i + ½, j + ½), shows the upright picture at
///     x = (left + right)/2·W + cos φ·u + sin φ·v,     u = i + ½ − w/2,
///     y = (top + bottom)/2·H − sin φ·u + cos φ·v,     v = j + ½ − h/2.
///
/// Rotating the picture about its own center and cropping the result gives the same pixels, but in
/// those coordinates boxes near a corner leave 0…1; here they stay inside and do not move when the
/// angle changes. With a ``Perspective`` the same applies to the corrected picture. Both maps are
/// combined into one resampling.
///
/// A box that the picture does not fill is reduced about its center at constant aspect ratio,
/// unless that is switched off.
///
/// **Without a box** it is the largest that the picture fills, of the picture's aspect ratio or the
/// requested one. Without a perspective it is centered, and 1 / (|cos φ| + |sin φ|·max(W/H, H/W))
/// of W and H for the picture's own aspect ratio; with one, it is searched for.
struct PictureFrame: Sendable, Hashable {
  private let settings: FrameSettings
  private let perspective: Perspective
  /// The decimal value of the setting.
  private let angle: Double
  /// The edges of the box in fractions of the sides; nil without one.
  private let crop: [Double]?

  /// The whole picture.
  init() {
    (settings, angle, crop) = (FrameSettings(), 0, nil)
    perspective = Perspective(vertical: 0, horizontal: 0)
  }

  /// `settings` on a file whose upright picture has `native` pixels. Throws if the crop exceeds it.
  init(_ settings: FrameSettings, native: PixelSize) throws(RAWError) {
    self.settings = settings
    func degrees(_ value: Float) -> Double { Double("\(value)") ?? 0 }
    angle = degrees(settings.straightenAngle)
    perspective = Perspective(
      vertical: degrees(settings.verticalPerspective),
      horizontal: degrees(settings.horizontalPerspective))
    crop = settings.crop?.edges(in: native)
    if let crop, crop.contains(where: { !(0...1).contains($0) }) {
      throw RAWError(
        .badSetting, .settings,
        "crop is \(settings.crop?.description ?? ""), which exceeds the picture of \(native); give "
          + "a part of it", setting: "crop")
    }
  }

  /// Whether the picture is unchanged.
  var isNeutral: Bool {
    angle == 0 && perspective.isNeutral && (crop == nil || crop == [0, 0, 1, 1])
      && settings.cropAspect == nil
  }

  /// How the frame is applied to a picture.
  private enum View {
    case full
    case part(PixelRect)
    /// Resampled by a map from positions of the result to positions of the picture.
    case projected(ProjectiveMap, PixelSize)
  }

  /// Columns and rows of the result of a picture of `size`.
  func resultSize(of size: PixelSize) -> PixelSize {
    switch view(of: size) {
    case .full: size
    case .part(let rect): rect.size
    case .projected(_, let result): result
    }
  }

  /// `picture`, upright, framed.
  func applied(
    to picture: any PixelSource<DisplayReferred>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    switch view(of: picture.size) {
    case .full: return picture
    case .part(let rect):
      do { return try CropFilter(rect).applied(to: picture) } catch {
        throw RAWError(.badSetting, .settings, error.message, setting: "crop")
      }
    case .projected(let map, let size):
      return ProjectedSource.projecting(picture, map, to: size)
    }
  }

  /// The position in the picture of `size` that corresponds to `position` in the result; nil if
  /// there is none.
  func sourcePosition(_ position: SIMD2<Double>, in size: PixelSize) -> SIMD2<Double>? {
    switch view(of: size) {
    case .full: position
    case .part(let rect): position + SIMD2(Double(rect.x), Double(rect.y))
    case .projected(let map, _): map(position.x, position.y)
    }
  }

  private func view(of size: PixelSize) -> View {
    if isNeutral { return .full }
    let (width, height) = (Double(size.width), Double(size.height))
    let edges = edges(of: size)
    if let box = edges, angle == 0, perspective.isNeutral {
      let rect = PixelRect(
        x: Int((box[0] * width).rounded()), y: Int((box[1] * height).rounded()),
        width: max(1, Int(((box[2] - box[0]) * width).rounded())),
        height: max(1, Int(((box[3] - box[1]) * height).rounded())))
      let visible = rect.intersection(PixelRect(size))
      return visible == PixelRect(size) ? .full : .part(visible)
    }
    let (center, half, turn) = box(edges, in: size)
    // Complete pixels within the box.
    let inside = PixelSize(
      width: max(1, Int(2 * half.x + 1e-6)), height: max(1, Int(2 * half.y + 1e-6)))
    let (c, s) = (cos(turn), sin(turn))
    let (u, v) = (Double(inside.width) / 2, Double(inside.height) / 2)
    let level = ProjectiveMap(
      [c, s, center.x - c * u - s * v], [-s, c, center.y + s * u - c * v])
    return .projected(upright(size).after(level), inside)
  }

  /// Maps positions of the picture with corrected perspective to positions of the picture.
  private func upright(_ size: PixelSize) -> ProjectiveMap {
    guard !perspective.isNeutral else { return .identity }
    let (width, height) = (Double(size.width), Double(size.height))
    let toCenter = ProjectiveMap([1, 0, -width / 2], [0, 1, -height / 2])
    let back = ProjectiveMap([1, 0, width / 2], [0, 1, height / 2])
    return back.after(perspective.map(width: width, height: height)).after(toCenter)
  }

  /// Center and half of the sides in pixels of a picture of `size`, and the clockwise rotation of
  /// the box in radians. With a perspective: in the corrected picture.
  func box(in size: PixelSize) -> (center: SIMD2<Double>, half: SIMD2<Double>, turn: Double) {
    box(edges(of: size), in: size)
  }

  private func box(
    _ edges: [Double]?, in size: PixelSize
  ) -> (center: SIMD2<Double>, half: SIMD2<Double>, turn: Double) {
    let sides = SIMD2(Double(size.width), Double(size.height))
    let turn = angle * .pi / 180
    if let edges {
      let center = sides * SIMD2(edges[0] + edges[2], edges[1] + edges[3]) / 2
      let half = sides * SIMD2(edges[2] - edges[0], edges[3] - edges[1]) / 2
      guard crop != nil, settings.isCropConstrained else { return (center, half, turn) }
      let box = LargestBox(at: center, within: half, of: size, angle: angle, seen: upright(size))
      return (center, box.half, turn)
    }
    let ratio = max(sides.x / sides.y, sides.y / sides.x)
    return (sides / 2, sides / 2 / (abs(cos(turn)) + abs(sin(turn)) * ratio), turn)
  }

  /// The edges of the box in fractions of a picture of `size`; nil if it is the largest centered
  /// one of the picture's own aspect ratio.
  private func edges(of size: PixelSize) -> [Double]? {
    let (width, height) = (Double(size.width), Double(size.height))
    if let crop {
      guard let aspect = settings.cropAspect else { return crop }
      let (w, h) = ((crop[2] - crop[0]) * width, (crop[3] - crop[1]) * height)
      let half = SIMD2(min(w, h * aspect.value), min(h, w / aspect.value)) / 2
      return Self.edges(
        SIMD2((crop[0] + crop[2]) * width, (crop[1] + crop[3]) * height) / 2, half, size)
    }
    let aspect = settings.cropAspect?.value ?? width / height
    guard perspective.isNeutral else {
      let box = LargestBox(of: size, aspect: aspect, angle: angle, seen: upright(size))
      return Self.edges(box.center, box.half, size)
    }
    guard settings.cropAspect != nil else { return nil }
    let (c, s) = (abs(cos(angle * .pi / 180)), abs(sin(angle * .pi / 180)))
    let rows = min(width / (aspect * c + s), height / (aspect * s + c))
    return Self.edges(SIMD2(width, height) / 2, SIMD2(rows * aspect, rows) / 2, size)
  }

  private static func edges(
    _ center: SIMD2<Double>, _ half: SIMD2<Double>, _ size: PixelSize
  ) -> [Double] {
    let sides = SIMD2(Double(size.width), Double(size.height))
    let (low, high) = ((center - half) / sides, (center + half) / sides)
    return [low.x, low.y, high.x, high.y]
  }
}
