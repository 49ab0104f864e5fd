import ImageCore
import Writers

extension WrittenFile {
  /// The note that no pixel has any light, which a frame of a sensor never is: numbers of the file,
  /// such as an inverted curve or a black level above white, can make it so.
  var blackness: [String] {
    statistics.contentHeadroom > 0
      ? [] : ["every pixel is black; if that is not so in other programs, copy the file again"]
  }
}
