import ReplayCommands
import ReplayEngine
import ReplayPictures

/// The pictures for `view`, drawn by the host or read from folders.
struct ViewPictures {
  private let drawing: PictureRenderer?
  private let folders: [PictureSet]
  private let limit: Int

  /// Reads the options for pictures.
  ///
  /// - Throws: `UsageError`, `CommandError`, `PictureFolderError`.
  init(_ arguments: ParsedArguments, in context: CommandContext) throws {
    let limits = try arguments.pictureLimits()
    limit = limits.bytes
    folders = try arguments.values("--pictures-from").map {
      try PictureSet(readingFrom: $0, limit: limits.bytes)
    }
    var drawing: PictureRenderer?
    if arguments.isOn("--pictures") {
      drawing = PictureRenderer(context, try context.replayOptions(arguments))
      drawing?.limits = limits
    }
    self.drawing = drawing
  }

  /// Returns the pictures of a log and of its comparison.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - range: The actions on the page.
  ///   - comparison: The replay or the other log.
  /// - Returns: The pictures of both sides.
  /// - Throws: The errors of `PictureRenderer`.
  func sides(
    of log: LogSlice,
    _ range: ClosedRange<Int>?,
    _ comparison: PageComparison?
  ) throws -> (log: PagePictures?, other: PagePictures?) {
    guard var drawing else {
      let sets = folders.map { PagePictures($0, limit: limit) }
      return (sets.first, comparison == nil ? nil : sets.dropFirst().first)
    }
    drawing.range = range
    let own = try PagePictures(of: log, by: drawing)
    return (own, try comparison?.withSlice { try PagePictures(of: $0, by: drawing) })
  }
}
