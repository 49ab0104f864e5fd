import Foundation
public import HDRRender
public import ImageCore

/// An affine transform of a picture, by bicubic interpolation of linear values.
///
/// Interpolates as `ProjectedSource`. Units: pixels, corners of pixels at integers. Known failure:
/// reduced by more than two, detail aliases; use ``ResizeFilter`` before.
public struct AffineFilter: ImageFilter, GeometryFilter, Hashable {
  // Not private: such a type is described by an address, and derived identifiers are made of the
  // descriptions of edits.
  enum Target: Hashable {
    case size(PixelSize)
    case rotation
  }

  private let target: Target
  /// From positions of the result to positions of the source.
  private let map: ProjectiveMap

  /// A result of `size` whose position (x, y) shows the source at (a x + b y + c, d x + e y + f),
  /// `toSource` = [a, b, c, d, e, f]. Throws when that is not six numbers within ±1e7 or is
  /// singular, or a side is not 1 to `PixelSize.largestSide`.
  public init(size: PixelSize, toSource m: [Double]) throws(OperatorError) {
    guard m.count == 6, m.allSatisfy({ abs($0) <= 1e7 }), abs(m[0] * m[4] - m[1] * m[3]) > 1e-12
    else { throw OperatorError("affine", "\(m); give six numbers that do not flatten the picture") }
    for side in [size.width, size.height] where !(1...PixelSize.largestSide).contains(side) {
      throw OperatorError(
        "affine", "a side of \(side) pixels; give 1 to \(PixelSize.largestSide)")
    }
    target = .size(size)
    map = ProjectiveMap(affine: m)
  }

  /// Rotated clockwise about the center and cropped to the largest rectangle of the same aspect
  /// ratio without an empty corner. Throws outside ±45°; apply ``OrientFilter`` first for more.
  public init(straightenedBy degrees: Double) throws(OperatorError) {
    guard abs(degrees) <= 45 else {
      throw OperatorError("affine", "\(degrees)°; give -45 to 45 and turn by quarters before")
    }
    let angle = degrees * .pi / 180
    target = .rotation
    map = ProjectiveMap(affine: [cos(angle), sin(angle), 0, -sin(angle), cos(angle), 0])
  }

  /// `.affine`.
  public var operation: EditOperation { .affine }

  func isNeutral(on size: PixelSize) -> Bool {
    map == .identity && (target == .rotation || target == .size(size))
  }

  func resultSize(of size: PixelSize) throws(OperatorError) -> PixelSize {
    guard size.width > 0, size.height > 0 else {
      throw OperatorError("affine", "the picture of \(size) is empty; give one with pixels")
    }
    guard target == .rotation, map != .identity else {
      if case .size(let result) = target { return result }
      return size
    }
    let (w, h) = (Double(size.width), Double(size.height))
    let (c, s) = (map.across.x, abs(map.across.y))
    let scale = min(w / (w * c + h * s), h / (w * s + h * c))
    return PixelSize(width: max(Int(w * scale), 1), height: max(Int(h * scale), 1))
  }

  /// The map for a picture and a result of these sizes.
  private func map(from size: PixelSize, to result: PixelSize) -> ProjectiveMap {
    var map = map
    if target == .rotation {
      let (x, y) = (Double(result.width) / 2, Double(result.height) / 2)
      map.across.z = Double(size.width) / 2 - map.across.x * x - map.across.y * y
      map.down.z = Double(size.height) / 2 - map.down.x * x - map.down.y * y
    }
    return map
  }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    let result = try resultSize(of: source.size)
    let map = map(from: source.size, to: result)
    if isNeutral(on: source.size) { return source }
    return ProjectedSource.projecting(source, map, to: result)
  }

  func moved(_ gains: GainMapImage, over picture: PixelSize, to size: PixelSize)
    throws(OperatorError) -> GainMapImage
  {
    let result = try resultSize(of: picture)
    var map = map(from: picture, to: result)
    // From the new map's position to the result's, to the picture's, to the old map's.
    let (x, y) = (
      Double(result.width) / Double(size.width), Double(result.height) / Double(size.height)
    )
    let (u, v) = (
      Double(gains.size.width) / Double(picture.width),
      Double(gains.size.height) / Double(picture.height)
    )
    map = ProjectiveMap(map.across * [x * u, y * u, u], map.down * [x * v, y * v, v])
    let picture = try gains.asPicture()
    return try gains.replacing(by: ProjectedSource(source: picture, size: size, map: map))
  }
}
