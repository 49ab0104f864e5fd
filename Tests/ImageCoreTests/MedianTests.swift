import Testing

@testable import ImageCore

@Suite struct MedianTests {
  @Test func theMiddleOfAnyOrder() {
    #expect(median([3.0, 1, 2]) == 2)
    #expect(median([4, 1, 3, 2] as [Float]) == 2.5)
    #expect(median([-0.5]) == -0.5)
    #expect(median([Double]()) == nil)
  }

  @Test func whatIsNoNumberDoesNotCount() {
    #expect(median([.nan, 1, .nan, 3, 2] as [Float]) == 2)
    #expect(median([.nan] as [Float]) == nil)
    #expect(median([-.infinity, 1, .infinity] as [Float]) == 1)
  }

  @Test func sortedValuesAreTakenAsTheyAre() {
    #expect(median(ofSorted: [1, 2, 3, 10] as [Float]) == 2.5)
    let three: [Float] = [1, 2, 9]
    #expect(three.withUnsafeBufferPointer { median(ofSorted: $0) } == 2)
  }
}
