import Foundation

/// Links from a report to files near it.
package enum RelativeLink {
  /// Returns the URL of a file.
  ///
  /// Characters with a meaning in URLs, HTML or Markdown are encoded.
  ///
  /// ```swift
  /// RelativeLink.url(of: "Pages/a b#1.html")  // ./Pages/a%20b%231.html
  /// ```
  package static func url(of path: String) -> String {
    let url = path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? path
    // Without the prefix, text before a colon would be read as a scheme.
    return path.hasPrefix("/") ? url : "./\(url)"
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~"
  )
}
