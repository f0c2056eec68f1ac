import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The file `pictures.json` of a folder, which lists the picture and the state of each action.
package enum PictureIndexFile {
  /// The name of the file.
  package static let name = "pictures.json"
  /// The member that identifies the file format.
  private static let format = "tca-replay pictures"
  private static let version = 1
  /// The maximum size in bytes.
  ///
  /// Ten thousand actions take three million bytes.
  private static let longest = 256 << 20

  /// Returns the text of an index.
  ///
  /// Each action has its own line, so that differences are easy to read.
  static func text(of rows: [PictureSet.Row], feature: String) -> String {
    let lines = rows.map { "    \(json(of: $0))" }
    return """
      {
        "format": "\(format)", "version": \(version), "feature": \(JSON.string(feature)),
        "pictures": [
      \(lines.joined(separator: ",\n"))
        ]
      }

      """
  }

  private static func json(of row: PictureSet.Row) -> JSON {
    var object: JSON.Object = ["action": .number(JSON.Number(row.action))]
    if let picture = row.picture {
      object["file"] = .string(picture.file)
      object["picture"] = .string(picture.digest)
    }
    object["state"] = row.state.map(JSON.string)
    if let picture = row.picture {
      object["description"] = .string(picture.description)
      object["width"] = .points(picture.width)
      object["height"] = .points(picture.height)
    }
    if let note = row.note {
      object["note"] = note.json
      object["message"] = .string("\(note)")
    }
    return .object(object)
  }

  /// Reads an index; `nil` if the folder has none.
  ///
  /// - Throws: `PictureFolderError`.
  static func read(in folder: String) throws(PictureFolderError) -> [PictureSet.Row]? {
    let path = "\(folder)/\(name)"
    let bytes: Data
    do throws(PictureFolderError) {
      bytes = try PictureFileReader.read(name, in: folder, limit: longest)
    } catch {
      if case .unreadable(_, ENOENT) = error { return nil }
      throw error
    }
    let json: JSON
    do { json = try JSON(parsing: Array(bytes)) } catch {
      throw .badIndex(path, problem: "\(error)")
    }
    guard json["format"]?.string == format else {
      throw .badIndex(path, problem: "it has no \"format\": \"\(format)\"")
    }
    guard json["version"]?.int == version else {
      throw .badIndex(path, problem: "its version is \(json["version"] ?? .null), not \(version)")
    }
    var rows: [PictureSet.Row] = []
    for (index, row) in (json["pictures"]?.array ?? []).enumerated() {
      guard let read = Self.row(row), rows.last.map({ $0.action < read.action }) ?? true else {
        throw .badIndex(path, problem: "element \(index) of \"pictures\" is no picture")
      }
      rows.append(read)
    }
    return rows
  }

  private static func row(_ json: JSON) -> PictureSet.Row? {
    guard let action = json["action"]?.count else { return nil }
    var row = PictureSet.Row(action: action, state: json["state"]?.string)
    if let file = json["file"]?.string {
      guard let format = PictureFileReader.format(of: file), let digest = json["picture"]?.string,
        let width = json["width"]?.number?.double, let height = json["height"]?.number?.double
      else { return nil }
      row.picture = PictureSet.Picture(
        file: file,
        digest: digest,
        format: format,
        width: width,
        height: height,
        description: json["description"]?.string ?? ""
      )
    } else if let note = json["note"] {
      guard let note = MissingPictureReason(json: note) else { return nil }
      row.note = note
    }
    return row
  }
}

