internal import ASCII
internal import HTTPTypes

/// The field lines of a request (RFC 9112 §5), each checked, in the bytes they came in.
///
/// libmicrohttpd parses in place: of `Name: value CRLF` it leaves `Name NUL value NUL NUL`, and the blank
/// line that ends the section as `NUL NUL`. Whatever differs from that was not a plain field line: a NUL, a
/// line ended by LF alone, a folded line, a blank before the colon.
struct FieldLines: Sendable {
    private struct Line {
        let name: Range<Int>
        /// The value without the blanks around it.
        let value: Range<Int>
        /// Blanks after the value.
        let trailingBlanks: Int
    }

    let bytes: [UInt8]
    private var lines: [Line] = []

    /// Reads a section as libmicrohttpd leaves it; `nil` if it is not made of plain field lines.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        var position = 0
        while let line = Self.line(in: bytes, at: &position) { lines.append(line) }
        guard position == bytes.count - 2, bytes[position] == 0, bytes[position + 1] == 0 else { return nil }
    }

    /// How many there are.
    var count: Int { lines.count }

    /// The values of the lines named `name`, which is in lower case.
    func values(of name: String) -> [String] {
        lines.filter { matches($0, name) }.map { string($0.value) }
    }

    func count(of name: String) -> Int {
        lines.count { matches($0, name) }
    }

    /// Whether a line named `name` has blanks after its value. HTTP does not count them as a part of it, but
    /// libmicrohttpd does.
    func hasTrailingBlanks(_ name: String) -> Bool {
        lines.contains { $0.trailingBlanks > 0 && matches($0, name) }
    }

    var all: HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let name = HTTPField.Name(string(line.name)) else { continue }
            fields.append(HTTPField(name: name, value: string(line.value)))
        }
        return fields
    }

    /// Whether a line's name begins with one of `prefixes`, which are in lower case.
    func hasName(startingWith prefixes: [[UInt8]]) -> Bool {
        lines.contains { line in
            prefixes.contains { prefix in
                line.name.count >= prefix.count
                    && zip(line.name, prefix).allSatisfy { bytes[$0].lowercasedASCII == $1 }
            }
        }
    }

    private func matches(_ line: Line, _ name: String) -> Bool {
        let name = name.utf8
        return line.name.count == name.count
            && zip(line.name, name).allSatisfy { bytes[$0].lowercasedASCII == $1 }
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The line at `position`, which moves behind it; `nil` without one.
    private static func line(in bytes: [UInt8], at position: inout Int) -> Line? {
        var index = position
        let name = run(in: bytes, at: &index) { $0.isTokenCharacter }
        guard !name.isEmpty, skip(1, in: bytes, at: &index) else { return nil }
        _ = run(in: bytes, at: &index) { $0 == 0x20 || $0 == 0x09 }
        var value = run(in: bytes, at: &index) { $0.isFieldCharacter }
        guard skip(2, in: bytes, at: &index) else { return nil }
        let end = value.endIndex
        while let last = value.last, bytes[last] == 0x20 || bytes[last] == 0x09 { value.removeLast() }
        position = index
        return Line(name: name, value: value, trailingBlanks: end - value.endIndex)
    }

    private static func run(in bytes: [UInt8], at index: inout Int, while accepts: (UInt8) -> Bool) -> Range<
        Int
    > {
        let start = index
        while index < bytes.count, accepts(bytes[index]) { index += 1 }
        return start..<index
    }

    private static func skip(_ zeros: Int, in bytes: [UInt8], at index: inout Int) -> Bool {
        guard index + zeros <= bytes.count, bytes[index..<index + zeros].allSatisfy({ $0 == 0 }) else {
            return false
        }
        index += zeros
        return true
    }
}
