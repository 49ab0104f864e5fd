import Containers
package import ImageCore

/// The three opcode lists of a DNG, validated and assigned to stages (DNG 1.7.1 chapter 7).
///
/// List 1 acts on stored values of the whole frame, list 2 on linear values of the active area,
/// list 3 on the demosaiced picture. Pictures without a mosaic have no demosaic step between lists
/// 2 and 3: their list 2 starting with its first warp runs together with list 3. TrimBounds moves
/// the origin: later opcodes, and DefaultCrop, count from the new one, as in the reference
/// renderer.
package struct OpcodeLists: Sendable {
  /// The lists as stored.
  package let lists: [OpcodeList]
  /// Optional opcodes that are not supported, each with its list.
  package let unapplied: [String]
  /// The remaining part of the active area after the trims before the demosaic.
  package let remaining: PixelRect
  /// Columns and rows after the trims that follow the demosaic.
  package let finalSize: PixelSize
  private var stages: [[Step]]
  private let frames: [OpcodeFrame]

  /// When opcodes run: on stored values, on linear values, on demosaiced values.
  package enum Stage: Int, CaseIterable { case stored, linear, lens }

  private struct Step {
    let opcode: Opcode
    let action: Opcode.Action
    /// Whether it replaces the preceding optional WarpRectilinear2.
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
    (unapplied, remaining, finalSize) = ([], PixelRect(size), size)
    stages = [[], [], []]
    frames = Array(repeating: OpcodeFrame(size: size), count: 3)
  }

  /// Properties of a picture before its opcodes run.
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

  /// Parses three lists. Throws if one is damaged, exceeds a limit, or contains a required opcode
  /// that is not supported.
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
        pixelAspect: picture.pixelAspect), remaining: PixelRect(picture.active.size))
    var (stages, frames, unapplied): ([[Step]], [OpcodeFrame], [String]) = ([], [], [])
    var sensorArea = position.remaining
    for stage in Stage.allCases {
      if stage != .stored { position.restart() }
      if stage == .lens { sensorArea = position.remaining }
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
    remaining = sensorArea
    finalSize = position.remaining.size
    frames[2].origin = PixelPoint(x: 0, y: 0)
    self.stages = stages
    self.frames = frames
    self.unapplied = unapplied
  }

  /// The frame to which the coordinates of `stage` refer.
  package func frame(_ stage: Stage) -> OpcodeFrame { frames[stage.rawValue] }

  /// The actions of `stage`, in order, without identities.
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

  /// `selection` with everything irrelevant to `stages` set to the default: a cache key.
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

  /// Whether there are lens corrections that can be switched off.
  package var correctsLens: Bool {
    stages.contains { $0.contains { $0.opcode.correctsLens && !$0.action.isIdentity } }
  }

  /// Whether any opcode concerns the lens, applied or not: the file then has its own corrections.
  package var mentionLens: Bool { lists.contains { $0.opcodes.contains(where: \.correctsLens) } }

  /// Whether a GainMap corrects lens shading together with sensor shading.
  package var correctShading: Bool { lists.contains { $0.opcodes.contains { $0.id == 9 } } }

  /// The lists for samples after list 1 has been applied.
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
        "it requires \(name) (DNG \(needed)) in \(list), which is not supported; convert it with "
          + "Adobe DNG Converter",
        path: path)
    }
    return RAWError(
      action == nil ? .damaged : .unsupported, .open,
      action == nil
        ? "\(name) of its \(list) is damaged; copy the file again"
        : "\(name) of its \(list) is invalid for this picture, or its opcodes would take "
          + "minutes; convert it with Adobe DNG Converter",
      path: path)
  }
}
