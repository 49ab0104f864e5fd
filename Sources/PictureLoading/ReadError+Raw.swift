public import RawFilter
public import Readers

extension ReadError {
  /// The same failure of a raw file.
  public init(_ error: RAWError) {
    let code: Code =
      switch error.code {
      case .cannotRead: .cannotRead
      case .notARaw: .unknownKind
      case .unsupported: .unsupported
      case .damaged: .damaged
      case .tooLarge: .tooLarge
      case .badSetting: .badSetting
      case .cancelled: .cancelled
      case .outOfMemory: .outOfMemory
      }
    self.init(code, error.message, path: error.path)
  }
}
