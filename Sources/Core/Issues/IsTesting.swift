import Foundation

/// Whether this process runs tests.
public let isTesting: Bool = {
  let process = ProcessInfo.processInfo
  if process.environment["XCTestConfigurationFilePath"] != nil { return true }
  if process.environment["XCTestBundlePath"] != nil { return true }
  guard let program = process.arguments.first else { return false }
  let name = URL(fileURLWithPath: program).lastPathComponent
  // A test bundle that is run by itself, or one of the programs that load a bundle.
  return name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
}()
