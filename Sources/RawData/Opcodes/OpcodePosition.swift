package import ImageCore

/// How far trims, and the work of all opcodes, have come when the lists are checked.
struct OpcodePosition {
  var frame: OpcodeFrame
  /// What is left of the active area.
  var kept: PixelRect
  /// Times that the opcodes so far go over the picture.
  private var passes = 0.0
  /// Of these the opcodes behind the demosaic, which are done again where a later warp reads again.
  private var repeatable = 0.0
  /// Times that the warps so far read the picture in front of all of them.
  private var readings = 1.0
  /// Cameras' opcodes take a few; each takes up to 6 ns a pixel, so these some seconds of 24 MP.
  private static let mostPasses = 32.0
  /// Those of lenses read little more than the picture, once each.
  private static let mostReadings = 8.0
  /// Pixels that a tile of a warp may hold of the picture in any case; of large pictures a quarter.
  /// Lenses need a tenth at most, and what draws all of it together into one tile as much memory as
  /// the picture takes twice.
  private static let largestPart = 8 * WarpField.tile.area
  /// Of one that changes next to nothing: it is asked in each row.
  private static let leastPasses = 1.0 / 16

  init(frame: OpcodeFrame, kept: PixelRect) { (self.frame, self.kept) = (frame, kept) }

  /// Goes on with the next list, which counts from the corner of what is left.
  mutating func restart() {
    frame.size = kept.size
    frame.origin = PixelPoint(x: -kept.x, y: -kept.y)
  }

  /// Whether `action` can be done in `stage`, in time; moves the corner when it trims.
  mutating func take(_ action: Opcode.Action, _ stage: OpcodeLists.Stage) -> Bool {
    // Of what is refused, too: to see that takes time.
    let own = max(action.passes(over: frame.size), Self.leastPasses)
    passes += own
    guard passes <= Self.mostPasses else { return false }
    switch action {
    case .warp(let warp):
      guard stage == .lens, takeWarp(warp) else { return false }
      repeatable += own
      return true
    case .badPixels: return stage != .lens
    case .trim(let bounds):
      guard let trimmed = frame.trimmed(bounds) else { return false }
      let rest = kept.intersection(trimmed.rect)
      guard !rest.isEmpty else { return false }
      (frame, kept) = (trimmed.frame, rest)
      return true
    case .vignette, .map, .gains, .lines:
      if stage == .lens { repeatable += own }
      return true
    }
  }

  /// Whether `warp` can be done behind what was taken, which it may read several times.
  private mutating func takeWarp(_ warp: LensWarp) -> Bool {
    let whole = OpcodeFrame(size: frame.size, pixelAspect: frame.pixelAspect)
    let field = WarpField(warp, whole, size: whole.size)
    guard field.isPlausible else { return false }
    let demand = field.demand
    guard demand.largest <= max(Self.largestPart, whole.size.area / 4) else { return false }
    let reading = max(demand.reading, 1)
    let again = repeatable * (reading - 1)
    guard readings * reading <= Self.mostReadings, passes + again <= Self.mostPasses else {
      return false
    }
    readings *= reading
    repeatable += again
    passes += again
    return true
  }
}

extension Opcode.Action {
  /// How much of the work on each pixel of a picture of `size` it is; a warp reads 16 for each.
  fileprivate func passes(over size: PixelSize) -> Double {
    switch self {
    case .warp: 4
    // To find them, and for each that all neighbors are looked at which it may come from.
    case .badPixels(let pixels): 2 + 32 * pixels.share(of: size)
    case .vignette: 1
    case .trim: 0
    case .map(let map): map.area.share(of: size)
    case .gains(let map): map.area.share(of: size)
    case .lines(let values): values.area.share(of: size)
    }
  }
}

extension OpcodeArea {
  /// The part of the pixels of a picture of `size` that is changed.
  fileprivate func share(of size: PixelSize) -> Double {
    let part = (rect ?? PixelRect(size)).intersection(PixelRect(size)).size.area
    return Double(part) / Double(rowPitch) / Double(columnPitch) / Double(size.area)
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
