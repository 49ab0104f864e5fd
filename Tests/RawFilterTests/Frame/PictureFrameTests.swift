import Foundation
import HDRRender
import ImageCore
import ImageFilters
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

extension PictureFrame {
  /// A frame at an angle in degrees, of these edges where they are given.
  static func turned(_ angle: Float, crop: [Double]? = nil) -> PictureFrame {
    var settings = FrameSettings()
    (settings.straightenAngle, settings.crop) = (angle, crop.flatMap { CropArea(edges: $0) })
    return (try? PictureFrame(settings, native: PixelSize(width: 1, height: 1))) ?? PictureFrame()
  }
}

@Suite struct PictureFrameTests {
  static let size = PixelSize(width: 400, height: 300)

  /// Pixels tell their position: x, y in red and green.
  static let positions = certain {
    try Image<DisplayReferred>(
      size: size, info: .init(primaries: .bt2020, headroom: 1000)
    ) { planes in
      for y in 0..<size.height {
        planes.withRow(0, y) { row in for x in 0..<size.width { row[x] = Float(x) + 0.5 } }
        planes.withRow(1, y) { row in for x in 0..<size.width { row[x] = Float(y) + 0.5 } }
        planes.withRow(2, y) { row in for x in 0..<size.width { row[x] = 1 } }
      }
    }
  }

  static func framed(
    _ change: (inout FrameSettings) throws -> Void
  ) throws -> (frame: PictureFrame, image: Image<DisplayReferred>) {
    var settings = FrameSettings()
    try change(&settings)
    let frame = try PictureFrame(settings, native: size)
    let source = try frame.applied(to: positions)
    return (frame, try Image(rendering: AnySource(source)))
  }

  static func isFilled(_ image: Image<DisplayReferred>) -> Bool {
    (0..<image.size.area).allSatisfy {
      image[$0 % image.size.width, $0 / image.size.width].z > 0.99
    }
  }

