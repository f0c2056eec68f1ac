#if canImport(SwiftUI)
import InspectionsViews
import SwiftUI

@main
struct InspectionsApp: App {
  var body: some Scene { InspectionsScene() }
}
#else
@main
enum InspectionsApp {
  static func main() {
    print(
      "Inspections has views of SwiftUI, which this system has not. 'inspections-replay' replays its logs."
    )
  }
}
#endif
