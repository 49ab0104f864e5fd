package import ImageCore

/// FixBadPixelsConstant (DNG 1.7.1 chapter 7, id 4: every sample of one stored value is bad) and
/// FixBadPixelsList (id 5: points and rectangles).
package struct BadPixels: Sendable {
  package enum Kind: Sendable {
    case constant(Int)
    case list(points: [PixelPoint], rects: [PixelRect])
  }

  /// Fraction of samples that may have the value of bad ones and be looked around for as far as
  /// those of a list.
  package static let mostConstant = 0.25

  /// Columns and rows within which sound samples are looked for around a bad one.
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

  /// What of `rect` matters in a frame of `size`: the part in it, and that around it which others
  /// may not be repaired from.
  package static func part(_ rect: PixelRect, in size: PixelSize) -> PixelRect {
    rect.intersection(PixelRect(size).expanded(by: reach))
  }

  /// The most samples that are repaired with all neighbors that may be needed, as a fraction of a
  /// picture of `size`; places that are listed twice count twice. Those of one value are counted
  /// when they are known.
  func share(of size: PixelSize) -> Double {
    guard case .list(let points, let rects) = kind else { return Self.mostConstant }
    // As floats: hundreds of thousands of rectangles may each have the size of the picture.
    var area = Double(points.count)
    for rect in rects { area += Double(Self.part(rect, in: size).size.area) }
    return area / Double(max(size.area, 1))
  }

  /// The filters that the phase names, in the coordinates of the frame.
  package var pattern: CFA {
    let channels: [[UInt8]] = [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]
    return CFA(width: 2, height: 2, channels: channels[bayerPhase])
  }
}
