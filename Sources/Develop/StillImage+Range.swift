public import HDRRender
import ImageCore
public import Readers

extension StillImage {
  /// The range of the picture as mixes see it. Linear light, which has no curve of its own, and
  /// what a gain map opens count as PQ without metadata.
  public var dynamicRange: DynamicRangeMix {
    switch color.transfer {
    case .hlg: .hlg
    case .pq: light.contentLight == nil && light.masteringDisplay == nil ? .pq : .hdr10
    case .linear: .pq
    default: gainMap == nil ? .sdr : .pq
    }
  }
}
