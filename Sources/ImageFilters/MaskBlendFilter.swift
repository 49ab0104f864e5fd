public import HDRRender
public import ImageCore

/// Another picture where a mask is 1, the picture where it is 0, and between b + (f − b) · mask.
/// The mask and the other picture have the picture's size.
public struct MaskBlendFilter: ImageFilter {
  private let composite: CompositeFilter

  /// Throws when mask and picture differ in size.
  public init(with other: any PixelSource<DisplayReferred>, mask: PixelMask) throws(OperatorError) {
    composite = try CompositeFilter(other, mode: .over, alpha: mask)
  }

  /// `.maskBlend`.
  public var operation: EditOperation { .maskBlend }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    guard source.size == composite.foreground.size else {
      throw OperatorError(
        "blend with mask",
        "the pictures are \(source.size) and \(composite.foreground.size); give two of one size")
    }
    return composite.applied(to: source)
  }
}

/// A filter weighted by a mask: full effect at 1, none at 0. The filter must keep the size and the
/// primaries of the picture.
public struct MaskedFilter: ImageFilter {
  /// The filter that is applied.
  public let edit: any ImageFilter
  private let mask: PixelMask

  /// `edit`, weighted by `mask`, which has the picture's size.
  public init(_ edit: any ImageFilter, mask: PixelMask) {
    self.edit = edit
    self.mask = mask
  }

  /// `.masked`.
  public var operation: EditOperation { .masked }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    try MaskBlendFilter(with: edit.applied(to: source), mask: mask).applied(to: source)
  }
}
