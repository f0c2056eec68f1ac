public import Foundation

/// A picture of a state that a host draws for people and tests.
///
/// ```swift
/// ReplayFeature("Counter") { Counter() } initialState: { Counter.State() } picture: { state in
///   .svg(
///     "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 60'><text x='50' y='40'>\(state.count)</text></svg>",
///     width: 120,
///     height: 60,
///     description: "The counter shows \(state.count)."
///   )
/// }
/// ```
///
/// A picture is displayed only as an image. Its scripts don't run, and its references are not loaded.
public struct ReplayPicture: Sendable, Equatable {
  /// The image data of a picture.
  ///
  /// ```swift
  /// if case .png(let data) = picture.content { try data.write(to: file) }
  /// ```
  public enum Content: Sendable, Equatable {
    /// An image in SVG, with the text of the document.
    case svg(String)
    /// An image in PNG, with the bytes of the file.
    case png(Data)
  }

  /// The image data in one of the supported formats.
  public var content: Content
  /// The width in points.
  public var width: Double
  /// The height in points.
  public var height: Double
  /// A description for people who can't see the image.
  public var description: String

  /// Creates a picture.
  ///
  /// - Parameters:
  ///   - content: The image data.
  ///   - width: The width in points.
  ///   - height: The height in points.
  ///   - description: A description for people who can't see the image.
  public init(_ content: Content, width: Double, height: Double, description: String = "") {
    (self.content, self.width, self.height) = (content, width, height)
    self.description = description
  }

  /// Creates a picture from the text of an SVG document.
  public static func svg(
    _ text: String,
    width: Double,
    height: Double,
    description: String = ""
  ) -> Self {
    Self(.svg(text), width: width, height: height, description: description)
  }

  /// Creates a picture from the bytes of a PNG file.
  public static func png(
    _ data: Data,
    width: Double,
    height: Double,
    description: String = ""
  ) -> Self {
    Self(.png(data), width: width, height: height, description: description)
  }
}

extension ReplayPicture {
  /// The file format of an image.
  package enum ImageFormat: String, Sendable, CaseIterable {
    case svg, png

    /// The media type of the format, such as `image/png`.
    package var mediaType: String {
      switch self {
      case .svg: "image/svg+xml"
      case .png: "image/png"
      }
    }
  }

  package var format: ImageFormat {
    switch content {
    case .svg: .svg
    case .png: .png
    }
  }

  /// The bytes of the image file.
  package var bytes: Data {
    switch content {
    case .svg(let text): Data(text.utf8)
    case .png(let data): data
    }
  }

  /// The size of the image file in bytes.
  package var byteCount: Int {
    switch content {
    case .svg(let text): text.utf8.count
    case .png(let data): data.count
    }
  }

  /// Creates a picture from an image file.
  ///
  /// The width and height are read from the file. They are 0 if the file declares none.
  package init(_ format: ImageFormat, file bytes: Data, description: String = "") {
    switch format {
    case .png:
      let size = PictureSize(png: bytes)
      self.init(
        .png(bytes),
        width: size?.width ?? 0,
        height: size?.height ?? 0,
        description: description
      )
    case .svg:
      let text = String(decoding: bytes, as: UTF8.self)
      let size = PictureSize(svg: text)
      self.init(
        .svg(text),
        width: size?.width ?? 0,
        height: size?.height ?? 0,
        description: description
      )
    }
  }

  /// Checks whether a picture can be displayed.
  ///
  /// An SVG document without entity declarations can't expand when it is parsed. A PNG file within the pixel limit
  /// can't exhaust the memory.
  ///
  /// - Parameter limit: The maximum size of the image file in bytes.
  /// - Returns: The reason why the picture can't be displayed, or `nil` if it is valid.
  package func problem(limit: Int) -> MissingPictureReason? {
    guard byteCount <= limit else { return .tooLarge(bytes: byteCount, limit: limit) }
    guard description.utf8.count <= Self.longestDescription else {
      return .invalid(.description)
    }
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      return .invalid(.size)
    }
    switch content {
    case .svg(let text):
      var bytes = text.utf8[...]
      while bytes.first.map({ [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) == true {
        bytes = bytes.dropFirst()
      }
      guard bytes.first == UInt8(ascii: "<"), text.contains("<svg") || text.contains(":svg") else {
        return .invalid(.notSVG)
      }
      // XML recognizes these keywords only in upper case. In another encoding, their bytes would differ.
      guard !text.utf8.contains(0), !text.contains("<!DOCTYPE"), !text.contains("<!ENTITY"),
        Self.isUTF8(text)
      else { return .invalid(.entities) }
    case .png(let data):
      guard let size = PictureSize(png: data) else { return .invalid(.notPNG) }
      guard size.width * size.height <= Self.mostPixels else { return .invalid(.pixels) }
    }
    return nil
  }

  /// Returns whether an SVG document uses UTF-8: its XML declaration, if any, names no other encoding.
  private static func isUTF8(_ text: String) -> Bool {
    guard let start = text.firstRange(of: "<?xml"),
      let end = text[start.upperBound...].firstRange(of: "?>")
    else { return true }
    let declaration = text[start.upperBound..<end.lowerBound].lowercased()
    return !declaration.contains("encoding") || declaration.contains("utf-8")
  }

  /// The maximum length of a description in bytes, which is enough to describe one screen.
  private static let longestDescription = 20_000
  /// The maximum side length in points, which is about ten times the height of a large display.
  private static let longestSide = 32_768.0
  /// The maximum number of pixels, for which a browser needs 256 MB at four bytes per pixel.
  private static let mostPixels = 64_000_000.0
}

/// The size that an image file declares.
struct PictureSize {
  let width: Double
  let height: Double

  /// Reads the size from the first chunk of a PNG file, or returns `nil` for other files.
  init?(png data: Data) {
    let head = Array(data.prefix(24))
    guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      head[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ start: Int) -> Double {
      Double(head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) })
    }
    (width, height) = (number(16), number(20))
  }

  /// Reads the size from the `width` and `height` of an SVG document, or else from its `viewBox`.
  ///
  /// Returns `nil` if the size can't be read from either.
  init?(svg text: String) {
    guard let start = text.firstRange(of: "<svg"),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = text[start.upperBound..<end]
    func value(_ name: String) -> Substring? {
      for quote in ["\"", "'"] {
        guard let begin = tag.firstRange(of: " \(name)=\(quote)") else { continue }
        return tag[begin.upperBound...].prefix { String($0) != quote }
      }
      return nil
    }
    func points(_ name: String) -> Double? {
      value(name).flatMap { Double($0.hasSuffix("px") ? $0.dropLast(2) : $0) }
    }
    let box = value("viewBox")?.split { $0 == " " || $0 == "," }.compactMap { Double($0) } ?? []
    guard let width = points("width") ?? (box.count == 4 ? box[2] : nil),
      let height = points("height") ?? (box.count == 4 ? box[3] : nil)
    else { return nil }
    (self.width, self.height) = (width, height)
  }
}
