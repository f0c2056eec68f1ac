import ActionLog
import ReplayCommands

/// The page of a file: its logs, each with its replay or another log.
package struct LogPage {
  /// A log of the page.
  package struct ShownLog {
    let log: PageLog
    let comparison: PageComparison?
    /// The pictures of the log, and those of the replay or the other log.
    let pictures: (log: PagePictures?, other: PagePictures?)

    package init(
      _ log: PageLog,
      comparison: PageComparison? = nil,
      pictures: (log: PagePictures?, other: PagePictures?) = (nil, nil)
    ) {
      (self.log, self.comparison, self.pictures) = (log, comparison, pictures)
    }

    fileprivate var hasPictures: Bool { pictures.log != nil || pictures.other != nil }
  }

  /// The name of the file.
  private let name: String
  /// The logs of the page, at least one.
  private let entries: [ShownLog]
  private let program: Program
  /// The edits of a served page; `nil` for a file.
  private let serving: JSON?

  /// Creates the page of one log.
  package init(_ log: PageLog, comparison: PageComparison? = nil, program: Program) {
    self.init(log.name, [ShownLog(log, comparison: comparison)], program: program)
  }

  /// Creates the page of a file with several logs.
  ///
  /// The page offers a choice of them.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - entries: The logs. There must be at least one.
  ///   - program: The program that writes the page.
  ///   - serving: The edits of a served page; `nil` for a file.
  package init(_ name: String, _ entries: [ShownLog], program: Program, serving: JSON? = nil) {
    (self.name, self.entries, self.program, self.serving) = (name, entries, program, serving)
  }

  /// Writes the page.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(to sink: any ByteSink) throws { try write(to: sink, live: nil) }

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - sink: Receives the page.
  ///   - live: The source of later updates.
  /// - Returns: The heads of the page with and without updates.
  /// - Throws: `LogReadError`, `StreamError`.
  @discardableResult
  func write(to sink: any ByteSink, live: PageUpdateScripts.PageUpdateSource?) throws -> PageHead {
    var page = PageWriter(to: sink)
    let head = try page.open(
      title: title,
      about: about,
      live: live,
      hasPictures: entries.contains(where: \.hasPictures)
    )
    for (index, entry) in entries.enumerated() {
      try entry.log.write(to: &page, as: .log, number: index + 1)
      try entry.comparison?.write(to: &page, number: index + 1)
    }
    // Pictures follow the logs, because a page shows the logs first.
    for (index, entry) in entries.enumerated() {
      try entry.pictures.log?.write(to: &page, as: .log, number: index + 1)
      try entry.pictures.other?.write(to: &page, as: .other, number: index + 1)
    }
    try page.close()
    return head
  }

  private var title: String {
    if entries.count > 1 { return "\(name) – \(entries.count) logs" }
    let names = [name] + [entries.first?.comparison?.otherName].compactMap(\.self)
    return "\(names.joined(separator: " and ")) – \(entries.first?.log.header.feature ?? "")"
  }

  private var about: JSON.Object {
    var about: JSON.Object = ["program": .string("\(program.name) \(program.version)")]
    about["serve"] = serving
    let logs = entries.map { entry in
      var log = entry.log.about
      log["other"] = entry.comparison?.about
      return log
    }
    guard logs.count > 1 else {
      for (name, value) in logs.first ?? [:] { about[name] = value }
      return about
    }
    about["logs"] = .array(
      zip(entries, logs).enumerated().map { index, pair in
        var log = pair.1
        log["title"] = .string("\(index + 1)  \(pair.0.log.summary)")
        return .object(log)
      }
    )
    // The failed log is usually the one of interest.
    let failed = entries.firstIndex { $0.comparison?.isSame == false } ?? 0
    about["first"] = .number(JSON.Number(failed + 1))
    return about
  }
}
