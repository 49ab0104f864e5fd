package import ImageCore

/// FixBadPixelsConstant (DNG 1.7.1 chapter 7, id 4: every sample of one stored value is bad) and
/// FixBadPixelsList (id 5: points and rectangles).
package struct BadPixels: Sendable {
  package enum Kind: Sendable {
    case constant(Int)
    case list(points: [PixelPoint], rects: [PixelRect])
  }

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

  /// Whether its rectangles, clipped to `size`, cover no more than four pictures in all: more would
  /// take too long.
  func isPlausible(in size: PixelSize) -> Bool {
    guard case .list(_, let rects) = kind else { return true }
    var area = 0
    for rect in rects { area += rect.intersection(PixelRect(size)).size.area }
    return area <= 4 * size.area
  }

  /// The filters that the phase names, in the coordinates of the frame.
  package var pattern: CFA {
    let channels: [[UInt8]] = [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]
    return CFA(width: 2, height: 2, channels: channels[bayerPhase])
  }
}
