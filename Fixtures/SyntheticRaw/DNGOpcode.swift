/// An operation of an opcode list (DNG 1.7.1, chapter 7), its data most significant byte first.
public struct DNGOpcode: Sendable, Hashable {
  /// What it does, 1…14.
  public var identifier: UInt32
  /// Whether readers may leave it out.
  public var isOptional: Bool
  /// Its parameters as stored.
  public var parameters: [UInt8]

  /// The operation `identifier` with these parameters.
  public init(identifier: UInt32, parameters: [UInt8], isOptional: Bool = false) {
    self.identifier = identifier
    self.parameters = parameters
    self.isOptional = isOptional
  }

  /// Rows and columns that an operation changes, and the planes.
  public struct Area: Sendable, Hashable {
    /// Top, left, bottom, right.
    public var bounds: [UInt32]
    /// First plane and number of planes.
    public var planes: [UInt32] = [0, 1]
    /// Rows and columns from one changed pixel to the next.
    public var pitch: [UInt32] = [1, 1]
    /// The area with these bounds: top, left, bottom, right.
    public init(top: UInt32, left: UInt32, bottom: UInt32, right: UInt32) {
      bounds = [top, left, bottom, right]
    }
  }

  /// FixVignetteRadial: gain 1 + k0·r² + … + k4·r¹⁰.
  public static func vignette(_ k: [Double], center: SIMD2<Double>) -> DNGOpcode {
    DNGOpcode(identifier: 3, parameters: doubles(k + [center.x, center.y]))
  }

  /// WarpRectilinear with one set of six coefficients for each plane, or one for all.
  public static func warp(_ sets: [[Double]], center: SIMD2<Double>) -> DNGOpcode {
    DNGOpcode(
      identifier: 1,
      parameters: longs([UInt32(sets.count)]) + doubles(sets.flatMap { $0 } + [center.x, center.y]))
  }

  /// MapPolynomial with ascending coefficients.
  public static func polynomial(_ area: Area, _ coefficients: [Double]) -> DNGOpcode {
    DNGOpcode(
      identifier: 8,
      parameters: encoded(area) + longs([UInt32(coefficients.count - 1)]) + doubles(coefficients))
  }

  /// GainMap of one plane whose points span the complete area.
  public static func gainMap(_ area: Area, rows: Int, columns: Int, gains: [Float]) -> DNGOpcode {
    let spacing = [1 / Double(max(rows - 1, 1)), 1 / Double(max(columns - 1, 1)), 0, 0]
    var out = ByteStream(order: .big)
    for gain in gains { out.append(gain.bitPattern) }
    return DNGOpcode(
      identifier: 9,
      parameters: encoded(area) + longs([UInt32(rows), UInt32(columns)]) + doubles(spacing)
        + longs([1]) + out.bytes)
  }

  /// ScalePerColumn.
  public static func columnScale(_ area: Area, _ factors: [Float]) -> DNGOpcode {
    var out = ByteStream(order: .big)
    for factor in factors { out.append(factor.bitPattern) }
    return DNGOpcode(
      identifier: 13, parameters: encoded(area) + longs([UInt32(factors.count)]) + out.bytes)
  }

  /// FixBadPixelsList of points (row, column).
  public static func badPixels(phase: UInt32, _ points: [SIMD2<UInt32>]) -> DNGOpcode {
    DNGOpcode(
      identifier: 5,
      parameters: longs(
        [phase, UInt32(points.count), 0] + points.flatMap { [$0.x, $0.y] }))
  }

  /// A list as the field holds it.
  static func list(_ opcodes: [DNGOpcode]) -> [UInt8] {
    var out = ByteStream(order: .big)
    out.append(UInt32(opcodes.count))
    for opcode in opcodes {
      out.append(opcode.identifier)
      out.bytes += opcode.identifier == 14 ? [1, 6, 0, 0] : [1, 3, 0, 0]
      out.append(UInt32(opcode.isOptional ? 1 : 0))
      out.append(UInt32(opcode.parameters.count))
      out.bytes += opcode.parameters
    }
    return out.bytes
  }

  private static func encoded(_ area: Area) -> [UInt8] {
    longs(area.bounds + area.planes + area.pitch)
  }

  private static func longs(_ values: [UInt32]) -> [UInt8] {
    var out = ByteStream(order: .big)
    for value in values { out.append(value) }
    return out.bytes
  }

  private static func doubles(_ values: [Double]) -> [UInt8] {
    var out = ByteStream(order: .big)
    for value in values { out.append(value.bitPattern) }
    return out.bytes
  }
}
