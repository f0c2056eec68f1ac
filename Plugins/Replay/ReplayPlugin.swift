import Foundation
import PackagePlugin

/// `swift package replay ...`: builds the package's host and passes the command line to it.
///
/// A host that only answers the tool is built for an installed `tca-replay`, which gets the command line.
@main
struct ReplayPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let product = extractor.extractOption(named: "product").last
    let configuration = extractor.extractOption(named: "configuration").last
    let tool = extractor.extractOption(named: "tool").last
    let hosts = Hosts(context.package)
    let host = try hosts.host(named: product)
    let build = try packageManager.build(
      .product(host),
      parameters: PackageManager.BuildParameters(
        configuration: configuration == "release" ? .release : .debug
      )
    )
    guard build.succeeded else { throw ReplayPluginError.buildFailed(host, log: build.logText) }
    guard
      let executable = build.builtArtifacts.first(where: {
        $0.kind == .executable && $0.url.deletingPathExtension().lastPathComponent == host
      })
    else { throw ReplayPluginError.notBuilt(host) }
    let process = Process()
    if tool != nil || hosts.needTool.contains(host) {
      process.executableURL = try InstalledTool.url(tool, for: host)
      process.environment = ProcessInfo.processInfo.environment
        .merging(["TCA_REPLAY_HOST": executable.url.path]) { $1 }
    } else {
      process.executableURL = executable.url
    }
    process.arguments = extractor.remainingArguments
    // The package manager closes a plugin's standard input. Without a replacement, the first file that the host opens
    // would get its descriptor.
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    // The host has printed its own messages, so the plugin only passes on the status.
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}

/// The executable of `tca-replay` outside of the package.
private enum InstalledTool {
  private static let name = "tca-replay"

  /// Returns the tool at a path, or else the first one in the folders of `PATH`.
  static func url(_ path: String?, for host: String) throws(ReplayPluginError) -> URL {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let candidates = path.map { [$0] } ?? folders.map { "\($0)/\(name)" }
    guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw path.map { .noToolAt($0) } ?? .noTool(host)
    }
    return URL(fileURLWithPath: found)
  }
}

/// The hosts that a package builds.
private struct Hosts {
  let names: [String]
  /// The names of the hosts that only answer the tool.
  let needTool: Set<String>

  /// The libraries for hosts: of this package, and of the adapter for Point-Free's library.
  private static let libraries: Set = ["TCAReplay", "ComposableReplay", servingLibrary]

  /// The library for hosts that only answer the tool.
  private static let servingLibrary = "TCAReplayHost"

  /// Finds the executable products that depend on a library for hosts.
  init(_ package: Package) {
    let products = package.products.compactMap { $0 as? ExecutableProduct }
    let libraries = products.map { product in
      let names = product.mainTarget.dependencies.compactMap { dependency -> String? in
        switch dependency {
        case .product(let library): library.name
        case .target(let target): target.name
        @unknown default: nil
        }
      }
      return (product.name, Self.libraries.intersection(names))
    }
    names = libraries.filter { !$0.1.isEmpty }.map(\.0)
    needTool = Set(libraries.filter { $0.1 == [Self.servingLibrary] }.map(\.0))
  }

  func host(named name: String?) throws(ReplayPluginError) -> String {
    if let name { return name }
    guard let first = names.first else { throw .noHost }
    guard names.count == 1 else { throw .manyHosts(names) }
    return first
  }
}

/// The reason why the plugin could not run a host.
enum ReplayPluginError: Error, CustomStringConvertible {
  case noHost
  case manyHosts([String])
  case buildFailed(String, log: String)
  case notBuilt(String)
  case noTool(String)
  case noToolAt(String)

  var description: String {
    switch self {
    case .noHost:
      "the package has no host: expected an executable that depends on the product TCAReplay,"
        + " TCAReplayHost or ComposableReplay and has a type that conforms to ReplayHost"
    case .manyHosts(let names):
      "the package has several hosts, \(names.sorted().joined(separator: ", ")): choose one with --product NAME"
    case .buildFailed(let host, let log): "the host \(host) does not build:\n\(log)"
    case .notBuilt(let host):
      "the build gave no executable \(host): expected the name of an executable product"
    case .noTool(let host):
      "the host \(host) only answers tca-replay, and no folder of PATH has this tool: install it,"
        + " name it with --tool PATH, or let the host depend on the product TCAReplay"
    case .noToolAt(let path): "there is no executable at \(path), the value of --tool"
    }
  }
}
