/// Why the values of a tag cannot be used. Readers of optional tags ignore it with a warning; for
/// required tags it becomes a ``RAWError``.
struct TagFault: Error {
  /// The tag's name in the DNG specification.
  let tag: String
  /// A predicate, such as "ends early".
  let problem: String

  /// The sentence for a warning or an error.
  var message: String { "its \(tag) \(problem)" }
}

extension RAWError {
  /// The error for the file at `path`, which cannot be opened without the tag.
  init(_ fault: TagFault, path: String?) {
    self.init(.damaged, .open, fault.message + "; copy the file again", path: path)
  }

  /// Runs `read` for tags of the file at `path`.
  static func translating<Value>(
    path: String?, _ read: () throws(TagFault) -> Value
  ) throws(RAWError) -> Value {
    do { return try read() } catch { throw RAWError(error, path: path) }
  }
}
