public import HDRRender
import ImageCore
public import Readers

extension StillImage {
  /// The dynamic range of the picture for mixing. Linear light and pictures with a gain map, which
  /// have no HDR transfer function of their own, are treated as PQ without metadata.
  public var dynamicRange: DynamicRangeMix {
    switch color.transfer {
    case .hlg: .hlg
    case .pq: light.contentLight == nil && light.masteringDisplay == nil ? .pq : .hdr10
    case .linear: .pq
    default: gainMap == nil ? .sdr : .pq
    }
  }
}
