import ActionLog
import Foundation
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// The responses of `view --serve`: the page of a log, and the page of the log with an edited timeline.
///
/// All paths start with a random token. Only pages of this server may send requests. Browsers reveal other sites in
/// `Origin` or `Sec-Fetch-Site`, and other names of this machine in `Host`.
struct PageServer {
  private let log: LogSlice
  private let forker: TimelineForker
  private let program: Program
  private let token: String
  private let hosts: Set<String>
  private let generation: String
  /// Returns whether the command is ending.
  private let isEnding: () -> Bool
  private var beat = 0

  /// The maximum number of edits in a request.
  private static let mostEdits = 64

  init(
    _ log: LogSlice,
    _ forker: TimelineForker,
    program: Program,
    port: Int,
    token: String = PageServer.makeToken(),
    isEnding: @escaping () -> Bool
  ) {
    (self.log, self.forker, self.program, self.token) = (log, forker, program, token)
    (self.isEnding, generation) = (isEnding, UUID().uuidString)
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    address = "http://127.0.0.1:\(port)/\(token)/"
  }

  /// The address of the page.
  let address: String

  private static func makeToken() -> String {
    (0..<4).map { _ in
      let part = String(UInt32.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 8 - part.count) + part
    }.joined()
  }

  /// Answers a request.
  mutating func respond(to request: HTTPRequest) -> HTTPResponse {
    guard let host = request.headers["host"], hosts.contains(host) else {
      return .refusal(403, "the request names another host")
    }
    let site = request.headers["sec-fetch-site"] ?? "none"
    guard request.headers["origin"].map({ $0 == "http://\(host)" }) ?? true,
      ["none", "same-origin"].contains(site)
    else { return .refusal(403, "the request comes from another site") }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].isEmpty, parts[1] == token else {
      return .refusal(404, "nothing is here")
    }
    guard request.method == "GET" else { return .refusal(405, "expected GET") }
    switch parts.dropFirst(2).joined(separator: "/") {
    case "": return page([])
    case "what-if": return page(request.query.map { Edit(word: $0.name, text: $0.value) })
    case "live/now.js": return news()
    default: return .refusal(404, "nothing is here")
    }
  }

  /// An edit in the form of the page: a keyword and its argument.
  private struct Edit {
    let word: String
    let text: String

    var json: JSON { ["word": .string(word), "text": .string(text)] }
  }

  /// Returns the sign of life that open pages request.
  private mutating func news() -> HTTPResponse {
    beat += 1
    let sign = PageUpdateScripts.Heartbeat(
      generation: generation,
      next: 1,
      last: 0,
      beat: beat,
      patience: LivePage.longestRun,
      isLast: isEnding()
    )
    return HTTPResponse(type: "text/javascript; charset=utf-8", body: sign.script)
  }

  /// Returns the page of the log and of the timeline that results from edits.
  private func page(_ edits: [Edit]) -> HTTPResponse {
    var serving: JSON.Object = ["edits": .array(edits.map(\.json))]
    var comparison: PageComparison?
    if edits.count > Self.mostEdits {
      serving["problem"] = .string(Wording.tooManyEdits(edits.count, most: Self.mostEdits))
    } else if !edits.isEmpty {
      do { comparison = try compared(edits) } catch { serving["problem"] = .string("\(error)") }
    }
    let sink = InMemorySink()
    do {
      let page = LogPage(
        PageLog.name(of: log.name),
        [LogPage.ShownLog(try PageLog(log), comparison: comparison)],
        program: program,
        serving: .object(serving)
      )
      let source = PageUpdateScripts.PageUpdateSource(
        folder: "live",
        generation: generation,
        next: 1,
        grows: false
      )
      try page.write(to: sink, live: source)
    } catch { return .refusal(400, "\(error)") }
    return HTTPResponse(type: "text/html; charset=utf-8", body: sink.bytes)
  }

  /// Returns the timeline that results from edits, compared with the log.
  private func compared(_ edits: [Edit]) throws -> PageComparison {
    let fork = try forker.fork(log, edits.map { try TimelineEdit(word: $0.word, $0.text) })
    let other = try PageLog(LogSlice(path: fork.log.path, name: Wording.whatIf))
    return try PageComparison(of: log, with: other, keeping: fork)
  }

  /// A page in memory.
  private final class InMemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    func write(_ bytes: some Collection<UInt8>) { self.bytes += bytes }
  }
}

extension Wording {
  /// The name of an edited timeline.
  fileprivate static let whatIf = "what if"

  fileprivate static func tooManyEdits(_ count: Int, most: Int) -> String {
    "found \(count) edits; expected at most \(most)"
  }
}
