import ImageCore
import Writers

extension WrittenFile {
  /// The note that all pixels are black, which a sensor never gives: numbers of the file, such as
  /// an inverted curve or a black level above white, can cause it.
  var blackness: [String] {
    statistics.contentHeadroom > 0
      ? [] : ["every pixel is black; if that is not so in other programs, copy the file again"]
  }
}
