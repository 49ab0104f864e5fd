/// What the CPU time of a development is spent on, in the order of the pipeline: the rows of
/// `rawdev bench`.
package enum MeasuredStage: String, CaseIterable, Sendable {
  case startUp = "start-up"
  case open, decode
  case sensorOpcodes = "sensor opcodes"
  case analysis
  case plan
  case levels, defects, highlights
  case lateralColor = "lateral color"
  case demosaic, despeckle
  case noiseReduction = "noise reduction"
  case moireReduction = "moiré reduction"
  case lens, defringe
  case keptPicture = "kept picture"
  case resampling, scene, sharpening
  case localContrast = "local contrast"
  case dehaze
  case localToneMap = "local tone map"
  case look, orientation
  case finish = "vignette, grain"
  case tone
  case rangeBlend = "range blend"
  case frame
  case gainMap = "gain map"
  case codes, encode, write
  /// What belongs to no other.
  case other

  /// Calls `body`; while stages are recorded, its time counts toward this stage, without the time
  /// of nested stages. `details` go into the trace.
  package func measure<R, E: Error>(
    _ details: @autoclosure () -> [String: Int] = [:], _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let thread = StageThread.current else { return try body() }
    thread.begin(self, rawValue, details())
    defer { thread.end() }
    return try body()
  }

  /// The same for `rect` of a picture.
  package func measure<R, E: Error>(
    _ rect: PixelRect, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try measure(["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height], body)
  }

  /// The same for work that a library does on its own threads: it gets the time of the entire
  /// process.
  package func measureProcess<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let thread = StageThread.current else { return try body() }
    thread.begin(self, rawValue, [:], countsProcess: true)
    defer { thread.end() }
    return try body()
  }
}

extension PixelSource {
  /// This picture, observed as with ``observed(as:)``. While stages are recorded, the time of its
  /// reads counts toward `stage`, without the stages that it reads itself.
  package func measured(as stage: MeasuredStage) -> any PixelSource<State> {
    let picture = observed(as: stage)
    // Stages that do nothing return their source.
    return StageThread.current == nil || picture is MeasuredSource<State>
      ? picture : MeasuredSource(source: picture, stage: stage)
  }
}

/// A picture whose reads are measured.
private struct MeasuredSource<State: ImageState>: PixelSource {
  let source: any PixelSource<State>
  let stage: MeasuredStage

  var size: PixelSize { source.size }
  var info: State.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try stage.measure(rect) { () throws(PixelError) in try source.read(rect, into: buffer) }
  }
}
