import Foundation

/// The program that the commands belong to.
public struct Program: Sendable {
  /// The name of the executable.
  public var name: String
  /// Its version.
  public var version: String
  /// Where the executable is: the process in which logs are replayed unless another host is chosen.
  public var executable: String

  /// A program; what is not given is taken from the process.
  public init(name: String? = nil, version: String, executable: String? = nil) {
    let path = executable ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    self.version = version
    self.executable = path
  }
}
