internal import ASCII

extension JSONOutput {
    /// Writes a number, or `"auto"` for `nil`.
    mutating func member(_ name: StaticString, numberOrAuto number: Double?) {
        self.name(name)
        if let number {
            value(literal: number.isFinite ? Decimal.text(number) : "null")
        } else {
            value("auto")
        }
    }

    /// A time in seconds, to the millisecond.
    mutating func member(_ name: StaticString, seconds time: CueTime) {
        self.name(name)
        value(literal: (time.milliseconds < 0 ? "-" : "") + String(time.milliseconds.magnitude / 1000))
        let fraction = Int(time.milliseconds.magnitude % 1000)
        if fraction == 0 { return }
        bytes.append(.dot)
        for digit in [fraction / 100, fraction / 10 % 10, fraction % 10] { bytes.append(UInt8(0x30 + digit)) }
    }
}
