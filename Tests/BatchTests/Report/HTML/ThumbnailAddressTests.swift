import Foundation
import Testing

@testable import Batch

/// Thumbnails that are allowed in a page.
@Suite struct ThumbnailAddressTests {
  private let prefix = "data:image/jpeg;base64,"

  @Test(arguments: 0..<7) func whatIsWritten(count: Int) {
    let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0] + (0..<count).map { UInt8($0 * 37) })
    let address = prefix + bytes.base64EncodedString()
    #expect(ThumbnailAddress.valid(address) == address)
  }

  @Test func everythingElse() {
    for address in [
      "", "x", "data:image/jpeg;base64,", "data:image/svg+xml;base64,/9j/", "https://e.org/a.jpg",
      "data:image/jpeg;base64,iVBORw0K", "data:image/jpeg;base64,/9j/\" onerror=\"x", "/9j/",
      "data:image/jpeg;base64,/9j/A", "data:image/jpeg;base64,/9j/====", "data:image/jpeg,/9j/",
      "data:image/jpeg;base64,/9j/AA=A", "data:image/jpeg;base64,/9j/AAé=", " " + prefix + "/9j/",
      "DATA:image/jpeg;base64,/9j/", prefix + "/9j/\n",
      prefix + "/9j/" + String(repeating: "A", count: BatchLimits.thumbnailBytes),
    ] {
      #expect(ThumbnailAddress.valid(address) == nil, "\(address.prefix(60))")
    }
  }
}
