import Testing

@testable import Film

struct NaturalOrderTests {
  @Test("Numbers in names count as numbers, whatever their zeros")
  func order() {
    let names = ["IMG_10.dng", "IMG_9.dng", "IMG_0009b.dng", "a.dng", "IMG_100.dng", "IMG_1.dng"]
    let sorted = names.map { ($0, NaturalOrder($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    #expect(
      sorted == ["IMG_1.dng", "IMG_9.dng", "IMG_0009b.dng", "IMG_10.dng", "IMG_100.dng", "a.dng"])
  }

  @Test("The number of a frame is the last one of its name")
  func numbers() {
    #expect(NaturalOrder("A001_C002_0042.dng").number == 42)
    #expect(NaturalOrder("000.cr2").number == 0)
    #expect(NaturalOrder("frame.dng").number == nil)
    #expect(NaturalOrder("99999999999999999999999.dng").number == nil)
    #expect(NaturalOrder("").number == nil)
  }

  @Test("The order is total")
  func isTotal() {
    let names = ["", "1", "01", "a1", "a01", "a1b", "a1b2", "b", "1a", "10", "2"].map(
      NaturalOrder.init)
    for a in names {
      #expect(!(a < a))
      for b in names where a < b {
        #expect(!(b < a))
        for c in names where b < c { #expect(a < c) }
      }
    }
  }
}
