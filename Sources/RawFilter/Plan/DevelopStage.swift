import HDRRender
import ImageCore
import RawSensor

/// The stages of the pipeline in pipeline order: ``DevelopPlan/stages()``.
package enum DevelopStage: String, CaseIterable, Sendable {
  case decode, sensorOpcodes, blackAndBalance, defects, highlights, lateralColor, demosaic
  case despeckle, noiseReduction, moireReduction
  case lens, defringe
  case resampling
  case clippedNeutral, cameraMatrix, profileTables, cameraGamut, linearSpaceFilter
  case captureSharpening, localContrast, dehaze, localToneMap
  case toneAdjustment = "light", color
  case orientation
  case vignette, grain
  case toneCurve, cameraLook, pointCurves, lut = "look", gamutMapping, rangeBlend
  case frame
}

extension DevelopPlan {
  /// The stages that change this picture. The others are left out of the pipeline.
  package var activeStages: [DevelopStage] { DevelopStage.allCases.filter(isActive) }

  private func isActive(_ stage: DevelopStage) -> Bool {
    let opcodes = picture.file.info.opcodes
    let isMosaic = if case .mosaic = picture.file.info.layout { true } else { false }
    let isReduced = sensor.settings.resolution == .reduced
    return switch stage {
    case .decode, .blackAndBalance: true
    case .sensorOpcodes:
      !opcodes.actions(.stored, sensor.opcodes).isEmpty
        || !opcodes.actions(.linear, sensor.opcodes).isEmpty
    case .defects: sensor.settings.defects != .kept && picture.file.info.layout != .linear
    case .highlights:
      switch sensor.settings.highlights {
      case .guided: clippedFraction.max() > 0
      case .clipped: true
      case .kept: false
      }
    case .lateralColor: sensor.settings.lateral != nil
    case .demosaic: isMosaic && !isReduced
    case .despeckle: noise.despeckle > 0
    case .noiseReduction: noise.needsSpectrum
    case .moireReduction: noise.moire > 0
    case .lens: !lens.isEmpty
    case .defringe: defringe > 0
    case .resampling: isReduced || !framing.isUnscaled
    case .clippedNeutral: color.clippedNeutral != nil
    case .cameraMatrix: color.profile == nil
    case .profileTables: color.profile != nil
    case .cameraGamut: color.gamut != nil
    case .linearSpaceFilter: color.filter != nil
    case .captureSharpening: detail.sharpening != nil
    case .localContrast: detail.fine != nil || detail.localContrast != nil
    case .dehaze: detail.haze != nil
    case .localToneMap: detail.tone != nil
    case .toneAdjustment: toneColor.tone != nil
    case .color: toneColor.color != nil
    case .orientation: orientation != .up
    case .vignette: finish.vignette != nil
    case .grain: finish.grain != nil
    case .toneCurve: settings.isDisplayReferred
    case .cameraLook: settings.isDisplayReferred && (displayLook.start?.amount ?? 0) > 0
    case .pointCurves: settings.isDisplayReferred && displayLook.hasCurves
    case .lut: settings.isDisplayReferred && (displayLook.lookup?.amount ?? 0) > 0
    case .gamutMapping: settings.isDisplayReferred && settings.isGamutMappingEnabled
    case .rangeBlend: if case .none = blend { false } else { true }
    case .frame: !frame.isNeutral
    }
  }
}
