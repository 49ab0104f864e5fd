import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import ImageFilters

@Suite struct CropAreaTests {
  private let size = PixelSize(width: 400, height: 301)

  @Test(arguments: [
    ("10,20,30,40", PixelRect(x: 10, y: 20, width: 30, height: 40)),
    ("10%,10%,80%,80%", PixelRect(x: 40, y: 30, width: 320, height: 241)),
    ("0%, 0%, 100%, 100%", PixelRect(x: 0, y: 0, width: 400, height: 301)),
    ("25%,1,50%,300", PixelRect(x: 100, y: 1, width: 200, height: 300)),
    ("12.5%,0,10,100%", PixelRect(x: 50, y: 0, width: 10, height: 301)),
  ])
  func pixelsAndPercent(text: String, rect: PixelRect) throws {
    #expect(try CropArea(text).rect(in: size) == rect)
  }

  /// Adjacent parts have a common edge, and cover the picture.
  @Test func partsFitTogether() throws {
    var end = 0
    for part in 0..<3 {
      let percent = 100.0 / 3
      let rect = try CropArea("0%,\(percent * Double(part))%,100%,\(percent)%").rect(in: size)
      #expect(rect.y == end)
      end = rect.endY
    }
    #expect(end == size.height)
  }

  /// What is written is read as the same part, however small its numbers are.
  @Test(arguments: [
    "10,20,30,40", "10%,0%,80%,100%", "12.345678%,1,0.00000001%,2", "0%,7%,50%,93%",
  ])
  func textComesBack(text: String) throws {
    let area = try CropArea(text)
    #expect("\(area)" == text)
    let coded = try JSONEncoder().encode([area])
    #expect(try JSONDecoder().decode([CropArea].self, from: coded) == [area])
    #expect(area.edges(in: size) == area.fractions ?? area.edges(in: size))
    #expect(try CropArea("100,0,200,301").edges(in: size) == [0.25, 0, 0.75, 1])
  }

  @Test func edgesMakeAnArea() throws {
    #expect(CropArea(edges: [0.1, 0.2, 0.5, 0.9])?.description == "10%,20%,40%,70%")
    for bad in [[0, 0, 1], [0.5, 0, 0.5, 1], [0, 0, 1.5, 1], [.nan, 0, 1, 1]] {
      #expect(CropArea(edges: bad) == nil)
    }
  }

  @Test func fractionsAreEdges() throws {
    #expect(try CropArea("10%,20%,30%,40%").fractions == [0.1, 0.2, 0.4, 0.6000000000000001])
    #expect(try CropArea("10%,20%,30,40%").fractions == nil)
  }

  @Test(arguments: [
    "", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3%,0%", "-1,2,3,4", "1.5,0,10,10", "nan,0,1,1",
    "10%,0%,91%,100%", "0,0,9223372036854775807,1", "1e3,0,1,1", "100%,0%,1%,1%", "101%,0,1,1",
    "%,0,1,1",
    "0x10,0,1,1",
  ])
  func whatNamesNoPartIsRefused(text: String) {
    #expect(throws: OperatorError.self) { try CropArea(text) }
  }

  @Test func cropsByFractionDependOnThePicture() throws {
    let picture = EditScene.noise()
    let area = try CropArea("50%,0%,50%,50%")
    let half = try picture.edited(by: CropFilter(area))
    #expect(half.size == area.rect(in: picture.size).size)
    let full = try picture.edited(by: CropFilter(try CropArea("0%,0%,100%,100%")))
    #expect(full.size == picture.size)
    #expect(throws: OperatorError.self) {
      try picture.edited(by: CropFilter(try CropArea("60,0,100%,2")))
    }
  }
}
