import ActionLog
import ReplayCommands

/// What stands in a page before its script: the title, the style, and what the page says besides the logs.
struct PageHead {
  /// The head that was written.
  let written: [UInt8]
  /// The head of a page that is complete.
  let complete: [UInt8]

  /// - Parameters:
  ///   - title: The title of the page.
  ///   - about: What the page says besides the logs.
  ///   - live: How the page learns what comes later; `nil` when it is complete.
  ///   - hasPictures: Whether the page has images, which are data of its own.
  init(title: String, about: JSON.Object, live: PageNews.NewsSource?, hasPictures: Bool = false) {
    complete = Self.bytes(title, about, live: nil, hasPictures)
    written = live == nil ? complete : Self.bytes(title, about, live: live, hasPictures)
  }

  private static func bytes(
    _ title: String,
    _ about: JSON.Object,
    live: PageNews.NewsSource?,
    _ hasPictures: Bool
  ) -> [UInt8] {
    var about = about
    about["live"] = live?.json
    // A page that learns what comes loads scripts; its own script, and nothing else, may name them.
    let scripts = "'\(PageSource.scriptHash)'" + (live == nil ? "" : " 'strict-dynamic'")
    let policy =
      "default-src 'none'; script-src \(scripts); style-src '\(PageSource.styleHash)'; "
      + (hasPictures ? "img-src data:; " : "") + "base-uri 'none'; form-action 'none'"
    var bytes = Array(
      """
      \(PageOutput.beginning)<meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title))</title>
      <style>\(PageSource.style)</style>
      </head>
      <body>
      \(PageSource.body)
      <script type="application/json" id="about">
      """.utf8
    )
    bytes += PageWriter.escaped(.object(about))
    bytes += "</script>\n".utf8
    return bytes
  }

  private static func escaped(_ text: String) -> String {
    Notation.visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
