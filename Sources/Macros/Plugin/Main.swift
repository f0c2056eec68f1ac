/// The entry point of the plugin, in a file of its own, so that tests can be built from all the others.
@main
struct Main {
  static func main() throws { try Plugin.run() }
}
