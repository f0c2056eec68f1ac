import ReplayEngine

/// A phone's screen as SVG: a navigation bar, lists, sheets and alerts, drawn from top to bottom.
///
/// ```swift
/// var screen = PhoneScreen()
/// screen.title("Todos", trailing: "Add")
/// screen.section("Today")
/// screen.row("Water the plants", mark: .done)
/// let picture = screen.picture("One todo, which is done.")
/// ```
///
/// Plain SVG text needs no UI framework. A picture takes about a millisecond to make.
struct PhoneScreen {
  /// A symbol at the start of a row.
  enum Mark {
    case none, open, done, chosen
    case dot(Tint)
  }

  enum Tint: String {
    case blue = "#007aff"
    case green = "#34c759"
    case red = "#ff3b30"
    case orange = "#ff9500"
    case gray = "#8e8e93"
    case ink = "#1c1c1e"
  }

  static let width = 390
  static let height = 844

  private var svg = ""
  /// The y coordinate of the next element.
  private var top = 47
  /// The rows of the open group.
  ///
  /// `endGroup()` draws their frame.
  private var rows: [String] = []
  /// The y coordinates of `rows`.
  private var tops: [Int] = []
  private var rowsBottom = 0
  private var bottom = Self.height

  init() {
    rect(0, 0, 390, 844, "#f2f2f7")
    text("9:41", x: 52, y: 32, size: 16, weight: 600, anchor: "middle")
    rect(322, 20, 25, 12, "#1c1c1e", radius: 4)
    rect(323, 21, 23, 10, "#f2f2f7", radius: 3)
    rect(325, 23, 17, 6, "#1c1c1e", radius: 1)
    rect(348, 24, 2, 4, "#1c1c1e", radius: 1)
  }

  /// Returns the finished picture with its description for people who can't see it.
  func picture(_ description: String) -> ReplayPicture {
    var screen = self
    screen.endGroup()
    screen.rect(128, 831, 134, 5, "#1c1c1e", radius: 2)
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"390\" height=\"844\""
      + " viewBox=\"0 0 390 844\" font-family=\"-apple-system, 'SF Pro Text', Inter,"
      + " 'Helvetica Neue', 'DejaVu Sans', sans-serif\">"
    return ReplayPicture.svg(
      head + screen.svg + "</svg>\n",
      width: 390,
      height: 844,
      description: description
    )
  }

  // MARK: - Bars

  /// Draws the navigation buttons, and below them the title of the screen in large letters.
  mutating func title(_ title: String, leading: String = "", trailing: String = "") {
    bar("", leading: leading, trailing: trailing)
    text(title, x: 16, y: top + 30, size: 32, weight: 700, room: 358)
    top += 50
  }

  /// Draws a bar with the title between its buttons.
  mutating func bar(_ title: String, leading: String = "", trailing: String = "") {
    endGroup()
    let y = top + 27
    text(leading, x: 16, y: y, size: 17, tint: .blue, room: 120)
    text(trailing, x: 374, y: y, size: 17, tint: .blue, weight: 600, anchor: "end", room: 120)
    text(title, x: 195, y: y, size: 17, weight: 600, anchor: "middle", room: 190)
    top += 44
  }

  /// Draws a segmented control with one chosen button.
  mutating func segments(_ names: [String], chosen: Int) {
    endGroup()
    let width = 358 / max(names.count, 1)
    rect(16, top, 358, 32, "#e3e3e8", radius: 8)
    for (index, name) in names.enumerated() {
      let x = 16 + index * width
      if index == chosen {
        rect(x + 2, top + 2, width - 4, 28, "#fff", radius: 7)
      }
      text(
        name,
        x: x + width / 2,
        y: top + 21,
        size: 13,
        weight: index == chosen ? 600 : 400,
        anchor: "middle",
        room: width - 8
      )
    }
    top += 44
  }

  /// Draws a row of small buttons at the bottom of the screen.
  mutating func toolbar(_ names: [String]) {
    endGroup()
    rect(0, 766, 390, 78, "#f9f9fb")
    line(0, 390, 766)
    for (index, name) in names.enumerated() {
      let x = 390 * (2 * index + 1) / (2 * names.count)
      text(name, x: x, y: 797, size: 17, tint: .blue, anchor: "middle", room: 380 / names.count)
    }
  }

  // MARK: - Lists

  /// Draws the heading of the following rows.
  mutating func section(_ name: String) {
    endGroup()
    text(name.uppercased(), x: 32, y: top + 20, size: 13, tint: .gray, room: 330)
    top += 28
  }

