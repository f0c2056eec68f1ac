/// The entry point of the plugin, in a separate file so that tests can compile all other files.
@main
struct Main {
  static func main() throws { try Plugin.run() }
}
