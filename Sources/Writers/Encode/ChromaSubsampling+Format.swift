package import Codecs
package import Formats

extension ChromaSubsampling {
  package var format: ChromaFormat { self == .yuv444 ? .yuv444 : .yuv420 }
}