extension PictureSet {
  /// Reads a folder by its index, or else by file names with numbers of actions (`12.png`).
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - limit: The maximum size of a picture in bytes.
  /// - Throws: `PictureFolderError`.
  package init(readingFrom folder: String, limit: Int) throws(PictureFolderError) {
    guard FileSystemItemKind(folder) == .folder else { throw .noFolder(folder) }
    if let rows = try PictureIndexFile.read(in: folder) {
      self.init(folder: folder, rows: rows)
      return
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var rows: [Int: Row] = [:]
    for name in names.sorted() {
      guard let format = PictureFileReader.format(of: name),
        let action = Int(name.dropLast(format.rawValue.utf8.count + 1)), action >= 0
      else { continue }
      let bytes = try PictureFileReader.read(name, in: folder, limit: limit)
      let picture = ReplayPicture(format, file: bytes)
      // A document may leave its size to the viewer.
      if let note = picture.problem(limit: limit), note != .invalid(.size) {
        throw .notAPicture("\(folder)/\(name)", note)
      }
      rows[action] = Row(
        action: action,
        picture: Picture(
          file: name,
          digest: FileDigest(bytes).digest,
          format: format,
          width: picture.width,
          height: picture.height,
          description: picture.description
        )
      )
    }
    guard !rows.isEmpty else { throw .noPictures(folder) }
    // Equal files are one picture, as in an index.
    var firsts: [String: Picture] = [:]
    let sorted = rows.values.sorted { $0.action < $1.action }.map { row in
      var row = row
      if let picture = row.picture {
        let key = "\(picture.digest) \(picture.format)"
        row.picture = firsts[key] ?? picture
        firsts[key] = row.picture
      }
      return row
    }
    self.init(folder: folder, rows: sorted, hasStates: false)
  }

  /// Checks in advance that pictures may be written into a folder.
  ///
  /// It must be new, empty, or contain an index.
  ///
  /// - Throws: `PictureFolderError.otherFiles`, or the error of reading its index.
  package static func checkOutput(_ folder: String) throws(PictureFolderError) {
    guard FileSystemItemKind(folder) != .none else { return }
    guard FileSystemItemKind(folder) == .folder else { throw .otherFiles(folder) }
    if try PictureIndexFile.read(in: folder) != nil { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard names.isEmpty else { throw .otherFiles(folder) }
  }

  /// Checks in advance that a picture may be written.
  ///
  /// The file must not exist, or must be a picture.
  ///
  /// - Throws: `CommandError.wouldOverwriteOther`.
  package static func checkOutput(file: String) throws(CommandError) {
    guard case .file = FileSystemItemKind(file) else { return }
    let beginning = (try? FileHandle(forReadingAtPath: file)?.read(upToCount: 8)) ?? Data()
    let isPicture =
      beginning.isEmpty || beginning.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || beginning.starts(with: "<svg".utf8) || beginning.starts(with: "<?xml".utf8)
    guard isPicture else { throw .wouldOverwriteOther(file, expected: "a picture") }
  }

  /// Writes the pictures into a folder, and replaces those that its index names.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is created if it does not exist.
  ///   - feature: The feature that the pictures show.
  ///   - limit: The maximum size of a picture in bytes.
  /// - Throws: `PictureFolderError`, `StreamError`.
  package func write(to folder: String, feature: String, limit: Int) throws {
    try Self.checkOutput(folder)
    let earlier =
      try FileSystemItemKind(folder) == .folder ? PictureIndexFile.read(in: folder) ?? [] : []
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw StreamError(creating: folder, error, otherwise: EIO) }
    for picture in pictures {
      PictureFileReader.removeLink(picture.file, in: folder)
      let file = try AtomicFile("\(folder)/\(picture.file)")
      try file.write(try bytes(of: picture, limit: limit))
      try file.finish()
    }
    PictureFileReader.removeLink(PictureIndexFile.name, in: folder)
    let index = try AtomicFile("\(folder)/\(PictureIndexFile.name)")
    try index.write(PictureIndexFile.text(of: rows, feature: feature).utf8)
    try index.finish()
    let kept = Set(pictures.map(\.file))
    for file in Set(earlier.compactMap { $0.picture?.file }) where !kept.contains(file) {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(file)")
    }
  }
}
