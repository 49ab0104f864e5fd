/// Lengths of prefix codes, by Huffman's method in two queues (van Leeuwen 1976); longer ones are
/// shortened to the limit by Kraft's inequality.
package enum HuffmanLengths {
  /// The length of each symbol's code, 0 for absent symbols. A single symbol gets a partner, since
  /// decoders require complete codes.
  package static func lengths(_ counts: [Int], longest: Int) -> [UInt8] {
    var used = counts.indices.filter { counts[$0] > 0 }
    if used.count == 1 { used.append(used[0] == 0 ? 1 : 0) }
    used.sort { (counts[$0], $0) < (counts[$1], $1) }
    let leaves = used.count
    var depths = Self.depths(used.map { counts[$0] })
    // Leaves deeper than `longest` come up to it; for the room they take others go down.
    var room = 1 << longest
    for i in 0..<leaves {
      depths[i] = min(depths[i], longest)
      room -= 1 << (longest - depths[i])
    }
    var i = 0
    while room < 0 {
      if depths[i] < longest {
        depths[i] += 1
        room += 1 << (longest - depths[i])
      } else {
        i += 1
      }
    }
    // Remaining code space goes to the most frequent symbols that it suffices for: codes are
    // complete.
    for i in (0..<leaves).reversed() {
      while depths[i] > 1, room >= 1 << (longest - depths[i]) {
        room -= 1 << (longest - depths[i])
        depths[i] -= 1
      }
    }
    var lengths = [UInt8](repeating: 0, count: counts.count)
    for i in 0..<leaves { lengths[used[i]] = UInt8(depths[i]) }
    return lengths
  }

  /// The lengths without a limit, for ascending `counts`, at least two.
  package static func depths(_ counts: [Int]) -> [Int] {
    // Nodes: the symbols from rare to frequent, then the sums in the order in which they arise.
    let leaves = counts.count
    var weights = counts
    weights.reserveCapacity(2 * leaves)
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var (leaf, sum) = (0, leaves)
    func smallest() -> Int {
      if leaf < leaves, sum >= weights.count || weights[leaf] <= weights[sum] {
        leaf += 1
        return leaf - 1
      }
      sum += 1
      return sum - 1
    }
    while weights.count < 2 * leaves - 1 {
      let (a, b) = (smallest(), smallest())
      (parents[a], parents[b]) = (weights.count, weights.count)
      weights.append(weights[a] + weights[b])
    }
    var depths = [Int](repeating: 0, count: 2 * leaves - 1)
    for node in stride(from: 2 * leaves - 3, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
    }
    return Array(depths[..<leaves])
  }
}
