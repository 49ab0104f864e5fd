package import ImageCore

/// Accumulated trims and cost of the opcodes while the lists are checked.
struct OpcodePosition {
  var frame: OpcodeFrame
  /// The remaining part of the active area.
  var remaining: PixelRect
  /// Passes over the picture by the opcodes so far.
  private var passes = 0.0
  /// Passes after the demosaic, which are repeated if a later warp reads them again.
  private var repeatable = 0.0
  /// How often the warps so far read the picture before all of them.
  private var readings = 1.0
  /// Cameras' opcodes take a few passes of up to 6 ns a pixel each: 32 take some seconds for 24 MP.
  private static let maxPasses = 32.0
  /// Lens warps read little more than the picture, once each.
  private static let maxReadings = 8.0
  /// Number of source pixels that a warp tile may always use; for large pictures, a quarter of the
  /// picture. Lens warps need a tenth at most. A warp that draws the complete picture into one tile
  /// needs as much memory as two pictures.
  private static let largestPart = 8 * WarpField.tile.area
  /// Minimum cost of an opcode that changes almost nothing: it is evaluated for each row.
  private static let minPasses = 1.0 / 16

  init(frame: OpcodeFrame, remaining: PixelRect) {
    (self.frame, self.remaining) = (frame, remaining)
  }

  /// Continues with the next list, which counts from the corner of the remaining area.
  mutating func restart() {
    frame.size = remaining.size
    frame.origin = PixelPoint(x: -remaining.x, y: -remaining.y)
  }

  /// Whether `action` can run in `stage` within the cost limits; moves the origin for trims.
  mutating func take(_ action: Opcode.Action, _ stage: OpcodeLists.Stage) -> Bool {
    // Rejected opcodes count, too: rejecting them takes time.
    let own = max(action.passes(over: frame.size), Self.minPasses)
    passes += own
    guard passes <= Self.maxPasses else { return false }
    switch action {
    case .warp(let warp):
      guard stage == .lens, takeWarp(warp) else { return false }
      repeatable += own
      return true
    case .badPixels: return stage != .lens
    case .trim(let bounds):
      guard let trimmed = frame.trimmed(bounds) else { return false }
      let rest = remaining.intersection(trimmed.rect)
      guard !rest.isEmpty else { return false }
      (frame, remaining) = (trimmed.frame, rest)
      return true
    case .vignette, .map, .gains, .lines:
      if stage == .lens { repeatable += own }
      return true
    }
  }

  /// Whether `warp` can run after the opcodes so far, which it may read several times.
  private mutating func takeWarp(_ warp: LensWarp) -> Bool {
    let full = OpcodeFrame(size: frame.size, pixelAspect: frame.pixelAspect)
    let field = WarpField(warp, full, size: full.size)
    guard field.isPlausible else { return false }
    let demand = field.demand
    guard demand.largest <= max(Self.largestPart, full.size.area / 4) else { return false }
    let reading = max(demand.reading, 1)
    let again = repeatable * (reading - 1)
    guard readings * reading <= Self.maxReadings, passes + again <= Self.maxPasses else {
      return false
    }
    readings *= reading
    repeatable += again
    passes += again
    return true
  }
}

extension Opcode.Action {
  /// Cost per pixel of a picture of `size`; a warp counts 16 for each pixel it reads.
  fileprivate func passes(over size: PixelSize) -> Double {
    switch self {
    case .warp: 4
    // One pass to find them, and all possible neighbors of each.
    case .badPixels(let pixels): 2 + 32 * pixels.fraction(of: size)
    case .vignette: 1
    case .trim: 0
    case .map(let map): map.area.fraction(of: size)
    case .gains(let map): map.area.fraction(of: size)
    case .lines(let values): values.area.fraction(of: size)
    }
  }
}

extension OpcodeArea {
  /// The fraction of changed pixels in a picture of `size`.
  fileprivate func fraction(of size: PixelSize) -> Double {
    let part = (rect ?? PixelRect(size)).intersection(PixelRect(size)).size.area
    return Double(part) / Double(rowPitch) / Double(columnPitch) / Double(size.area)
  }
}

extension OpcodeFrame {
  /// The frame with its origin moved to the top left of `bounds` (top, left, bottom, right), and
  /// the remaining area in coordinates of the given picture; nil if it is outside.
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
