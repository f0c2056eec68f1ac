import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The pictures of a log in a folder: a file for each distinct picture, and the assignment of actions to pictures.
///
/// ```swift
/// let pictures = try PictureSet(readingFrom: "before")
/// pictures.rows.first?.file  // "0.svg"
/// ```
package struct PictureSet: Sendable {
  /// An action and its picture.
  package struct Row: Sendable, Equatable {
    /// The number of the action; 0 for the state before the first one.
    package var action: Int
    /// The digest of the state; `nil` if it is not known.
    package var state: String?
    /// The picture; `nil` if there is none.
    package var picture: Picture?
    /// The reason for the absence of a picture.
    package var note: MissingPictureReason?
  }

  /// A picture file.
  package struct Picture: Sendable, Hashable {
    /// The name of the file in the folder.
    package var file: String
    /// The digest of the file.
    package var digest: String
    package var format: ReplayPicture.ImageFormat
    /// The size in points.
    package var width: Double
    package var height: Double
    package var description: String
  }

  /// The path of the folder.
  package let folder: String
  /// The actions in their order.
  package let rows: [Row]
  /// Whether the folder contains the states of the pictures.
  package let hasStates: Bool

  package init(folder: String, rows: [Row], hasStates: Bool = true) {
    (self.folder, self.rows, self.hasStates) = (folder, rows, hasStates)
  }

  /// The distinct pictures, in the order of their first actions.
  package var pictures: [Picture] {
    var seen = Set<String>()
    return rows.compactMap(\.picture).filter { seen.insert($0.file).inserted }
  }

  /// The actions without a picture, with the reasons.
  package var notes: [(action: Int, note: MissingPictureReason)] {
    rows.compactMap { row in row.note.map { (row.action, $0) } }
  }

  /// Returns the pictures of a range of actions.
  func limited(to range: ClosedRange<Int>?) -> PictureSet {
    guard let range else { return self }
    let rows = rows.filter { range.contains($0.action) }
    return PictureSet(folder: folder, rows: rows, hasStates: hasStates)
  }

  /// Returns the bytes of a picture.
  ///
  /// - Throws: `PictureFolderError` if the file has changed or is not a picture.
  package func bytes(of picture: Picture, limit: Int) throws(PictureFolderError) -> Data {
    let bytes = try PictureFileReader.read(picture.file, in: folder, limit: limit)
    guard FileDigest(bytes).digest == picture.digest else {
      throw .changed("\(folder)/\(picture.file)")
    }
    return bytes
  }
}

extension JSON {
  /// Returns a size in points, without a fraction if it is zero.
  package static func points(_ value: Double) -> JSON {
    if let whole = Int(exactly: value) { return .number(JSON.Number(whole)) }
    return JSON.Number(value).map(JSON.number) ?? .null
  }
}

/// The reason why a folder is not a valid folder of pictures.
package enum PictureFolderError: StatusError, Hashable, CustomStringConvertible {
  /// The folder does not exist.
  case noFolder(String)
  /// The folder has neither an index nor files named by actions.
  case noPictures(String)
  /// The index is invalid.
  case badIndex(String, problem: String)
  /// A file cannot be read.
  case unreadable(String, code: Int32)
  /// A file is not a picture.
  case notAPicture(String, MissingPictureReason)
  /// A file differs from the one in the index.
  case changed(String)
  /// The folder contains files that the `pictures` command has not written.
  case otherFiles(String)

  package var status: ExitStatus {
    switch self {
    case .noFolder, .noPictures: .noInput
    case .badIndex, .notAPicture, .changed: .unreadable
    case .unreadable: .inputOutput
    case .otherFiles: .cannotCreate
    }
  }

  package var description: String { Wording.describe(self) }
}

/// Reads the files of a folder of pictures.
///
/// It accepts only regular files up to a size limit.
enum PictureFileReader {
  /// Returns the format of a file by its name; `nil` for a name outside the folder or of another type.
  static func format(of name: String) -> ReplayPicture.ImageFormat? {
    guard !name.isEmpty, name.utf8.count <= 200,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
      name.first != "."
    else { return nil }
    return ReplayPicture.ImageFormat.allCases.first { name.hasSuffix(".\($0.rawValue)") }
  }

  /// Removes a symbolic link, because writing through it would change a file elsewhere.
  static func removeLink(_ name: String, in folder: String) {
    let path = "\(folder)/\(name)"
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    unlink(path)
  }

  /// Returns the bytes of a file.
  static func read(
    _ name: String,
    in folder: String,
    limit: Int
  ) throws(PictureFolderError) -> Data {
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path, code: errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path, code: EINVAL)
    }
    guard status.st_size <= limit else {
      throw .notAPicture(path, .tooLarge(bytes: Int(status.st_size), limit: limit))
    }
    let bytes: Data?
    do { bytes = try file.read(upToCount: limit + 1) } catch {
      throw .unreadable(path, code: EIO)
    }
    guard let bytes else { return Data() }
    guard bytes.count <= limit else {
      throw .notAPicture(path, .tooLarge(bytes: bytes.count, limit: limit))
    }
    return bytes
  }
}

extension Wording {
  static func describe(_ error: PictureFolderError) -> String {
    switch error {
    case .noFolder(let path): "there is no folder \(path)"
    case .noPictures(let path):
      "\(path) has no pictures; expected \(PictureIndexFile.name), or files named by action such as 12.png or 12.svg"
    case .badIndex(let path, let problem):
      "\(path) is no index of pictures: \(problem); expected one that 'pictures' has written"
    case .unreadable(let path, let code):
      "\(path) cannot be read: \(String(cString: strerror(code)))"
    case .notAPicture(let path, let note): "\(path): \(note)"
    case .changed(let path):
      "\(path) is not the picture that \(PictureIndexFile.name) names; expected the files as 'pictures' has written them"
    case .otherFiles(let path):
      "\(path) has files that are no pictures of 'pictures'; expected an empty folder, or a new name"
    }
  }
}
