package import ImageCore

/// FixBadPixelsConstant (DNG 1.7.1 chapter 7, id 4: every sample of one stored value is bad) and
/// FixBadPixelsList (id 5: points and rectangles).
package struct BadPixels: Sendable {
  package enum Kind: Sendable {
    case constant(Int)
    case list(points: [PixelPoint], rects: [PixelRect])
  }

  /// Maximum fraction of samples with the value of bad ones for which neighbors are searched as far
  /// as for listed points.
  package static let maxConstantFraction = 0.25

  /// Columns and rows searched for valid samples around a bad one.
  package static let reach = 6

  package let kind: Kind
  /// Color of the frame's first pixel: 0 red, 1 green beside red, 2 green beside blue, 3 blue.
  let bayerPhase: Int

  init(constant reader: inout OpcodeReader) throws(OpcodeDamage) {
    kind = .constant(try reader.word())
    bayerPhase = try reader.word()
    guard bayerPhase <= 3 else { throw OpcodeDamage() }
  }

  init(list reader: inout OpcodeReader) throws(OpcodeDamage) {
    bayerPhase = try reader.word()
    let (pointCount, rectCount) = (try reader.word(), try reader.word())
    guard bayerPhase <= 3 else { throw OpcodeDamage() }
    try reader.require(pointCount, of: 8)
    try reader.require(rectCount, of: 16)
    var points: [PixelPoint] = []
    for _ in 0..<pointCount {
      let y = try reader.word()
      points.append(PixelPoint(x: try reader.word(), y: y))
    }
    var rects: [PixelRect] = []
    for _ in 0..<rectCount {
      let (top, left) = (try reader.word(), try reader.word())
      let (bottom, right) = (try reader.word(), try reader.word())
      guard top <= bottom, left <= right else { throw OpcodeDamage() }
      rects.append(PixelRect(x: left, y: top, width: right - left, height: bottom - top))
    }
    kind = .list(points: points, rects: rects)
  }

  var isIdentity: Bool {
    if case .list(let points, let rects) = kind { points.isEmpty && rects.isEmpty } else { false }
  }

  /// The part of `rect` that matters in a frame of `size`: the part inside, plus the margin from
  /// which other bad pixels must not be repaired.
  package static func part(_ rect: PixelRect, in size: PixelSize) -> PixelRect {
    rect.intersection(PixelRect(size).expanded(by: reach))
  }

  /// Maximum number of repaired samples including all neighbors that may be read, as a fraction of
  /// a picture of `size`. Positions that are listed twice count twice. Samples of a constant value
  /// are counted once they are known.
  func fraction(of size: PixelSize) -> Double {
    guard case .list(let points, let rects) = kind else { return Self.maxConstantFraction }
    // As floats: hundreds of thousands of rectangles may each have the size of the picture.
    var area = Double(points.count)
    for rect in rects { area += Double(Self.part(rect, in: size).size.area) }
    return area / Double(max(size.area, 1))
  }

  /// The color filters according to the phase, in coordinates of the frame.
  package var pattern: CFA {
    let channels: [[UInt8]] = [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]
    return CFA(width: 2, height: 2, channels: channels[bayerPhase])
  }
}
