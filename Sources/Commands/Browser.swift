import Foundation

/// Functions that use the system's web browser.
package enum Browser {
  /// Opens a page in the web browser.
  ///
  /// - Returns: Whether a program that can open the page was started.
  package static func open(_ path: String) -> Bool {
    #if canImport(UIKit)
    // An iOS app can't start other processes.
    return false
    #else
    // `/usr/bin/open` is the program of macOS.
    let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open", "/usr/bin/open"]
    guard let opener = names.first(where: FileManager.default.isExecutableFile) else {
      return false
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = [path]
    process.standardOutput = FileHandle.nullDevice
    return (try? process.run()) != nil
    #endif
  }
}
