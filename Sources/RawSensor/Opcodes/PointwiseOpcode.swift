import ImageCore
import RawData

/// An opcode that changes each sample independently, prepared for pictures of one width.
enum PointwiseOpcode: Sendable {
  case gains(PreparedGainMap)
  case vignette(PreparedVignette)
  case map(LookupTable, OpcodeFrame)
  case lines(RowColumnOpcode, OpcodeFrame)

  /// Nil for actions of another kind. `width`: columns of the given picture; `before`: the number
  /// of opcodes prepared before it.
  init?(_ action: Opcode.Action, _ frame: OpcodeFrame, width: Int, before: Int) {
    switch action {
    case .gains(let map):
      self = .gains(
        PreparedGainMap(
          map, frame, width: width, keepsPositions: before < PreparedGainMap.maxStored))
    case .vignette(let vignette): self = .vignette(PreparedVignette(vignette, frame, width: width))
    case .map(let map): self = .map(map, frame)
    case .lines(let values): self = .lines(values, frame)
    case .warp, .badPixels, .trim: return nil
    }
  }

  func apply(_ run: PixelRun) {
    switch self {
    case .gains(let map): map.apply(run)
    case .vignette(let vignette): vignette.apply(run)
    case .map(let map, let frame): map.apply(run, frame)
    case .lines(let values, let frame): values.apply(run, frame)
    }
  }
}
