package import ImageCore

/// How far trims have come when the lists are checked.
struct OpcodePosition {
  var frame: OpcodeFrame
  /// What is left of the active area.
  var kept: PixelRect

  /// Goes on with the next list, which counts from the corner of what is left.
  mutating func restart() {
    frame.size = kept.size
    frame.origin = PixelPoint(x: -kept.x, y: -kept.y)
  }

  /// Whether `action` can be done in `stage`; moves the corner when it trims.
  mutating func take(_ action: Opcode.Action, _ stage: OpcodeLists.Stage) -> Bool {
    switch action {
    case .warp(let warp):
      let whole = OpcodeFrame(size: frame.size, pixelAspect: frame.pixelAspect)
      return stage == .lens && WarpField(warp, whole, size: whole.size).isPlausible
    case .badPixels(let pixels):
      return stage != .lens && pixels.isPlausible(in: frame.size)
    case .trim(let bounds):
      guard let trimmed = frame.trimmed(bounds) else { return false }
      let rest = kept.intersection(trimmed.rect)
      guard !rest.isEmpty else { return false }
      (frame, kept) = (trimmed.frame, rest)
      return true
    case .vignette, .map, .gains, .lines: return true
    }
  }
}

extension OpcodeFrame {
  /// The frame whose corner is moved to that of top, left, bottom, right `bounds`, and what is left
  /// in the coordinates of the given picture; nil when they lie outside.
  package func trimmed(_ bounds: [Int]) -> (frame: OpcodeFrame, rect: PixelRect)? {
    let rect = PixelRect(
      x: bounds[1], y: bounds[0], width: bounds[3] - bounds[1], height: bounds[2] - bounds[0])
    guard !rect.isEmpty, PixelRect(size).contains(rect) else { return nil }
    var frame = self
    frame.size = rect.size
    frame.origin = PixelPoint(x: origin.x - rect.x, y: origin.y - rect.y)
    return (
      frame,
      PixelRect(
        x: rect.x - origin.x, y: rect.y - origin.y, width: rect.width, height: rect.height)
    )
  }
}
