import ActionLog
import Foundation

// Built by `.ci/overwritten-constants` with all kinds of optimization, in another module than the code that sets the
// constants.

/// Constants that are computed for each value.
struct Row {
  let id = UUID()
  let at = Date()
  let numbers = [Int.random(in: 0..<9)]
  var title: String

  init(title: String) { self.title = title }
}

/// Decodes a row as generated code does.
func decode(_ number: UInt8) -> Row {
  var row = Row(title: "a")
  _$overwrite(
    \.id,
    of: &row,
    with: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  )
  _$overwrite(\.at, of: &row, with: Date(timeIntervalSinceReferenceDate: Double(number)))
  _$overwrite(\.numbers, of: &row, with: [Int(number), Int(number)])
  return row
}

let wrong = (0..<255 as Range<UInt8>).filter { number in
  let row = decode(number)
  return row.id.uuid.15 != number || row.id.uuid.0 != 0
    || row.at.timeIntervalSinceReferenceDate != Double(number)
    || row.numbers != [Int(number), Int(number)] || row.title != "a"
}
if !wrong.isEmpty { print("constants that kept what they had, in rows \(wrong)") }
exit(wrong.isEmpty ? 0 : 1)
