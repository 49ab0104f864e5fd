import ImageCore

extension LibRawMetadata {
  /// The borders that LibRaw uses for the black of a mosaic, in the stored picture: the areas it
  /// names, or, for Canon, the area left and right of the visible area except for two columns at
  /// each side; empty if it has none. Clipped to the stored picture.
  var maskedAreas: [PixelRect] {
    var masks = masks
    if let first = masks.first, masks.count > 1, first[3] <= 0 {
      let (right, bottom) = (left + width, top + height)
      masks[0] = [top, first[1] + 2, bottom, first[3] + left - 2]
      masks[1] = [top, masks[1][1] + right + 2, bottom, masks[1][3] + rawWidth]
    }
    return masks.compactMap { edges in
      let (y, x) = (max(edges[0], 0), max(edges[1], 0))
      let (endY, endX) = (min(edges[2], rawHeight), min(edges[3], rawWidth))
      return endY > y && endX > x
        ? PixelRect(x: x, y: y, width: endX - x, height: endY - y) : nil
    }
  }
}
