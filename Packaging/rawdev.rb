# A formula for Homebrew, on Linux and macOS: brew install --HEAD ./Packaging/rawdev.rb
class Rawdev < Formula
  desc "Camera raws in, correct HDR stills out"
  homepage "https://github.com/rawdev/rawdev"
  license "GPL-2.0-or-later" # with x265; rawdev's own code is MIT
  head "https://github.com/rawdev/rawdev.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build if OS.linux?
  depends_on "aom"
  depends_on "dav1d"
  depends_on "jpeg-turbo"
  depends_on "jpeg-xl"
  depends_on "lensfun"
  depends_on "libde265"
  depends_on "libdeflate"
  depends_on "libheif" # for the tests, which the package names
  depends_on "libpng"
  depends_on "libraw"
  depends_on "libtiff"
  depends_on "little-cms2"
  depends_on "openexr"
  depends_on "webp"
  depends_on "xxhash"
  depends_on "x265"
  depends_on "zstd"

  def install
    # libjxl and lensfun are found by the compiler's own paths.
    ENV.prepend_path "CPATH", HOMEBREW_PREFIX/"include"
    ENV.prepend_path "LIBRARY_PATH", HOMEBREW_PREFIX/"lib"
    ENV["RAWDEV_FOR_USE"] = "1"
    system "swift", "build", "-c", "release", "--disable-sandbox", "--static-swift-stdlib",
           "--traits", "Programs,Page", "-Xlinker", "-rpath", "-Xlinker", HOMEBREW_PREFIX/"lib",
           "--product", "rawdev"
    bin.install ".build/release/rawdev"
    generate_completions_from_executable(bin/"rawdev", "--generate-completion-script",
                                         shell_parameter_format: :none)
    pkgshare.install "Fixtures/sunset-bayer.dng"
  end

  test do
    system bin/"rawdev", "develop", pkgshare/"sunset-bayer.dng", "-o", testpath/"a.heic"
    assert_path_exists testpath/"a.heic"
  end
end
