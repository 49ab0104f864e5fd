import ImageCore

/// The gains at the end of opcode list 2: GainMap, FixVignetteRadial, ScalePerRow and
/// ScalePerColumn (DNG 1.7.1 chapter 7), which phones write against lens vignetting. They are
/// applied later: only the unmultiplied samples show which were saturated, and the noise model of
/// the file refers to them.
package struct SensorGains: Sendable {
  /// A gain and the frame of its coordinates.
  package struct Step: Sendable {
    package let action: Opcode.Action
    package fileprivate(set) var frame: OpcodeFrame
  }

  /// In order of application.
  package private(set) var steps: [Step]

  /// Splits `actions`, the first of which is in `frame`, into those before the gains and the gains
  /// at the end, nil if there are none.
  package static func split(
    _ actions: [Opcode.Action], _ frame: OpcodeFrame
  ) -> (rest: [Opcode.Action], gains: SensorGains?) {
    let end = actions.lastIndex { !$0.isGain && !$0.isTrim }.map { $0 + 1 } ?? 0
    var (rest, frame, steps) = ([Opcode.Action](), frame, [Step]())
    for (index, action) in actions.enumerated() {
      if case .trim(let bounds) = action { frame = frame.trimmed(bounds)?.frame ?? frame }
      if index < end || action.isTrim {
        rest.append(action)
      } else {
        steps.append(Step(action: action, frame: frame))
      }
    }
    return (rest, steps.isEmpty ? nil : SensorGains(steps))
  }

  private init(_ steps: [Step]) { self.steps = steps }

  /// The same for the part of the picture in `rect`.
  func part(_ rect: PixelRect) -> SensorGains {
    var part = self
    for index in part.steps.indices {
      part.steps[index].frame.origin.x += rect.x
      part.steps[index].frame.origin.y += rect.y
    }
    return part
  }

  /// Far beyond values in files, and small enough that products with it stay finite.
  private static let largest: Float = 0x1p60

  /// Bounds of the product of all gains at any photosite.
  package var range: ClosedRange<Float> {
    let all = products { $0.action.gainRange }
    let (low, high) = (all.map(\.lowerBound).min() ?? 1, all.map(\.upperBound).max() ?? 1)
    return min(low, 1)...max(high, 1)
  }

  /// The approximate mean of the product over the picture.
  package var mean: Float {
    let all = products {
      let mean = $0.action.meanGain; return mean...mean
    }
    return all.reduce(0) { $0 + $1.lowerBound } / Float(all.count)
  }

  /// The product of `values` at each position of a 2 × 2 pattern: a Bayer mosaic may have a map for
  /// each filter.
  private func products(_ values: (Step) -> ClosedRange<Float>) -> [ClosedRange<Float>] {
    (0..<4).map { position in
      steps.reduce(1...1) { product, step in
        guard step.holds(x: position & 1, y: position >> 1) else { return product }
        let value = values(step)
        let ends = [product.lowerBound, product.upperBound].flatMap {
          [$0 * value.lowerBound, $0 * value.upperBound]
        }.map { min(max($0, -Self.largest), Self.largest) }
        return (ends.min() ?? 1)...(ends.max() ?? 1)
      }
    }
  }
}

extension SensorGains.Step {
  /// Whether it may change photosites at this position of a 2 × 2 pattern.
  fileprivate func holds(x: Int, y: Int) -> Bool {
    guard let area = action.area, area.rowPitch == 2, area.columnPitch == 2 else { return true }
    let (left, top) = ((area.rect?.x ?? 0) - frame.origin.x, (area.rect?.y ?? 0) - frame.origin.y)
    return (left - x) % 2 == 0 && (top - y) % 2 == 0
  }
}

extension Opcode.Action {
  /// Whether it multiplies samples and does nothing else.
  var isGain: Bool {
    switch self {
    case .gains, .vignette: true
    case .lines(let lines): lines.operation == .multiply
    case .warp, .badPixels, .trim, .map: false
    }
  }

  fileprivate var area: OpcodeArea? {
    switch self {
    case .gains(let map): map.area
    case .lines(let lines): lines.area
    default: nil
    }
  }

  /// Bounds of its gains, including 1 for unchanged samples.
  fileprivate var gainRange: ClosedRange<Float> {
    let values: [Float] =
      switch self {
      case .gains(let map): map.gains
      case .lines(let lines): lines.values
      case .vignette(let vignette):
        // r² is 1 at most.
        vignette.coefficients.reduce(into: [1, 1]) { ends, k in
          ends[k < 0 ? 0 : 1] += Float(k)
        }
      default: []
      }
    return min(values.min() ?? 1, 1)...max(values.max() ?? 1, 1)
  }

  fileprivate var meanGain: Float {
    switch self {
    case .gains(let map): map.gains.reduce(0, +) / Float(map.gains.count)
    case .lines(let lines): lines.values.reduce(0, +) / Float(lines.values.count)
    case .vignette(let vignette):
      // Half of the picture lies within a squared radius of 0.4 times that of the corner.
      vignette.coefficients.reversed().reduce(Float(0)) { ($0 + Float($1)) * 0.4 } + 1
    default: 1
    }
  }
}
