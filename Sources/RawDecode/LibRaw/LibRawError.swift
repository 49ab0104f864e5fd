import CLibRaw
import Containers
import ImageCore

/// Converts LibRaw's return codes to errors of this package.
enum LibRawError {
  /// Throws the error for `code` of a LibRaw call; returns for success.
  static func check(_ code: Int32, _ stage: RAWError.Stage, _ file: FileBytes) throws(RAWError) {
    guard code != LIBRAW_SUCCESS.rawValue else { return }
    // Positive codes are errno of the operating system.
    if LibRaw_errors(rawValue: code) == LIBRAW_FILE_UNSUPPORTED { throw unknown(file, stage) }
    let (kind, message): (RAWError.Code, String) =
      switch LibRaw_errors(rawValue: code) {
      case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE:
        (.damaged, "the file declares a picture that it does not contain; copy it again")
      case LIBRAW_NOT_IMPLEMENTED:
        (.unsupported, "its storage format is not supported; convert the file to DNG first")
      case LIBRAW_UNSUFFICIENT_MEMORY:
        (.tooLarge, "there is not enough memory to decode it; run fewer files at once")
      case LIBRAW_TOO_BIG, LIBRAW_MEMPOOL_OVERFLOW:
        (.tooLarge, "decoding needs more memory than the limit; raise the limit")
      case LIBRAW_DATA_ERROR:
        (
          .damaged,
          "its pixel data are damaged or in an unknown storage format; copy the file again"
        )
      case LIBRAW_IO_ERROR:
        (.damaged, "the file ends before its pixel data do; copy it again")
      // Only the timeout cancels opening, and it is reported earlier.
      case LIBRAW_CANCELLED_BY_CALLBACK where stage == .open:
        (.damaged, "its color filter pattern is empty; copy the file again")
      case LIBRAW_BAD_CROP:
        (.damaged, "its picture sizes are inconsistent; copy the file again")
      default:
        (
          .damaged,
          "it cannot be decoded (\(unsafe String(cString: libraw_strerror(code)))); copy it again"
        )
      }
    throw RAWError(kind, stage, message, path: file.path)
  }

  private static func unknown(_ file: FileBytes, _ stage: RAWError.Stage) -> RAWError {
    // A TIFF may be an unsupported raw.
    guard let picture = PictureSignature(file), picture != .tiff else {
      return RAWError(
        .notARaw, stage, "not a supported raw format; use a camera raw or a DNG",
        path: file.path)
    }
    return RAWError(
      .notARaw, stage,
      "a finished picture (\(picture.name)), not a raw; convert it, or use its raw",
      path: file.path, remedies: [.convertPicture])
  }

  /// Rejects a file that is not a raw, although LibRaw failed with another error.
  static func refuseUnknown(_ file: FileBytes) throws(RAWError) {
    throw unknown(file, .open)
  }
}
