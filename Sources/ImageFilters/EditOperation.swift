/// The edits that there are, by name, and what each is fit for.
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
  case lightCurve
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
  case lightClamp

  /// What an operation is fit for, or a family that it belongs to.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    /// Light above 1 and below 0 comes through.
    case highDynamicRange
    /// Moves pixels.
    case geometry
    /// Changes light, each pixel by itself.
    case light
    /// Changes colors, each pixel by itself.
    case color
    /// Mixes neighbors.
    case blur
    /// Raises detail.
    case sharpen
    /// Joins two pictures.
    case composite
    /// Made by the caller.
    case custom
  }

  /// All that holds for the operation.
  public var categories: Set<Category> {
    switch self {
    case .crop, .resize, .orient, .affine: [.highDynamicRange, .geometry]
    case .exposure, .lightCurve: [.highDynamicRange, .light]
    case .colorMatrix, .whitePoint: [.highDynamicRange, .color]
    case .gaussianBlur: [.highDynamicRange, .blur]
    case .unsharpMask: [.highDynamicRange, .sharpen]
    case .maskBlend, .masked, .composite: [.highDynamicRange, .composite]
    case .pixelKernel: [.highDynamicRange, .custom]
    case .lightClamp: [.light]
    }
  }

  /// Whether light above 1 and below 0 comes through.
  public var isHDRSafe: Bool { categories.contains(.highDynamicRange) }

  /// Names of the operations in `category`, sorted.
  public static func names(in category: Category) -> [String] {
    allCases.filter { $0.categories.contains(category) }.map(\.rawValue).sorted()
  }
}