  private struct AnySource: PixelSource {
    typealias State = DisplayReferred
    let source: any PixelSource<DisplayReferred>
    init(_ source: any PixelSource<DisplayReferred>) { self.source = source }
    var size: PixelSize { source.size }
    var info: DisplayReferred.Info { source.info }
    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try source.read(rect, into: buffer)
    }
  }

  @Test func neutralReturnsThePictureItself() throws {
    for settings in [FrameSettings(), .whole] {
      let frame = try PictureFrame(settings, native: Self.size)
      #expect(frame.isNeutral)
      #expect(try frame.applied(to: Self.positions) is Image<DisplayReferred>)
      #expect(frame.resultSize(of: Self.size) == Self.size)
    }
  }

  /// A point of the rotated frame shows the point that the formula gives.
  @Test func aTurnedFrameIsTurnedAboutItsCenter() throws {
    let (frame, framed) = try Self.framed {
      ($0.crop, $0.straightenAngle) = (CropArea(edges: [0.2, 0.3, 0.7, 0.9]), 10)
    }
    #expect(framed.size == PixelSize(width: 200, height: 180))
    #expect(frame.resultSize(of: Self.size) == framed.size)
    let (c, s) = (cos(10 * Double.pi / 180), sin(10 * Double.pi / 180))
    for (i, j) in [(0, 0), (199, 0), (100, 90), (50, 170), (199, 179)] {
      let (u, v) = (Double(i) + 0.5 - 100, Double(j) + 0.5 - 90)
      let pixel = framed[i, j]
      #expect(abs(Double(pixel.x) - (180 + c * u + s * v)) < 0.01)
      #expect(abs(Double(pixel.y) - (180 - s * u + c * v)) < 0.01)
      #expect(pixel.z == 1)
    }
  }

  /// Pixels of the native size mean the same part of a reduced picture.
  @Test func pixelsAreThoseOfTheNativeSize() throws {
    var settings = FrameSettings()
    settings.crop = try CropArea("200,150,1000,600")
    let native = PixelSize(width: 4000, height: 3000)
    let frame = try PictureFrame(settings, native: native)
    #expect(frame.resultSize(of: native) == PixelSize(width: 1000, height: 600))
    #expect(frame.resultSize(of: Self.size) == PixelSize(width: 100, height: 60))
    settings.crop = try CropArea("3500,0,501,10")
    let error = #expect(throws: RAWError.self) { try PictureFrame(settings, native: native) }
    #expect(error?.setting == "crop")
  }

  @Test(arguments: ["1:1", "16:9", "2:3", "0.8"], [0, 7, -30, 45] as [Float])
  func aspectsAreTheLargestThatFit(text: String, angle: Float) throws {
    let aspect = try #require(AspectRatio(text))
    let (_, image) = try Self.framed { ($0.cropAspect, $0.straightenAngle) = (aspect, angle) }
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    #expect(abs(width - height * aspect.value) <= 1 + aspect.value)
    // Nothing is empty, and one row or column more would be.
    #expect(Self.isFilled(image))
    let (c, s) = (abs(cos(Double(angle) * .pi / 180)), abs(sin(Double(angle) * .pi / 180)))
    let reach = max(
      ((width + 2) * c + (height + 2) * s) / 400, ((width + 2) * s + (height + 2) * c) / 300)
    #expect(reach > 1)
  }

  @Test func aCropKeepsItsCenterUnderAnAspect() throws {
    let (frame, _) = try Self.framed {
      ($0.crop, $0.cropAspect) = (CropArea(edges: [0.1, 0.2, 0.5, 0.8]), AspectRatio("1:1"))
    }
    let box = frame.box(in: Self.size)
    #expect(abs(box.center.x - 120) < 1e-9 && abs(box.center.y - 150) < 1e-9)
    #expect(abs(box.half.x - 80) < 1e-9 && abs(box.half.y - 80) < 1e-9)
  }

  /// A crop that the turned picture does not fill keeps center and shape and loses what is empty,
  /// but no more; one that it fills stays.
  @Test(arguments: [8, -20, 45] as [Float], [[0, 0, 0.5, 1], [0.6, 0.1, 1, 0.4], [0, 0, 1, 1]])
  func cropsAreWithinThePicture(angle: Float, edges: [Double]) throws {
    let (frame, image) = try Self.framed {
      ($0.crop, $0.straightenAngle) = (CropArea(edges: edges), angle)
    }
    #expect(Self.isFilled(image) && frame.resultSize(of: Self.size) == image.size)
    let (free, asked) = try Self.framed {
      ($0.crop, $0.straightenAngle, $0.isCropConstrained) = (CropArea(edges: edges), angle, false)
    }
    #expect(!Self.isFilled(asked) && image.size.width < asked.size.width)
    let (box, whole) = (frame.box(in: Self.size), free.box(in: Self.size))
    #expect(box.center == whole.center)
    #expect(abs(box.half.x / box.half.y - whole.half.x / whole.half.y) < 1e-6)
    // A corner reaches the border.
    let (c, s) = (cos(Double(angle) * .pi / 180), sin(Double(angle) * .pi / 180))
    let reach = [SIMD2(-1.0, -1), [1, -1], [-1, 1], [1, 1]].map { corner in
      let at = corner * box.half
      let place = box.center + SIMD2(c * at.x + s * at.y, c * at.y - s * at.x)
      return min(place.x, place.y, 400 - place.x, 300 - place.y)
    }.min()
    #expect(abs(try #require(reach)) < 0.05)
  }

  @Test func cropsStayWithinAPerspective() throws {
    for (vertical, edges) in [(20, [0, 0, 0.4, 0.5]), (-30, [0.5, 0.5, 1, 1])]
      as [(Float, [Double])]
    {
      let (_, image) = try Self.framed {
        ($0.verticalPerspective, $0.crop) = (vertical, CropArea(edges: edges))
      }
      #expect(Self.isFilled(image))
    }
  }

  // MARK: Perspective

  @Test(arguments: [(20, 0), (0, -25), (15, 10), (-40, 40), (40, 40)] as [(Float, Float)])
  func perspectiveFillsTheFrame(vertical: Float, horizontal: Float) throws {
    for angle: Float in [0, 8] {
      let (frame, image) = try Self.framed {
        ($0.verticalPerspective, $0.horizontalPerspective) = (vertical, horizontal)
        $0.straightenAngle = angle
      }
      #expect(Self.isFilled(image))
      #expect(abs(Double(image.size.width) / Double(image.size.height) - 4 / 3.0) < 0.05)
      #expect(image.size.width > 100)
      #expect(frame.resultSize(of: Self.size) == image.size)
      // The same however it is cut.
      let source = try frame.applied(to: Self.positions)
      let buffer = try PlanarBuffer(size: PixelSize(width: 9, height: 7))
      try source.read(PixelRect(x: 31, y: 23, width: 9, height: 7), into: buffer)
      #expect(buffer.row(0, 3)[4] == image[35, 26].x)
    }
  }

  /// The picture of a level camera, turned up and corrected, is that of the level camera: verticals
  /// are parallel again, straight lines stay straight.
  @Test func linesThatConvergeBecomeParallel() throws {
    let (width, height) = (400.0, 300.0)
    let f = (width * width + height * height).squareRoot()
    let map = Perspective(vertical: 20, horizontal: 0).map(width: width, height: height)
    let tilt = 20 * Double.pi / 180
    for x in [-150.0, 40, 150] {
      // A vertical edge in front of the level camera, as the camera that looks up sees it.
      let seen = [-100.0, 0, 90].map { y -> SIMD2<Double> in
        let (v, w) = (
          y * cos(tilt) + f * sin(tilt), f * cos(tilt) - y * sin(tilt)
        )
        return SIMD2(f * x / w, f * v / w)
      }
      // It converges towards the top.
      #expect(abs(seen[0].x) < abs(seen[2].x))
      // Where the corrected picture shows these points.
      let columns = try seen.map { try inverse(map, $0).x }
      #expect(abs(columns[0] - columns[1]) < 1e-6 && abs(columns[2] - columns[1]) < 1e-6)
    }
  }

  private func inverse(_ map: ProjectiveMap, _ wanted: SIMD2<Double>) throws -> SIMD2<Double> {
    var at = wanted
    for _ in 0..<60 {
      let here = try #require(map(at.x, at.y))
      let h = 1e-4
      let (a, b) = (try #require(map(at.x + h, at.y)), try #require(map(at.x, at.y + h)))
      let (u, v, e) = ((a - here) / h, (b - here) / h, wanted - here)
      let determinant = u.x * v.y - v.x * u.y
      at += SIMD2(e.x * v.y - v.x * e.y, u.x * e.y - e.x * u.y) / determinant
    }
    return at
  }

  @Test func theCenterStaysAndKeepsItsArea() throws {
    for (vertical, horizontal) in [(20.0, 0.0), (-15, 30), (40, -40)] {
      let map = Perspective(vertical: vertical, horizontal: horizontal).map(width: 600, height: 400)
      let center = try #require(map(0, 0))
      #expect(abs(center.x) < 1e-9 && abs(center.y) < 1e-9)
      let h = 1e-3
      let (u, v) = (
        try (#require(map(h, 0)) - #require(map(-h, 0))) / (2 * h),
        try (#require(map(0, h)) - #require(map(0, -h))) / (2 * h)
      )
      #expect(abs(u.x * v.y - u.y * v.x - 1) < 1e-6)
    }
    #expect(Perspective(vertical: 0, horizontal: 0).map(width: 6, height: 4) == .identity)
  }

  // MARK: Texts

  @Test func ratios() {
    #expect(AspectRatio("3:2")?.value == 1.5)
    #expect(AspectRatio("1.85")?.value == 1.85)
    for bad in ["", ":", "3:", "0:1", "1:0", "nan", "1:2:3", "-3:2", "1000:1", "inf:1", "a"] {
      #expect(AspectRatio(bad) == nil)
    }
    #expect(AspectRatio("1" + String(repeating: " ", count: 64)) == nil)
  }

  // MARK: RAWFilter

  @Test func filtersFrameTheirPictures() throws {
    var filter = try RAWFilterTests.filter()
    let whole = try filter.outputImage().image
    filter.crop = try CropArea("25%,50%,50%,50%")
    let part = try filter.outputImage().image
    #expect(filter.outputSize == part.size)
    let (left, top) = (
      Int((Double(whole.size.width) * 0.25).rounded()), whole.size.height - part.size.height
    )
    for (x, y) in [(0, 0), (3, 5), (part.size.width - 1, part.size.height - 1)] {
      #expect(part[x, y] == whole[x + left, y + top])
    }
    filter.crop = try CropArea("0,0,100000,10")
    #expect(throws: RAWError.self) { try filter.outputImage() }
    filter.crop = nil
    filter.straightenAngle = 90
    #expect(filter.straightenAngle == 45)
    filter.verticalPerspective = .nan
    #expect(filter.verticalPerspective == 0)
    filter.straightenAngle = 0
    filter.horizontalPerspective = 12
    #expect(try filter.outputImage().image.size == filter.outputSize)
  }
}

extension FrameSettings {
  fileprivate static var whole: FrameSettings {
    var settings = FrameSettings()
    settings.crop = CropArea(edges: [0, 0, 1, 1])
    return settings
  }
}
