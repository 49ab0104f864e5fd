import Containers
package import ImageCore

/// The three opcode lists of a DNG, checked and put where they act (DNG 1.7.1 chapter 7).
///
/// List 1 acts on stored values of the whole frame, list 2 on linear values of the active area,
/// list 3 on the demosaiced picture. Pictures without a mosaic have no demosaic between the last
/// two: their list 2 from its first warp on is done with list 3. TrimBounds moves the corner: later
/// opcodes, and DefaultCrop, count from the new one, as in the reference renderer.
package struct OpcodeLists: Sendable {
  /// The lists as stored.
  package let lists: [OpcodeList]
  /// Opcodes that a reader may leave out and that cannot be applied here, each with its list.
  package let unapplied: [String]
  /// What is left of the active area after the trims before the demosaic.
  package let kept: PixelRect
  /// Columns and rows after those behind it.
  package let finalSize: PixelSize
  private var stages: [[Step]]
  private let frames: [OpcodeFrame]

  /// When opcodes act: on stored values, on linear values, on demosaiced ones.
  package enum Stage: Int, CaseIterable { case stored, linear, lens }

  private struct Step {
    let opcode: Opcode
    let action: Opcode.Action
    /// Whether it replaces the optional WarpRectilinear2 before it.
    let isSubstitute: Bool

    func isChosen(_ selection: OpcodeSelection) -> Bool {
      if action.isTrim { return true }
      if opcode.correctsLens, !selection.correctsLens { return false }
      return !(opcode.isSkippedForPreview && selection.isPreview)
    }
  }

  /// No opcodes in a picture of `size`.
  package init(size: PixelSize) {
    lists = [OpcodeList(), OpcodeList(), OpcodeList()]
    (unapplied, kept, finalSize) = ([], PixelRect(size), size)
    stages = [[], [], []]
    frames = Array(repeating: OpcodeFrame(size: size), count: 3)
  }

  /// What is known of a picture before its opcodes are.
  package struct Picture {
    /// Columns and rows as stored.
    let stored: PixelSize
    let active: PixelRect
    let isMosaic: Bool
    let pixelAspect: Double

    package init(stored: PixelSize, active: PixelRect, isMosaic: Bool, pixelAspect: Double = 1) {
      self.stored = stored
      self.active = active
      self.isMosaic = isMosaic
      self.pixelAspect = pixelAspect
    }
  }

  /// The lists in three runs of bytes. Fails when one is damaged, or holds an opcode that is needed
  /// and cannot be done, or more than the limit.
  package init(
    _ bytes: [[UInt8]], _ picture: Picture, limits: DecodeLimits = DecodeLimits(),
    path: String? = nil
  ) throws(RAWError) {
    lists = try bytes.enumerated().map { (index, list) throws(RAWError) in
      do { return try OpcodeList(list) } catch {
        throw RAWError(
          .damaged, .open, "its OpcodeList\(index + 1) is damaged; copy the file again", path: path)
      }
    }
    guard lists.allSatisfy({ $0.opcodes.count <= limits.maxItems }) else {
      throw RAWError(limits.tooMany("opcodes in a list").at(path), .open)
    }
    var runs = lists.enumerated().map { index, list in
      list.opcodes.map { (opcode: $0, list: "OpcodeList\(index + 1)") }
    }
    if !picture.isMosaic, let warp = runs[1].firstIndex(where: { $0.opcode.action?.isWarp == true })
    {
      runs[2] = runs[1][warp...] + runs[2]
      runs[1].removeSubrange(warp...)
    }
    var position = OpcodePosition(
      frame: OpcodeFrame(
        size: picture.stored, origin: PixelPoint(x: picture.active.x, y: picture.active.y),
        pixelAspect: picture.pixelAspect), kept: PixelRect(picture.active.size))
    var (stages, frames, unapplied): ([[Step]], [OpcodeFrame], [String]) = ([], [], [])
    var sensorArea = position.kept
    for stage in Stage.allCases {
      if stage != .stored { position.restart() }
      if stage == .lens { sensorArea = position.kept }
      frames.append(position.frame)
      var steps: [Step] = []
      var isReplaceable = false
      for (opcode, list) in runs[stage.rawValue] {
        let isSubstitute = isReplaceable && [1, 2].contains(opcode.id)
        isReplaceable = false
        if let action = opcode.action, position.take(action, stage) {
          steps.append(Step(opcode: opcode, action: action, isSubstitute: isSubstitute))
          isReplaceable = opcode.id == 14 && opcode.isOptional
        } else if opcode.isOptional {
          unapplied.append("\(opcode.name) of \(list)")
        } else {
          throw opcode.refusal(list, path)
        }
      }
      stages.append(steps)
    }
    kept = sensorArea
    finalSize = position.kept.size
    frames[2].origin = PixelPoint(x: 0, y: 0)
    self.stages = stages
    self.frames = frames
    self.unapplied = unapplied
  }

  /// The picture that opcodes of `stage` count in.
  package func frame(_ stage: Stage) -> OpcodeFrame { frames[stage.rawValue] }

  /// What is done in `stage`, in order; what changes nothing is left out.
  package func actions(_ stage: Stage, _ selection: OpcodeSelection) -> [Opcode.Action] {
    var result: [Opcode.Action] = []
    var isReplaced = false
    for step in stages[stage.rawValue] {
      let isChosen = step.isChosen(selection) && !(step.isSubstitute && isReplaced)
      isReplaced = isChosen && step.opcode.id == 14 && step.opcode.isOptional
      if isChosen, !step.action.isIdentity { result.append(step.action) }
    }
    return result
  }

  /// `selection` with what makes no difference to `stages` set to the default: a key for caches.
  package func normalized(_ selection: OpcodeSelection, for stages: [Stage]) -> OpcodeSelection {
    let steps = stages.flatMap { self.stages[$0.rawValue] }.filter { !$0.action.isIdentity }
    var result = OpcodeSelection()
    if steps.contains(where: { $0.opcode.correctsLens }) {
      result.correctsLens = selection.correctsLens
    }
    if steps.contains(where: { $0.opcode.isSkippedForPreview && !$0.action.isTrim }) {
      result.isPreview = selection.isPreview
    }
    return result
  }

  /// Whether there are corrections of the lens that can be switched off.
  package var correctsLens: Bool {
    stages.contains { $0.contains { $0.opcode.correctsLens && !$0.action.isIdentity } }
  }

  /// Whether any opcode concerns the lens, applied or not: the file then has corrections of its
  /// own.
  package var mentionLens: Bool { lists.contains { $0.opcodes.contains(where: \.correctsLens) } }

  /// Whether a GainMap corrects the shading of the lens with that of the sensor.
  package var evenOutLight: Bool { lists.contains { $0.opcodes.contains { $0.id == 9 } } }

  /// The lists for samples to which list 1 has been applied.
  package var withoutStored: OpcodeLists {
    var lists = self
    lists.stages[Stage.stored.rawValue].removeAll { !$0.action.isTrim }
    return lists
  }

  /// Names of the opcodes of lists 1, 2 and 3, as stored.
  package var names: [[String]] { lists.map { $0.opcodes.map(\.name) } }
}

extension Opcode {
  fileprivate func refusal(_ list: String, _ path: String?) -> RAWError {
    guard isKnown else {
      let needed = version.map(String.init).joined(separator: ".")
      return RAWError(
        .unsupported, .open,
        "it needs \(name) (DNG \(needed)) of \(list), which is not known here; convert it with "
          + "Adobe DNG Converter",
        path: path)
    }
    return RAWError(
      action == nil ? .damaged : .unsupported, .open,
      action == nil
        ? "\(name) of its \(list) is damaged; copy the file again"
        : "\(name) of its \(list) makes no sense for this picture, or its opcodes would take "
          + "minutes; convert it with Adobe DNG Converter",
      path: path)
  }
}
