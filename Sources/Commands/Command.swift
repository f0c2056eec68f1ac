import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// One command of the command line: its table, and its work with arguments that fit the table.
@MainActor package protocol Command: SendableMetatype {
  nonisolated static var syntax: CommandSyntax { get }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus
}

/// The program to which the commands belong.
public struct Program: Sendable {
  /// The name of the executable.
  public var name: String
  /// Its version.
  public var version: String
  /// The path of the executable, which replays logs unless another host is chosen.
  public var executable: String

  /// A program; values that are not given are taken from the process.
  public init(name: String? = nil, version: String, executable: String? = nil) {
    let path = executable ?? Self.ownPath ?? CommandLine.arguments.first ?? ""
    self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    self.version = version
    self.executable = path
  }

  private static var ownPath: String? {
    // Where there is no /proc, Foundation ends the process that asks for its bundle.
    guard Platform.isApple else {
      return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
    return Bundle.main.executablePath
  }
}
