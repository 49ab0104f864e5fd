import ImageCore

extension LibRawFacts {
  /// The borders from which LibRaw takes the black of a mosaic, in the stored picture: those that
  /// it names, or, for Canon, what lies left and right of the visible area but for two columns at
  /// each side; empty where it knows none. What is outside the stored picture is cut off.
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
