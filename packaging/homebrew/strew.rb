class Strew < Formula
  desc "Tensor scatter and gather kernels for CPUs"
  homepage "@HOMEPAGE@"
  url "@URL@/strew-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cmake" => :build

  def install
    system "cmake", "-S", ".", "-B", "build", "-DSTREW_PTHREADPOOL=OFF", "-DSTREW_BUILD_TESTS=OFF",
                    "-DSTREW_BUILD_EXAMPLES=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "examples/embedding.c"
  end

  test do
    system ENV.cc, pkgshare/"embedding.c", "-I#{include}", "-L#{lib}", "-lstrew", "-o", "embedding"
    assert_match "word 2: 13 24", shell_output("./embedding")
  end
end
