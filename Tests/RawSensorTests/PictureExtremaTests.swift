import ImageCore
import RawTestSupport
import Synchronization
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct PictureExtremaTests {
  private typealias B = OpcodeBytes
  private typealias F = OpcodeFixture
  private static let weights = Matrix3([1.5, -0.4, -0.1, 0.1, 0.8, 0.1, -0.2, 0, 1.2])

  /// `image` after `count` warps that move neighboring columns by many rows.
  private func bent(_ image: Image<CameraRGB>, _ count: Int) throws -> (
    any PixelSource<CameraRGB>, CountedSource
  ) {
    let warp = B.rectilinear([[1, 0, 0, 0, 0.1, 0]])
    let lists = try F.lists(
      [], [], B.list([[UInt8]](repeating: warp, count: count)), size: image.size)
    let counted = CountedSource(image: image)
    let stage = LensStage(
      actions: lists.actions(.lens, OpcodeSelection()), frame: lists.frame(.lens))
    return (stage.applied(to: counted, reduction: 1), counted)
  }

  /// Warps keep the rows that the next band needs, and a picture of one color, of which no block
  /// can be skipped, is read once more.
  @Test func chainsOfWarpsReadThePictureFewTimes() throws {
    let size = PixelSize(width: 3200, height: 640)
    let (source, counted) = try bent(F.image(size) { _, _, _ in 0.5 }, 3)
    let extrema = try PictureExtrema(source, workers: 1)
    let read = counted.count.pixels.withLock { $0 }
    #expect(read < 2 * size.area, "\(Double(read) / Double(size.area)) pictures")
    #expect(try abs(extrema.peak(of: .identity, workers: 1) - 0.5) < 1e-5)
    let all = counted.count.pixels.withLock { $0 }
    #expect(all < 4 * size.area, "\(Double(all) / Double(size.area)) pictures")
  }

  @Test(arguments: [1, 4]) func findsTheBrightestPixel(workers: Int) throws {
    let size = PixelSize(width: 900, height: 400)
    let noise = try F.image(size) { x, y, c in SensorFixture.hash(x, y, c) }
    let lamp = try F.image(size) { x, y, c in
      (x, y) == (417, 203) ? 9 : SensorFixture.hash(x, y, c) / 4
    }
    let even = try F.image(size) { x, y, c in 0.5 + SensorFixture.hash(x, y, c) * 1e-6 }
    for image in [noise, lamp, even] {
      let (source, _) = try bent(image, 1)
      let picture = try F.rendered(source)
      let rows = Self.weights.rows.map { SIMD3<Float>($0) }
      var wanted = -Float.infinity
      for y in 0..<size.height {
        for x in 0..<size.width {
          let rgb = picture[x, y]
          for row in rows { wanted = max(wanted, rgb.x * row.x + rgb.y * row.y + rgb.z * row.z) }
        }
      }
      let extrema = try PictureExtrema(source, workers: workers)
      #expect(try extrema.peak(of: Self.weights, workers: workers) == wanted)
    }
  }
}
