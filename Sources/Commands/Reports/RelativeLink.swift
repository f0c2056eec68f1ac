import Foundation

/// Functions that create links from a report to files near the report.
package enum RelativeLink {
  /// Returns the URL of a file, with characters encoded that have a meaning in URLs, HTML, or Markdown.
  ///
  /// ```swift
  /// RelativeLink.url(of: "Pages/a b#1.html")  // ./Pages/a%20b%231.html
  /// ```
  package static func url(of path: String) -> String {
    let url = path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? path
    // Without this prefix, text before a colon would be interpreted as a scheme.
    return path.hasPrefix("/") ? url : "./\(url)"
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~"
  )
}
