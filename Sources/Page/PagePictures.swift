import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayPictures

/// The pictures of one side of a page's log.
package struct PagePictures {
  private let set: PictureSet
  private let limit: Int
  /// The owner of the temporary folder with the pictures; `nil` for a permanent folder.
  private let owner: TemporaryDirectory?

  /// Creates the pictures of one side.
  ///
  /// - Parameters:
  ///   - set: The pictures.
  ///   - limit: The maximum size of a picture in bytes.
  ///   - owner: The owner of their folder.
  package init(_ set: PictureSet, limit: Int, keeping owner: TemporaryDirectory? = nil) {
    (self.set, self.limit, self.owner) = (set, limit, owner)
  }

  /// Draws the pictures of a log.
  ///
  /// - Throws: The errors of `PictureRenderer`.
  package init(of log: LogSlice, by drawing: PictureRenderer) throws {
    let folder = try TemporaryDirectory()
    self.init(try drawing.draw(log, into: folder), limit: drawing.limits.bytes, keeping: folder)
  }

  /// The number of pictures and the number of actions without one.
  var counts: (pictures: Int, notes: Int) { (set.pictures.count, set.notes.count) }

  /// Writes the pictures to a page: a table of actions and pictures, and a block for each picture.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - part: The side of the log.
  ///   - number: The number of the log on the page; the first is 1.
  /// - Throws: `PictureFolderError`, `StreamError`.
  func write(to page: inout PageWriter, as part: PageWriter.LogRole, number: Int) throws {
    let pictures = set.pictures
    let places = Dictionary(
      pictures.enumerated().map { ($0.element.file, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    let index: JSON = [
      "pictures": .array(
        pictures.map { picture in
          [
            .string(picture.format.mediaType), Self.points(picture.width),
            Self.points(picture.height), .string(Notation.visible(picture.description)),
            .string(picture.digest),
          ]
        }
      ),
      "actions": .array(
        set.rows.map { row in
          let place = row.picture.flatMap { places[$0.file] }
          return [
            .number(JSON.Number(row.action)),
            place.map { .number(JSON.Number($0)) } ?? .string(row.note.map { "\($0)" } ?? ""),
          ]
        }
      ),
    ]
    let side = part.rawValue
    try page.add(
      block: "pictures",
      "data-side=\"\(side)\" data-log=\"\(number)\"",
      PageWriter.escaped(index)
    )
    for (place, picture) in pictures.enumerated() {
      let bytes = try set.bytes(of: picture, limit: limit)
      try page.add(
        block: "picture",
        "id=\"picture-\(side)-\(number)-\(place)\"",
        bytes.base64EncodedData()
      )
    }
  }

  /// Returns a size in points.
  ///
  /// A picture without a size gets that of a phone's screen.
  private static func points(_ points: Double) -> JSON {
    points > 0 ? JSON.points(points) : 390
  }
}
