/// All filters by name, and their categories.
public enum EditOperation: String, Sendable, Hashable, CaseIterable {
  /// ``CropFilter``
  case crop
  /// ``ResizeFilter``
  case resize
  /// ``OrientFilter``
  case orient
  /// ``AffineFilter``
  case affine
  /// ``ExposureFilter``
  case exposure
  /// ``ColorMatrixFilter``
  case colorMatrix
  /// ``ToneCurveFilter``
  case toneCurve
  /// ``WhitePointFilter``
  case whitePoint
  /// ``GaussianBlurFilter``
  case gaussianBlur
  /// ``UnsharpMaskFilter``
  case unsharpMask
  /// ``MaskBlendFilter``
  case maskBlend
  /// ``MaskedFilter``
  case masked
  /// ``CompositeFilter``
  case composite
  /// ``PixelKernel``
  case pixelKernel
  /// ``ColorClampFilter``, which is not HDR-safe.
  case colorClamp

  /// A property or family of operations.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    /// Values above 1 and below 0 are preserved.
    case highDynamicRange
    /// Moves pixels.
    case geometry
    /// Changes luminance, each pixel independently.
    case luminance
    /// Changes colors, each pixel independently.
    case color
    /// Averages neighbors.
    case blur
    /// Amplifies detail.
    case sharpen
    /// Combines two pictures.
    case composite
    /// Supplied by the caller.
    case custom
  }

  /// The categories of the operation.
  public var categories: Set<Category> {
    switch self {
    case .crop, .resize, .orient, .affine: [.highDynamicRange, .geometry]
    case .exposure, .toneCurve: [.highDynamicRange, .luminance]
    case .colorMatrix, .whitePoint: [.highDynamicRange, .color]
    case .gaussianBlur: [.highDynamicRange, .blur]
    case .unsharpMask: [.highDynamicRange, .sharpen]
    case .maskBlend, .masked, .composite: [.highDynamicRange, .composite]
    case .pixelKernel: [.highDynamicRange, .custom]
    case .colorClamp: [.luminance]
    }
  }

  /// Whether values above 1 and below 0 are preserved.
  public var isHDRSafe: Bool { categories.contains(.highDynamicRange) }

  /// Names of the operations in `category`, sorted.
  public static func names(in category: Category) -> [String] {
    allCases.filter { $0.categories.contains(category) }.map(\.rawValue).sorted()
  }
}
