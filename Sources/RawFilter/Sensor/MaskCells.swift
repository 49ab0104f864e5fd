import ImageCore

/// One byte for each cell of the saturation mask, one bit for each channel.
final class MaskCells: @unchecked Sendable {
  private let size: PixelSize
  private let storage: UnsafeMutablePointer<UInt8>

  /// No cell marked.
  init(_ size: PixelSize) {
    self.size = size
    storage = PixelMemory.allocate(bytes: size.area).assumingMemoryBound(to: UInt8.self)
    storage.initialize(repeating: 0, count: size.area)
  }

  deinit { PixelMemory.deallocate(storage, bytes: size.area) }

  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { storage + y * size.width }

  /// Whether any of the rows up to `radius` away has a mark.
  func isAnyMarked(near y: Int, radius: Int) -> Bool {
    for row in max(y - radius, 0)...min(y + radius, size.height - 1) {
      let cells = self.row(row)
      var any: UInt8 = 0
      for x in 0..<size.width { any |= cells[x] }
      if any != 0 { return true }
    }
    return false
  }

  /// Marks of row `y` after each has grown to a disc of `radius`, a square without its corners.
  func grow(_ y: Int, radius: Int, into out: inout [UInt8]) {
    for x in 0..<size.width { out[x] = 0 }
    for dy in -radius...radius where y + dy >= 0 && y + dy < size.height {
      let cells = row(y + dy)
      for dx in -radius...radius where dx * dx + dy * dy <= radius * radius + 1 {
        for x in max(0, -dx)..<max(max(0, -dx), min(size.width, size.width - dx)) {
          out[x] |= cells[x + dx]
        }
      }
    }
  }
}
