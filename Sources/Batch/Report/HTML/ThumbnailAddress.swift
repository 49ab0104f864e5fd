/// The `data:` address of a thumbnail, checked for use in a page.
enum ThumbnailAddress {
  private static let prefix = "data:image/jpeg;base64,"

  /// `text` if it is a JPEG in Base64; nil otherwise.
  static func valid(_ text: String) -> String? {
    let bytes = text.utf8
    // Every JPEG begins with FF D8 FF, which is "/9j/" in Base64.
    guard bytes.count <= BatchLimits.thumbnailBytes, text.hasPrefix(prefix + "/9j/") else {
      return nil
    }
    var digits = bytes.dropFirst(prefix.utf8.count)
    while digits.last == 61 { digits.removeLast() }
    let padding = bytes.count - prefix.utf8.count - digits.count
    guard padding <= 2, (digits.count + padding) % 4 == 0 else { return nil }
    let isBase64 = digits.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, 43, 47: true
      default: false
      }
    }
    return isBase64 ? text : nil
  }
}
