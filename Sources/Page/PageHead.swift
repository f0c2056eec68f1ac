import ActionLog
import ReplayCommands

/// The part of a page before its script: the title, the style, and information other than logs.
struct PageHead {
  /// The head as it was written.
  let written: [UInt8]
  /// The head of the complete page.
  let complete: [UInt8]

  /// Creates a head.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - about: Information other than logs.
  ///   - live: The source of later updates; `nil` for a complete page.
  ///   - hasPictures: Whether the page has images as embedded data.
  init(
    title: String,
    about: JSON.Object,
    live: PageUpdateScripts.PageUpdateSource?,
    hasPictures: Bool = false
  ) {
    complete = Self.bytes(title, about, live: nil, hasPictures)
    written = live == nil ? complete : Self.bytes(title, about, live: live, hasPictures)
  }

  private static func bytes(
    _ title: String,
    _ about: JSON.Object,
    live: PageUpdateScripts.PageUpdateSource?,
    _ hasPictures: Bool
  ) -> [UInt8] {
    var about = about
    about["live"] = live?.json
    // A page with updates loads scripts. Only its own script may name them.
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
