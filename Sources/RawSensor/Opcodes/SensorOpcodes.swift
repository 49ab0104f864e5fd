import ImageCore
import RawData

/// A stored sample that opcodes can change.
protocol OpcodeSample: Sendable {
  /// The nearest sample.
  init(nearest value: Float)
  var floatValue: Float { get }
}

extension UInt16: OpcodeSample {
  init(nearest value: Float) {
    self = value > 0 ? (value < 65535 ? UInt16(value + 0.5) : 65535) : 0
  }
  var floatValue: Float { Float(self) }
}

extension Float: OpcodeSample {
  init(nearest value: Float) { self = value }
  var floatValue: Float { self }
}

/// One opcode list on a picture in memory, before it is demosaiced: runs of pointwise opcodes in
/// one pass, row by row; bad pixels in passes of their own.
struct SensorOpcodes: Sendable {
  let actions: [Opcode.Action]
  let frame: OpcodeFrame
  let size: PixelSize
  let layout: SensorData.Layout
  let workers: Int

  private static let bandHeight = 16
  private var samplesPerPixel: Int { layout == .linear ? 3 : 1 }

  /// Changes the samples at `memory`, row by row, samples of a pixel side by side.
  func apply<Sample: OpcodeSample>(to memory: UnsafeMutablePointer<Sample>) throws(PixelError) {
    var frame = frame
    var pointwise: [PointwiseOpcode] = []
    for action in actions {
      if let opcode = PointwiseOpcode(
        action, frame, width: size.width, before: pointwise.count)
      {
        pointwise.append(opcode)
        continue
      }
      try apply(pointwise, to: memory)
      pointwise = []
      switch action {
      case .badPixels(let pixels): try repair(pixels, frame, memory)
      case .trim(let bounds): if let trimmed = frame.trimmed(bounds) { frame = trimmed.frame }
      default: break
      }
    }
    try apply(pointwise, to: memory)
  }

  private func apply<Sample: OpcodeSample>(
    _ opcodes: [PointwiseOpcode], to memory: UnsafeMutablePointer<Sample>
  ) throws(PixelError) {
    guard !opcodes.isEmpty else { return }
    nonisolated(unsafe) let memory = memory
    let (width, perPixel) = (size.width, samplesPerPixel)
    try eachBand { rows in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { line in
        guard let values = line.baseAddress else { return }
        for y in rows {
          for plane in 0..<perPixel {
            let row = memory + (y * width * perPixel + plane)
            for x in 0..<width { values[x] = row[x &* perPixel].floatValue }
            let run = PixelRun(
              values: MutableRowView(values, count: width, before: 0, behind: 0), count: width,
              x: 0, y: y, plane: plane)
            for opcode in opcodes { opcode.apply(run) }
            for x in 0..<width { row[x &* perPixel] = Sample(nearest: values[x]) }
          }
        }
      }
    }
  }

  private func eachBand(_ body: @Sendable (Range<Int>) -> Void) throws(PixelError) {
    let height = size.height
    try Parallel.forEach(count: (height + Self.bandHeight - 1) / Self.bandHeight, workers: workers)
    {
      band, _ in
      body(band * Self.bandHeight..<min((band + 1) * Self.bandHeight, height))
    }
  }

  private func repair<Sample: OpcodeSample>(
    _ pixels: BadPixels, _ frame: OpcodeFrame, _ memory: UnsafeMutablePointer<Sample>
  ) throws(PixelError) {
    nonisolated(unsafe) let memory = memory
    let (width, perPixel) = (size.width, samplesPerPixel)
    let repair = BadPixelRepair(cfa(pixels, frame), origin: frame.origin)
    for plane in 0..<perPixel {
      let sample = { @Sendable (x: Int, y: Int) in
        memory[(y * width + x) * perPixel + plane].floatValue
      }
      let mask = mask(pixels, frame, sample)
      let isMostlyBad =
        if case .constant = pixels.kind {
          Double(mask.count) > BadPixels.maxConstantFraction * Double(size.area)
        } else { false }
      try eachBand { rows in
        for y in rows {
          mask.eachBad(row: y) { x in
            guard let value = repair.value(x, y, mask, isMostlyBad: isMostlyBad, sample) else {
              return
            }
            memory[(y * width + x) * perPixel + plane] = Sample(nearest: value)
          }
        }
      }
    }
  }

  /// The opcode's phase describes Bayer patterns only; other mosaics use their own pattern.
  private func cfa(_ pixels: BadPixels, _ frame: OpcodeFrame) -> CFA {
    switch layout {
    case .mosaic(let cfa) where cfa.kind == .bayer: return pixels.pattern
    case .mosaic(let cfa):
      let (x, y) = (-frame.origin.x, -frame.origin.y)
      return cfa.shifted(x: floorModulo(x, cfa.width), y: floorModulo(y, cfa.height))
    case .monochrome, .linear: return CFA(width: 1, height: 1, channels: [0])
    }
  }

  private func mask(
    _ pixels: BadPixels, _ frame: OpcodeFrame, _ sample: @Sendable (Int, Int) -> Float
  ) -> BadPixelMask {
    var mask = BadPixelMask(size)
    switch pixels.kind {
    case .constant(let value):
      let scale = 65535 / frame.top
      for y in 0..<size.height {
        for x in 0..<size.width where (sample(x, y) * scale).rounded() == Float(value) {
          mask.mark(x, y)
        }
      }
    case .list(let points, let rects):
      for point in points { mask.mark(point.x - frame.origin.x, point.y - frame.origin.y) }
      for rect in rects {
        let seen = BadPixels.part(rect, in: frame.size)
        let part = PixelRect(
          x: seen.x - frame.origin.x, y: seen.y - frame.origin.y, width: seen.width,
          height: seen.height
        ).intersection(PixelRect(size))
        for y in part.y..<part.endY {
          for x in part.x..<part.endX { mask.mark(x, y) }
        }
      }
    }
    return mask
  }
}
