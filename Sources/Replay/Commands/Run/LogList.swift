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
  /// Copies of what can be read but once; they are gone with the list.
  private var copies: [String: TemporaryFile] = [:]

  /// Finds the logs.
  ///
  /// - Parameters:
  ///   - operands: Files, folders, pipes, `-`.
  ///   - input: Standard input; without it `-` is a name like any other.
  init(_ operands: [String], input: FileHandle? = nil) {
    for operand in operands {
      do { try add(operand, input) } catch {
        entries.append(.failure(name: operand, error))
      }
    }
  }

  private mutating func add(_ operand: String, _ input: FileHandle?) throws {
    if let copy = try copies[operand] ?? TemporaryFile.copy(of: operand, input: input) {
      copies[operand] = copy
      let name = operand == "-" ? Wording.standardInput : operand
      entries.append(.file(path: copy.path, name: name))
      return
    }
    switch FileKind(operand) {
    case .none: throw LogReadError.noSuchFile(operand)
    case .file, .stream: entries.append(.file(path: operand, name: operand))
    case .folder:
      let found = try Self.entries(in: operand)
      if found.isEmpty { throw CommandError.noLogs(folder: operand) }
      entries += found
    }
  }

  /// The entries of one part, every so many of them, so that large and small logs spread over the parts.
  func part(_ index: Int, of count: Int) -> [Entry] {
    stride(from: index - 1, to: entries.count, by: count).map { entries[$0] }
  }

  /// Goes through the logs one by one; those that cannot be read keep nobody from the others.
  ///
  /// - Parameters:
  ///   - visit: Takes a log and the name of its file.
  ///   - unreadable: Takes the name of what cannot be read, and an error that names it.
  /// - Throws: What the two throw, besides what keeps a log from being read.
  func forEachLog(
    _ visit: (_ log: LogSlice, _ file: String) throws -> Void,
    unreadable: (_ name: String, _ error: any Error) throws -> Void
  ) throws {
    for entry in entries {
      switch entry {
      case .failure(let name, let error): try unreadable(name, error)
      case .file(let path, let name):
        do {
          for log in try LogSlice.slices(of: path, name: name) { try visit(log, name) }
        } catch let error as LogReadError {
          try unreadable(name, CommandError.unreadable(name, error))
        }
      }
    }
  }

  /// The logs in a folder and the folders within it, and the folders that cannot be looked into; what is hidden is left out,
  /// for there lie builds and the histories of versions.
  private static func entries(in folder: String) throws(LogReadError) -> [Entry] {
    try checkAccess(folder)
    // A link to a folder that somebody names is that folder; those within it are not followed, for they may go in circles.
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return names.sorted().compactMap { name in
      guard !name.hasPrefix("."), !name.contains("/.") else { return nil }
      let path = base + name
      switch FileKind(path) {
      case .folder:
        do throws(LogReadError) { try checkAccess(path) } catch {
          return .failure(name: path, error)
        }
        return nil
      case .stream: return nil
      // A link that leads nowhere is met where it is read.
      case .file, .none: return name.hasSuffix(".jsonl") ? .file(path: path, name: path) : nil
      }
    }
  }

  private static func checkAccess(_ folder: String) throws(LogReadError) {
    guard access(folder, R_OK | X_OK) == 0 else { throw .system(path: folder, code: errno) }
  }
}
