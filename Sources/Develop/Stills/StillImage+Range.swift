public import HDRRender
import ImageCore
public import Readers

extension StillImage {
  /// The dynamic range of the picture for mixing. Linear floats and pictures with a gain
  /// map, which have no HDR transfer function of their own, are treated as PQ without metadata.
  public var dynamicRange: DynamicRangeMix {
    gainMap != nil && baseDynamicRange == .sdr ? .pq : baseDynamicRange
  }

  /// The same for the base only, without its gain map.
  public var baseDynamicRange: DynamicRangeMix {
    switch color.transfer {
    case .hlg: .hlg
    case .pq: hdrMetadata.contentLight == nil && hdrMetadata.masteringDisplay == nil ? .pq : .hdr10
    case .linear: isFloat ? .pq : .sdr
    default: .sdr
    }
  }
}
