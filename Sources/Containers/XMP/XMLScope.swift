/// The namespaces declared at a position in a packet, by prefix; an empty prefix is the default
/// namespace. Prefixes are compared as bytes, as XML requires: comparing strings would apply
/// Unicode equivalence, at many times the cost.
struct XMLScope {
  /// URIs of each prefix, the innermost last.
  private var uris: [ArraySlice<UInt8>: [String]] = [:]
  /// Prefixes in the order of their declarations.
  private var prefixes: [ArraySlice<UInt8>] = []

  /// Declarations in scope.
  var count: Int { prefixes.count }

  /// The namespace of `prefix`; nil where it is not declared.
  func uri(of prefix: ArraySlice<UInt8>) -> String? { uris[prefix]?.last }

  mutating func declare(_ prefix: ArraySlice<UInt8>, _ uri: String) {
    uris[prefix, default: []].append(uri)
    prefixes.append(prefix)
  }

  /// Ends the scope of all declarations but the first `count`.
  mutating func leave(to count: Int) {
    while prefixes.count > count {
      let prefix = prefixes.removeLast()
      _ = uris[prefix]?.popLast()
    }
  }
}
