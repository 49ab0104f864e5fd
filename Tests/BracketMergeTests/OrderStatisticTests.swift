import ImageCore
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct OrderStatisticTests {
  @Test(arguments: [1, 2, 3, 100, 4097]) func mediansMatchSortedValues(count: Int) {
    let values = (0..<count).map { i -> Float in
      let value = IntegerNoise.uniform(Int32(i), Int32(count), seed: 3) - 0.5
      return i % 7 == 0 ? value * 1e-20 : value * 1e6
    }
    let middle = values.sorted()[count / 2]
    #expect(OrderStatistic.median([values]) == middle)
    let parts = [[], Array(values[..<(count / 3)]), Array(values[(count / 3)...])]
    #expect(OrderStatistic.median(parts) == middle)
  }

  @Test func equalAndInfiniteValuesAreSorted() {
    #expect(OrderStatistic.median([[2, 2, 2, 2]]) == 2)
    #expect(OrderStatistic.median([[.infinity, 1, -.infinity]]) == 1)
    #expect(OrderStatistic.median([[.infinity, .infinity, -1]]) == .infinity)
    #expect(OrderStatistic.median([[], []]) == nil)
  }
}
