import Foundation
import SampleFeatures
import TCAReplay

/// A host whose pictures of a counter fail in a manner that depends on the count.
///
/// It requires `TCA_REPLAY_TEST_PICTURES`.
///
/// If the value is `changed`, all pictures are valid, and that of the count 4 differs from the usual one.
struct PictureHost: ReplayHost {
  static let variable = "TCA_REPLAY_TEST_PICTURES"

  static var features: [ReplayFeature] {
    [
      ReplayFeature("Counter") {
        Counter()
      } initialState: {
        Counter.State()
      } picture: {
        try picture(of: $0)
      }
    ]
  }

  private static func picture(of state: Counter.State) throws -> ReplayPicture {
    let mode = ProcessInfo.processInfo.environment[variable]
    let word = mode == "changed" && state.count == 4 ? "changed" : "count"
    func svg(_ inside: String, before: String = "") -> ReplayPicture {
      .svg(
        "\(before)<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"60\">\(inside)</svg>",
        width: 120,
        height: 60,
        description: "The count is \(state.count)."
      )
    }
    let usual = svg("<text x=\"9\" y=\"40\">\(word) \(state.count)</text>")
    guard mode == "hostile" else { return usual }
    switch state.count {
    case 1: throw PictureFailure(reason: "no \u{1B}[31mpaint")
    case 2: fatalError("the picture traps")
    case 3: while true { sleep(1) }
    case 4: return svg(String(repeating: "x", count: 100_000_000))
    case 5:
      return svg(
        """
        <script>document.title = "evil"; fetch("http://127.0.0.1:9/evil")</script>
        <image href="http://127.0.0.1:9/evil.png" width="9" height="9"/><rect width="9" height="9" onload="alert(1)"/>
        <foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="http://127.0.0.1:9/x.png"/></body></foreignObject>
        <style>@import url(http://127.0.0.1:9/evil.css);</style></script><img src=x onerror=alert(1)>
        """
      )
    case 6:
      return svg(
        "<text>&d;</text>",
        before:
          "<!DOCTYPE svg [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;\">]>"
      )
    case 7: return .svg("no picture", width: 9, height: 9)
    case 8: return .png(Data("no picture".utf8), width: 9, height: 9)
    case 9: return .svg("<svg/>", width: .infinity, height: 9)
    case 10: exit(7)
    default: return usual
    }
  }
}

private struct PictureFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
