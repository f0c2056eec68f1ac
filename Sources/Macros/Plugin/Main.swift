/// Where the compiler's conversation with the plugin begins; apart from it, so that tests can be built of all the rest.
@main
struct Main {
  static func main() throws { try Plugin.run() }
}
