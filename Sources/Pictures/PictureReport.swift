import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The differences of two sets of pictures as an HTML page.
///
/// The page shows each pair side by side, stacked with a slider, and blended to their difference. It uses pictures only
/// as images, loads no resources, and runs its own script.
struct PictureReport {
  private let comparison: PictureComparison
  private let limit: Int

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - comparison: The comparison.
  ///   - limit: The maximum size of a picture in bytes.
  init(_ comparison: PictureComparison, limit: Int) {
    (self.comparison, self.limit) = (comparison, limit)
  }

  /// The maximum number of differences with pictures.
  ///
  /// A larger page loads slowly and is no more useful.
  private static let mostShown = 200

  /// Returns the page.
  ///
  /// - Throws: `PictureFolderError` for unreadable pictures.
  func text() throws -> String {
    var page = HTMLReport(
      Wording.title(comparison),
      style: Self.style,
      policy: "img-src data:; script-src '\(Self.scriptHash)'"
    )
    for line in Wording.remarks(comparison) { page.add(paragraph: line) }
    for difference in comparison.differences.prefix(Self.mostShown) {
      page.add(heading: Wording.difference(difference, comparison))
      page.add(markup: try figures(difference))
    }
    let more = comparison.differences.dropFirst(Self.mostShown)
    if !more.isEmpty { page.add(paragraph: Wording.notShown(more.map(\.action))) }
    page.add(markup: "<script>\(Self.script)</script>")
    return page.text
  }

  private func figures(_ difference: PictureComparison.Difference) throws -> String {
    let before = try side("before", difference.before, comparison.before)
    let after = try side("after", difference.after, comparison.after)
    guard difference.before.picture != nil, difference.after.picture != nil else {
      return "<div class=\"sides\">\(before)\(after)</div>"
    }
    let layers = "<img class=\"before\" alt=\"\"><img class=\"after\" alt=\"\">"
    return """
      <div class="sides pair">
      \(before)
      \(after)
      <figure><figcaption><label>before and after <input type="range" min="0" max="100" value="50"></label></figcaption>
      <div class="over">\(layers)</div></figure>
      <figure><figcaption>difference</figcaption><div class="over blend">\(layers)</div></figure>
      </div>
      """
  }

  private func side(_ name: String, _ row: PictureSet.Row, _ set: PictureSet) throws -> String {
    guard let picture = row.picture else {
      let reason = row.note.map { "\($0)" } ?? Wording.noPicture
      return
        "<figure><figcaption>\(name)</figcaption><p>\(HTMLReport.escaped(reason))</p></figure>"
    }
    let bytes = try set.bytes(of: picture, limit: limit).base64EncodedString()
    let text = HTMLReport.escaped(picture.description)
    return """
      <figure><figcaption>\(name)</figcaption>
      <img class="own" alt="\(text)" title="\(text)" src="data:\(picture.format.mediaType);base64,\(bytes)"></figure>
      """
  }

  private static let style = """
    .sides { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
    figure { margin: 0; flex: 1 1 12rem; max-width: 20rem; min-width: 0; }
    figcaption { color: var(--dim); font-size: .85rem; min-height: 1.6rem; }
    figure img { display: block; width: 100%; border: 1px solid var(--line); background: #fff; }
    .over { position: relative; isolation: isolate; }
    .over img.after { position: absolute; inset: 0; height: 100%; }
    .blend { background: #000; } .blend img.after { mix-blend-mode: difference; }
    input { vertical-align: middle; max-width: 8rem; }
    """

  /// The digest of the script, which the page's policy allows.
  static let scriptHash = "sha256-lR8rHOK8DsJwY9Ijg2T3VEdScfBgok5zWUZs74laJoI="

  static let script = #"""
    for (const figure of document.querySelectorAll(".pair")) {
      const [before, after] = figure.querySelectorAll("img.own");
      for (const image of figure.querySelectorAll("img.before")) image.src = before.src;
      for (const image of figure.querySelectorAll("img.after")) image.src = after.src;
      const slider = figure.querySelector("input");
      const top = figure.querySelector(".over img.after");
      slider.oninput = () => { top.style.clipPath = `inset(0 0 0 ${slider.value}%)`; };
      slider.oninput();
    }
    """#
}
