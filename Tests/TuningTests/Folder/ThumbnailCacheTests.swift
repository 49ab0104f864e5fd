import Batch
import SystemPackage
import Testing

@testable import Tuning

@Suite struct ThumbnailCacheTests {
  private let status: FileStatus
  init() throws { status = try #require(FileStatus("/")) }

  private func key(_ index: Int, side: Int = 100, edit: String? = nil) -> ThumbnailCache.Key {
    ThumbnailCache.Key(path: FilePath("/\(index)"), status, side: side, edit: edit)
  }

  @Test func holdsNoMoreThanItMay() {
    let cache = ThumbnailCache(limit: 1000)
    for index in 0..<500 {
      cache.insert([UInt8](repeating: 1, count: 10 + index % 90), for: key(index))
      #expect(cache.total <= 1000)
      #expect(cache[key(index)]?.count == 10 + index % 90)
    }
    cache.insert([UInt8](repeating: 1, count: 1001), for: key(1000))
    #expect(cache[key(1000)] == nil)
  }

  @Test func whatIsUsedStays() {
    let cache = ThumbnailCache(limit: 1000)
    cache.insert([7], for: key(-1))
    for index in 0..<300 {
      cache.insert([UInt8](repeating: 1, count: 50), for: key(index))
      #expect(cache[key(-1)] == [7])
    }
    #expect(cache[key(0)] == nil && cache[key(-1, side: 99)] == nil)
    #expect(cache[key(-1, edit: "a")] == nil)
  }

  @Test func theSameIsCountedOnce() {
    let cache = ThumbnailCache(limit: 1000)
    for count in [10, 300, 20] { cache.insert([UInt8](repeating: 1, count: count), for: key(1)) }
    #expect(cache.total == 20)
  }
}
