/// What a parser makes of its input; nil where it throws. The message is made as well: it quotes
/// what the file holds.
@discardableResult
func attempt<Result>(_ body: () throws -> Result) -> Result? {
  do { return try body() } catch {
    _ = "\(error)"
    return nil
  }
}
