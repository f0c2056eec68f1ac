package import Foundation

/// A folder of its own for a test, gone after it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("tca-replay-tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// The names in the folder, in order.
  package var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  package func contains(_ name: String) -> Bool {
    !name.isEmpty && FileManager.default.fileExists(atPath: "\(path)/\(name)")
  }

  /// Writes a file, in folders that are made for it, and says where it is.
  @discardableResult
  package func write(_ text: String = "", to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: file).deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// Makes an executable of a shell script and says where it is.
  ///
  /// It is a link to a file that nobody writes: of one that was just written the system may say that it is busy, while another
  /// thread makes a process.
  package func script(_ text: String, named name: String) throws -> String {
    try write(text, to: name + ".sh")
    let path = "\(path)/\(name)"
    if contains(name) { return path }
    let runner = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("run-beside").path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: runner)
    return path
  }

  /// Makes a symbolic link to a file of the folder.
  package func link(_ name: String, to other: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)",
      withDestinationPath: "\(path)/\(other)"
    )
  }

  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}
