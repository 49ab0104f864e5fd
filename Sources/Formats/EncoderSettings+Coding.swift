import HDRRender
import ImageCore

extension EncoderSettings {
  /// Display name of the range and primaries of a file, as `PQ HDR, BT.2020`; `hasGainMap` is false
  /// where the file needed none.
  package func coding(hasGainMap: Bool) -> String {
    let range =
      switch transfer {
      case .pq: "PQ HDR"
      case .hlg: "HLG HDR"
      case .standard: isFloat ? "linear HDR" : isLinear ? "linear SDR" : "SDR"
      }
    let map = !hasGainMap ? "" : transfer == .standard ? " with a gain map" : " with a map to SDR"
    return range + map + ", " + (profile?.name ?? primaries.name)
  }
}
