package import ImageCore
package import RawData

// OpcodeList3 on the demosaiced picture, as a chain of sources:
//
//   SensorPipeline ── PointwiseSource   gains, vignetting, maps: consecutive opcodes in one pass
//                  ── WarpSource        distortion and lateral color, one for each warp; the first
//                                       also corrects the lateral color measured in the picture
//                  ── TrimmedSource     TrimBounds ──▶ CameraRGB
//
// Each computes any rectangle on demand; results do not depend on the rectangles.

/// List 3 for pictures of one file.
package struct LensStage: Sendable {
  package private(set) var actions: [Opcode.Action]
  /// The picture at full resolution.
  package let frame: OpcodeFrame
  /// White balance that the picture is multiplied by. Gains and warps do not depend on it; maps and
  /// offsets are applied without it, as the file specifies.
  package var balance: SIMD3<Float>
  /// Whether the file has one plane, which is used for all three channels.
  package var isGray: Bool

  package init(
    actions: [Opcode.Action], frame: OpcodeFrame, balance: SIMD3<Float> = SIMD3(repeating: 1),
    isGray: Bool = false
  ) {
    (self.actions, self.frame) = (actions, frame)
    (self.balance, self.isGray) = (balance, isGray)
  }

  /// The same with the lateral color `color` of the picture corrected: in the resampling of the
  /// first warp, which then gives positions of green, or in a separate one.
  package func correcting(_ color: LateralColor) -> LensStage {
    guard !color.isEmpty else { return self }
    var stage = self
    let isWarp = { (action: Opcode.Action) in if case .warp = action { true } else { false } }
    if let index = actions.firstIndex(where: isWarp), case .warp(let warp) = actions[index] {
      stage.actions[index] = .warp(warp.correcting(color))
    } else {
      let end = actions.firstIndex(where: \.isTrim) ?? actions.count
      stage.actions.insert(.warp(LensWarp.identity.correcting(color)), at: end)
    }
    return stage
  }

  /// Whether it does nothing.
  package var isEmpty: Bool { actions.isEmpty }

  /// Whether it can be applied at reduced resolution: no opcode concerns single rows or columns.
  package var isReducible: Bool {
    actions.allSatisfy { action in
      switch action {
      case .warp, .vignette: true
      case .map(let map): map.area.isReducible
      case .gains(let map): map.area.isReducible
      case .lines, .trim, .badPixels: false
      }
    }
  }

  /// `source`, whose pixels cover `reduction` × `reduction` of the frame each, with all opcodes
  /// applied.
  package func applied(
    to source: any PixelSource<CameraRGB>, reduction: Int
  ) -> any PixelSource<CameraRGB> {
    var (source, frame) = (source, frame)
    frame.reduction = reduction
    var pointwise: [PointwiseOpcode] = []
    var before = 0
    func flush() {
      guard !pointwise.isEmpty else { return }
      source = PointwiseSource(
        source: source, opcodes: pointwise, balance: balance, isGray: isGray)
      pointwise = []
    }
    for action in actions {
      if let opcode = PointwiseOpcode(
        action, frame, width: source.size.width, before: before)
      {
        pointwise.append(opcode)
        before += 1
        continue
      }
      flush()
      switch action {
      case .warp(let warp):
        source = WarpSource(
          source: source, field: WarpField(warp, frame, size: source.size), isGray: isGray)
      case .trim(let bounds):
        guard let trimmed = frame.trimmed(bounds) else { continue }
        source = TrimmedSource(source: source, rect: trimmed.rect)
        frame.size = trimmed.rect.size
      default: break
      }
    }
    flush()
    return source
  }
}

/// A picture with pointwise opcodes applied.
struct PointwiseSource: PixelSource {
  typealias State = CameraRGB

  let source: any PixelSource<CameraRGB>
  let opcodes: [PointwiseOpcode]
  let balance: SIMD3<Float>
  let isGray: Bool

  var size: PixelSize { source.size }
  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for plane in 0..<3 {
      for y in 0..<rect.height {
        let run = PixelRun(
          values: buffer.row(plane, y), count: rect.width, x: rect.x, y: rect.y + y,
          plane: isGray ? 0 : plane, balance: balance[plane])
        for opcode in opcodes { opcode.apply(run) }
      }
    }
  }
}

/// A rectangle of a picture.
package struct TrimmedSource: PixelSource {
  package typealias State = CameraRGB

  let source: any PixelSource<CameraRGB>
  let rect: PixelRect

  package init(source: any PixelSource<CameraRGB>, rect: PixelRect) {
    (self.source, self.rect) = (source, rect)
  }

  package var size: PixelSize { rect.size }
  package var bandHeight: Int { source.bandHeight }
  package var info: CameraRGB.Info { source.info }

  package func read(_ part: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(
      PixelRect(x: part.x + rect.x, y: part.y + rect.y, width: part.width, height: part.height),
      into: buffer)
  }
}