  /// Draws a row of a list.
  ///
  /// - Parameters:
  ///   - title: The text of the row.
  ///   - detail: The text at the right end.
  ///   - note: A second line in smaller letters.
  ///   - mark: The symbol at the start of the row.
  ///   - tint: The color of the title.
  ///   - leadsOn: Whether the row opens another screen.
  mutating func row(
    _ title: String,
    detail: String = "",
    note: String = "",
    mark: Mark = .none,
    tint: Tint = .ink,
    leadsOn: Bool = false
  ) {
    let tall = note.isEmpty ? 44 : 60
    guard top + tall < bottom else {
      top += tall
      return
    }
    let outer = svg
    svg = ""
    let middle = top + tall / 2
    var x = 32
    switch mark {
    case .none: break
    case .dot(let tint):
      svg += "<circle cx=\"40\" cy=\"\(middle)\" r=\"6\" fill=\"\(tint.rawValue)\"/>"
      x = 60
    case .open:
      svg += "<circle cx=\"43\" cy=\"\(middle)\" r=\"10\" fill=\"none\""
      svg += " stroke=\"#c7c7cc\" stroke-width=\"1.5\"/>"
      x = 66
    case .done:
      svg += "<circle cx=\"43\" cy=\"\(middle)\" r=\"11\" fill=\"#34c759\"/>"
      svg += Self.check(at: 43, middle, "#fff")
      x = 66
    case .chosen:
      svg += Self.check(at: 351, middle, "#007aff")
    }
    let right = leadsOn ? 338 : 358
    if leadsOn {
      svg += "<path d=\"M350 \(middle - 6)l6 6l-6 6\" fill=\"none\""
      svg += " stroke=\"#c7c7cc\" stroke-width=\"2\"/>"
    }
    let room = right - x - (detail.isEmpty ? 0 : min(detail.count * 9, 150) + 12)
    text(title, x: x, y: note.isEmpty ? middle + 6 : middle - 3, size: 17, tint: tint, room: room)
    text(detail, x: right, y: middle + 6, size: 17, tint: .gray, anchor: "end", room: 150)
    text(note, x: x, y: middle + 17, size: 13, tint: .gray, room: room)
    rows.append(svg)
    tops.append(top)
    svg = outer
    top += tall
    rowsBottom = top
  }

  /// Draws a text field with its label.
  mutating func field(_ name: String, _ value: String, hasFocus: Bool = false) {
    let isEmpty = value.isEmpty
    row(isEmpty ? name : value, detail: isEmpty ? "" : name, tint: isEmpty ? .gray : .ink)
    if hasFocus, !rows.isEmpty {
      let y = top - 34
      rows[rows.count - 1] += Self.rect(27, y, 2, 22, "#007aff")
    }
  }

  /// Draws a row with a switch.
  mutating func toggle(_ title: String, isOn: Bool) {
    row(title)
    guard !rows.isEmpty else { return }
    let y = top - 37
    let knob = isOn ? 344 : 324
    let color = isOn ? "#34c759" : "#e9e9eb"
    rows[rows.count - 1] += Self.rect(309, y, 50, 30, color, radius: 15)
    rows[rows.count - 1] += "<circle cx=\"\(knob)\" cy=\"\(y + 15)\" r=\"13\" fill=\"#fff\"/>"
  }

  /// Draws a button across the full width of the screen.
  mutating func button(_ title: String, isEnabled: Bool = true, tint: Tint = .blue) {
    endGroup()
    let color = isEnabled ? tint.rawValue : "#c7c7cc"
    rect(16, top, 358, 50, color, radius: 12)
    let y = top + 31
    text(title, x: 195, y: y, size: 17, color: "#fff", weight: 600, anchor: "middle", room: 330)
    top += 62
  }

  /// Draws a paragraph in small letters.
  mutating func caption(_ words: String, tint: Tint = .gray) {
    endGroup()
    text(words, x: 32, y: top + 10, size: 13, tint: tint, room: 330)
    top += 26
  }

  /// Draws a large value in the middle of the screen, with a caption below it.
  mutating func large(_ value: String, below caption: String = "") {
    endGroup()
    text(value, x: 195, y: top + 130, size: 96, weight: 300, anchor: "middle", room: 370)
    text(caption, x: 195, y: top + 172, size: 17, tint: .gray, anchor: "middle", room: 340)
    top += 210
  }

  mutating func space(_ points: Int) {
    endGroup()
    top += points
  }

  // MARK: - Above the screen

  /// Opens a sheet.
  ///
  /// The following elements are drawn on it.
  mutating func sheet() {
    endGroup()
    dim(0.32)
    rect(0, 58, 390, 800, "#f2f2f7", radius: 12)
    top = 68
  }

