# What Homebrew gives to a formula, as far as strew's uses it: ruby formula.rb FORMULA PREFIX, in the folder of the sources.
require "open3"
require "pathname"

class Formula
  class << self
    %w[desc homepage url sha256 license depends_on].each { |word| define_method(word) { |*| } }

    def inherited(formula)
      super
      @formula = formula
    end

    attr_reader :formula

    def test(&block)
      define_method(:run_test, &block)
    end
  end

  class Folder < Pathname
    def install(file)
      mkpath
      FileUtils.cp(file, self)
    end
  end

  attr_reader :prefix

  def initialize(prefix)
    @prefix = Folder.new(prefix)
  end

  def include = prefix/"include"
  def lib = prefix/"lib"
  def pkgshare = Folder.new(prefix/"share/strew")
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{prefix}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"]

  def system(*command)
    Kernel.system(*command.map(&:to_s)) or abort "failed: #{command.join(" ")}"
  end

  def shell_output(command)
    output, status = Open3.capture2(command)
    status.success? ? output : abort("failed: #{command}")
  end

  def assert_match(expected, text)
    text.include?(expected) or abort "#{text} lacks #{expected}"
  end
end

require "fileutils"
module Environment
  def cc = ENV.fetch("CC", "cc")
end
ENV.extend(Environment)
formula_file, prefix = ARGV
require File.expand_path(formula_file)
formula = Formula.formula.new(prefix)
formula.install
ENV["LD_LIBRARY_PATH"] = formula.lib.to_s # Homebrew's compiler names it in the program
Dir.chdir(prefix) { formula.run_test }
