import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// A command of the command-line tool: its argument table and its implementation.
@MainActor package protocol Command: SendableMetatype {
  nonisolated static var syntax: CommandSyntax { get }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus
}

/// The program to which the commands belong.
public struct Program: Sendable {
  /// The name of the executable, which help and messages contain.
  public var name: String
  /// The version that `--version` and the headers of logs contain.
  public var version: String
  /// The path of the executable, which is the default host.
  public var executable: String

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - name: The name of the executable. If `nil`, it is derived from the path of the executable.
  ///   - version: The version of the program.
  ///   - executable: The path of the executable. If `nil`, it is the path of this process.
  public init(name: String? = nil, version: String, executable: String? = nil) {
    let path = executable ?? Self.ownPath ?? CommandLine.arguments.first ?? ""
    self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    self.version = version
    self.executable = path
  }

  private static var ownPath: String? {
    // If /proc is missing, Foundation terminates the process when the main bundle is accessed.
    guard Platform.isApple else {
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
    return Bundle.main.executablePath
  }
}
