import Batch
import Develop
import Formats
import RawFilter
import Readers
import Recipes

/// What the shell learns. Documented in `rawdev --help`.
enum ExitStatus: Int32, Error {
  case usage = 2
  case someFailed = 3
  case allFailed = 4
  case badInput = 65
  case cannotRead = 66
  case cannotWrite = 73
  case interrupted = 75

  init(_ error: DevelopError) {
    switch error {
    case .raw(let error):
      switch error.code {
      case .cannotRead: self = .cannotRead
      case .badSetting: self = .usage
      case .notARaw, .unsupported, .damaged, .tooLarge: self = .badInput
      }
    case .read(let error):
      switch error.code {
      case .cannotRead: self = .cannotRead
      case .badSetting: self = .usage
      case .unknownKind, .unsupported, .damaged, .tooLarge: self = .badInput
      }
    case .recipe(let error): self = error.code == .cannotRead ? .cannotRead : .usage
    case .cancelled: self = .interrupted
    case .write(let error):
      self = error.code == .badSetting ? .usage : .cannotWrite
    }
  }

  init(_ error: BatchError) {
    switch error.code {
    case .cannotRead: self = .cannotRead
    case .cannotWrite: self = .cannotWrite
    case .badManifest: self = .badInput
    case .badSetting, .sameOutput, .exists: self = .usage
    }
  }
}
