import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// A command of the command line: its argument table and its implementation.
@MainActor package protocol Command: SendableMetatype {
  nonisolated static var syntax: CommandSyntax { get }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus
}

/// The program that the commands belong to.
public struct Program: Sendable {
  /// The name of the executable.
  public var name: String
  /// The version of the program.
  public var version: String
  /// The path of the executable, which is the default host.
  public var executable: String

  /// Creates a program.
  ///
  /// Omitted values are taken from the process.
  public init(name: String? = nil, version: String, executable: String? = nil) {
    let path = executable ?? Self.ownPath ?? CommandLine.arguments.first ?? ""
    self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    self.version = version
    self.executable = path
  }

  private static var ownPath: String? {
    // Without /proc, access to the main bundle makes Foundation terminate the process.
    guard Platform.isApple else {
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
    return Bundle.main.executablePath
  }
}
