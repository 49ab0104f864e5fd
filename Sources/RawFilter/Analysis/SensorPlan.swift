import ImageCore
import RawDecode
import RawSensor

/// The parameters from stored samples to the demosaic: equal plans of one file produce equal
/// pixels.
struct SensorPlan: Sendable, Hashable {
  /// Which opcodes of lists 1 and 2 are applied, normalized.
  var opcodes: OpcodeSelection
  /// Gain of each channel that makes the neutral as shot gray, the smallest 1.
  var balance: SIMD4<Float>
  /// Highlights, defects, demosaic, resolution.
  var settings: SensorSettings

  /// Without the white in use, which affects only saturated photosites.
  var underAnyWhite: SensorPlan {
    var plan = self
    plan.settings.white = .one
    return plan
  }

  /// With default method, resolution and lateral color, on which measurements of the whole picture
  /// do not depend.
  var forAnalysis: SensorPlan {
    var plan = self
    (plan.settings.method, plan.settings.resolution) = (.fast, .full)
    (plan.settings.noise, plan.settings.lateral) = (nil, nil)
    return plan
  }
}
