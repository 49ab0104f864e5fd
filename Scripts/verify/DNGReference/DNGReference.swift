import RawFilter

/// Compares every stage of DNG rendering with the reference renderer's values.
@main
struct DNGReference {
  static func main() {}
}
