import ImageCore
import Testing

@testable import RawDecode

/// The part of the picture that the camera delivers.
@Suite struct CameraFrameTests {
  private static func frame(_ numbers: [Int]) -> PixelRect? {
    var metadata = LibRawMetadata.example("Canon", "EOS 30D")
    (metadata.rawWidth, metadata.rawHeight, metadata.left, metadata.top) = (100, 80, 10, 8)
    (metadata.width, metadata.height) = (88, 70)
    metadata.cameraFrame = numbers
    return metadata.frameInside
  }

  @Test func isCountedFromTheLight() {
    #expect(Self.frame([14, 11, 80, 60]) == PixelRect(x: 4, y: 3, width: 80, height: 60))
    #expect(Self.frame([10, 8, 88, 70]) == PixelRect(x: 0, y: 0, width: 88, height: 70))
  }

  @Test(arguments: [
    [], [0, 0, 0, 0], [0, 0, 100, 80], [14, 11, 85, 60], [9, 8, 80, 60], [14, 11, 43, 60],
    [14, 11, 80, 34], [14, 11, -80, 60], [65535, 65535, 65535, 65535],
  ])
  func whatCannotBeIsNone(numbers: [Int]) {
    #expect(Self.frame(numbers) == nil)
  }
}
