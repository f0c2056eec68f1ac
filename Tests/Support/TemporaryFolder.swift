package import Foundation

/// A separate folder for a test, which is removed after it.
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

  /// The names in the folder, sorted.
  package var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  package func contains(_ name: String) -> Bool {
    !name.isEmpty && FileManager.default.fileExists(atPath: "\(path)/\(name)")
  }

  /// Writes a file, creates the folders above it, and returns its path.
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

  /// Creates an executable from a shell script and returns its path.
  ///
  /// The executable is a link to a file that is never written. A file that was just written may be busy while another
  /// thread creates a process.
  package func script(_ text: String, named name: String) throws -> String {
    try write(text, to: name + ".sh")
    let path = "\(path)/\(name)"
    if contains(name) { return path }
    let runner = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("run-beside").path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: runner)
    return path
  }

  /// Creates a symbolic link to a file of the folder.
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
