/// What `make` makes of pixels for a fixture or a test, which is never cancelled and small: where
/// it fails, there is nothing to go on with.
package func certain<Result>(_ make: () throws -> Result) -> Result {
  do { return try make() } catch { fatalError("a fixture cannot be made: \(error)") }
}
