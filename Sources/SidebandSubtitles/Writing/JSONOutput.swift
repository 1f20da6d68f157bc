internal import ASCII

/// JSON text that is being written. Commas are set where a value follows another.
struct JSONOutput {
    var bytes: [UInt8] = []
    private var needsComma = false

    mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(.quote)
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(.quote)
        bytes.append(.colon)
        needsComma = false
    }

    mutating func value(_ text: String) {
        separate()
        bytes.append(.quote)
        if text.utf8.contains(where: JSONOutput.isSpecial) {
            for byte in text.utf8 { appendEscaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(.quote)
        needsComma = true
    }

    mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    mutating func null() { raw("null") }

    mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        value(text)
    }

    /// A number, or `"auto"` when there is none.
    mutating func member(_ name: StaticString, numberOrAuto number: Double?) {
        self.name(name)
        if let number { raw(number.isFinite ? Decimal.text(number) : "null") } else { value("auto") }
    }

    mutating func member(_ name: StaticString, seconds time: CueTime) {
        self.name(name)
        let fraction = Int(time.milliseconds.magnitude % 1000)
        raw((time.milliseconds < 0 ? "-" : "") + String(time.milliseconds.magnitude / 1000))
        if fraction == 0 { return }
        bytes.append(.dot)
        for digit in [fraction / 100, fraction / 10 % 10, fraction % 10] { bytes.append(UInt8(0x30 + digit)) }
    }

    mutating func array<Element>(
        _ name: StaticString, _ elements: [Element], write: (Element, inout JSONOutput) -> Void
    ) {
        self.name(name)
        open("[")
        for element in elements { write(element, &self) }
        close("]")
    }

    /// Appends members that were written before.
    mutating func members(_ text: ArraySlice<UInt8>) {
        bytes.append(contentsOf: text)
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(.comma) }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == .quote || byte == .backslash
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case .quote, .backslash: bytes.append(contentsOf: [.backslash, byte])
        case .lineFeed: bytes.append(contentsOf: [.backslash, UInt8(ascii: "n")])
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(contentsOf: Hexadecimal.digits(byte))
        default: bytes.append(byte)
        }
    }

}
