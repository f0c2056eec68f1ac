import ActionLog
import Foundation

/// The logs that the operands of a command name.
struct LogList {
  /// A file with its name for messages, or why there is none.
  enum Entry: Sendable {
    case file(path: String, name: String)
    case failure(name: String, any Error)
  }

  private(set) var entries: [Entry] = []

  /// Finds the logs.
  ///
  /// - Parameters:
  ///   - operands: Files, folders, `-`.
  ///   - standardInput: Gives a file that holds what standard input holds.
  init(_ operands: [String], standardInput: () throws -> String) {
    for operand in operands {
      if operand == "-" {
        do {
          entries.append(.file(path: try standardInput(), name: Wording.standardInput))
        } catch {
          entries.append(.failure(name: operand, error))
        }
        continue
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: operand, isDirectory: &isFolder) else {
        entries.append(.failure(name: operand, LogReadError.noSuchFile(operand)))
        continue
      }
      guard isFolder.boolValue else {
        entries.append(.file(path: operand, name: operand))
        continue
      }
      let paths = Self.logs(in: operand)
      if paths.isEmpty {
        entries.append(.failure(name: operand, CommandError.noLogs(folder: operand)))
      }
      entries += paths.map { .file(path: $0, name: $0) }
    }
  }

  /// The entries of one part, every so many of them, so that large and small logs spread over the parts.
  func part(_ index: Int, of count: Int) -> [Entry] {
    stride(from: index - 1, to: entries.count, by: count).map { entries[$0] }
  }

  private static func logs(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { base + $0 }
  }
}
