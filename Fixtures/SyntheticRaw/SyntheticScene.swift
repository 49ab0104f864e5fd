public import ImageCore

/// A terrace by the sea at sunset whose radiance is known at every point: the truth that developed
/// pictures are compared with.
///
/// It holds what a raw developer has to get right: a sun of sixteen times white with its glow,
/// glints, lamps of saturated color at four times white, a gray ramp from 1/256 to 8, the
/// ColorChecker, smooth gradients, slanted edges, fine cloth, leaves, a zone plate, deep shadow.
/// Values are linear BT.2020, 1.0 = reference white. The scene is built for the shape 3:2 and keeps
/// its center in other shapes. Edges are about a pixel wide, so one sample a pixel is nearly free
/// of jaggies.
public struct SyntheticScene: Sendable {
  /// Columns and rows it is drawn for.
  public let size: PixelSize
  /// Width of an edge: one pixel, in picture heights.
  let edge: Float
  private let scale: Float
  private let halfWidth: Float

  /// Peak of the sun.
  static let sunPeak: Float = 16
  static let sun = SIMD2<Float>(-0.27, 0.345)
  static let horizon: Float = 0.455
  static let shore: Float = 0.625
  static let tableFront: Float = 0.945

  /// The scene for pictures of `size`, neither side 0.
  public init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a scene needs at least one pixel")
    self.size = size
    scale = 1 / Float(size.height)
    halfWidth = Float(size.width) * 0.5
    edge = scale
  }

  /// The linear value at a point, in pixels from the top left corner of the picture.
  public func light(x: Float, y: Float) -> SIMD3<Float> {
    let (u, v) = ((x - halfWidth) * scale, y * scale)
    var c: LinearRGB
    if v < Self.horizon - edge {
      c = landscape(u, v)
    } else if v < Self.horizon + edge {
      let water = SceneShading.inside(Self.horizon - v, edge)
      c = SceneShading.mix(landscape(u, v), sea(u, v), water)
    } else if v < Self.shore - edge {
      c = sea(u, v)
    } else if v < Self.shore + edge {
      let table = SceneShading.inside(Self.shore - v, edge)
      c = SceneShading.mix(sea(u, v), terrace(u, v), table)
    } else {
      c = terrace(u, v)
    }
    c = boat(u, v, over: c)
    c = objects(u, v, over: c)
    c = leaves(u, v, over: c)
    return c
  }

  /// The linear value of the pixel in column `x`, row `y`: the mean of `samples` × `samples`
  /// points.
  public func pixel(x: Int, y: Int, samples: Int = 2) -> SIMD3<Float> {
    var sum = LinearRGB()
    let spacing = 1 / Float(samples)
    for j in 0..<samples {
      for i in 0..<samples {
        sum += light(
          x: Float(x) + (Float(i) + 0.5) * spacing, y: Float(y) + (Float(j) + 0.5) * spacing)
      }
    }
    return sum * (spacing * spacing)
  }
}
