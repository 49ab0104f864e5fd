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

  /// The edit put on `source`.
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

/// An edit that acts only as far as a mask says: fully at 1, not at all at 0. It must keep the size
/// and the primaries of the picture.
public struct MaskedFilter: ImageFilter {
  /// What acts.
  public let edit: any ImageFilter
  private let mask: PixelMask

  /// `edit` where `mask`, which has the picture's size, says.
  public init(_ edit: any ImageFilter, mask: PixelMask) {
    self.edit = edit
    self.mask = mask
  }

  /// `.masked`.
  public var operation: EditOperation { .masked }

  /// The edit put on `source`.
  public func applied(to source: any PixelSource<DisplayReferred>) throws(OperatorError)
    -> any PixelSource<DisplayReferred>
  {
    try MaskBlendFilter(with: edit.applied(to: source), mask: mask).applied(to: source)
  }
}