  /// Draws an alert with its buttons.
  mutating func alert(
    _ title: String,
    message: String = "",
    buttons: [(title: String, isDestructive: Bool)]
  ) {
    endGroup()
    dim(0.4)
    let buttons = buttons.isEmpty ? [(title: "OK", isDestructive: false)] : buttons
    let tall = (message.isEmpty ? 62 : 88) + 44 * buttons.count
    let y = (844 - tall) / 2
    rect(60, y, 270, tall, "#f7f7f7", radius: 14)
    text(title, x: 195, y: y + 36, size: 17, weight: 600, anchor: "middle", room: 240)
    text(message, x: 195, y: y + 60, size: 13, anchor: "middle", room: 240)
    var edge = y + tall - 44 * buttons.count
    for button in buttons {
      line(60, 330, edge)
      text(
        button.title,
        x: 195,
        y: edge + 28,
        size: 17,
        tint: button.isDestructive ? .red : .blue,
        anchor: "middle",
        room: 240
      )
      edge += 44
    }
  }

  /// Draws a dialog with its buttons at the bottom of the screen.
  mutating func dialog(_ title: String, buttons: [(title: String, isDestructive: Bool)]) {
    endGroup()
    dim(0.3)
    let tall = (title.isEmpty ? 0 : 44) + 57 * buttons.count
    var y = 754 - tall
    rect(8, y, 374, tall, "#f7f7f7", radius: 14)
    if !title.isEmpty {
      let base = y + 28
      text(title, x: 195, y: base, size: 13, tint: .gray, weight: 600, anchor: "middle", room: 340)
      y += 44
    }
    for (index, button) in buttons.enumerated() {
      if index > 0 || !title.isEmpty {
        line(8, 382, y)
      }
      text(
        button.title,
        x: 195,
        y: y + 36,
        size: 20,
        tint: button.isDestructive ? .red : .blue,
        anchor: "middle",
        room: 340
      )
      y += 57
    }
    rect(8, 762, 374, 57, "#fff", radius: 14)
    text("Cancel", x: 195, y: 798, size: 20, tint: .blue, weight: 600, anchor: "middle")
  }

  private mutating func dim(_ opacity: Double) {
    svg += "<rect width=\"390\" height=\"844\" fill=\"#000\" opacity=\"\(opacity)\"/>"
  }

  // MARK: - Parts

  /// Ends a group of rows, and draws the rounded white rectangle behind them.
  private mutating func endGroup() {
    guard !rows.isEmpty else { return }
    let tall = rowsBottom - tops[0]
    rect(16, tops[0], 358, tall, "#fff", radius: 10)
    for (index, row) in rows.enumerated() {
      svg += row
      if index > 0 { line(32, 374, tops[index]) }
    }
    rows = []
    tops = []
    top += 14
  }

  private mutating func rect(
    _ x: Int,
    _ y: Int,
    _ width: Int,
    _ height: Int,
    _ color: String,
    radius: Int = 0
  ) {
    svg += Self.rect(x, y, width, height, color, radius: radius)
  }

  private static func rect(
    _ x: Int,
    _ y: Int,
    _ width: Int,
    _ height: Int,
    _ color: String,
    radius: Int = 0
  ) -> String {
    var svg = "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\""
    if radius > 0 { svg += " rx=\"\(radius)\"" }
    svg += " fill=\"\(color)\"/>"
    return svg
  }

  /// Draws a thin horizontal line.
  private mutating func line(_ from: Int, _ to: Int, _ y: Int) {
    svg += "<path d=\"M\(from) \(y)H\(to)\" stroke=\"#d8d8dc\" stroke-width=\"0.7\"/>"
  }

  private static func check(at x: Int, _ y: Int, _ color: String) -> String {
    "<path d=\"M\(x - 5) \(y)l4 4l7-8\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
  }

  private mutating func text(
    _ words: String,
    x: Int,
    y: Int,
    size: Int,
    tint: Tint = .ink,
    color: String? = nil,
    weight: Int = 400,
    anchor: String = "start",
    room: Int = 390
  ) {
    guard !words.isEmpty else { return }
    svg += "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"\(color ?? tint.rawValue)\""
    if weight != 400 { svg += " font-weight=\"\(weight)\"" }
    if anchor != "start" { svg += " text-anchor=\"\(anchor)\"" }
    // A letter is about 0.56 times as wide as the font size.
    let most = max(room * 100 / (size * 56), 1)
    let shown = words.count > most ? String(words.prefix(max(most - 1, 1))) + "…" : words
    svg += ">\(Self.escaped(shown))</text>"
  }

  /// Escapes text for XML, and removes characters that XML does not allow.
  private static func escaped(_ words: String) -> String {
    var result = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\n", "\t": result += " "
      default:
        if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
