internal import ASCII

/// A moment on a track's timeline, in whole milliseconds.
public struct CueTime: Sendable, Hashable, Comparable {
    /// The largest time; larger ones count as this.
    static let largest = CueTime(milliseconds: 1 << 52)
    /// 99:59:59.990: the last time with two digits for the hours, valid in hundredths of a second, too.
    private static let lastOfTwoDigits = CueTime(milliseconds: 359_999_990)

    /// Milliseconds from the start of the timeline; may be negative before mapping.
    public var milliseconds: Int

    /// A time of so many milliseconds.
    public init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The nearest time to a number of seconds. NaN counts as 0, a number that is too large as the largest time.
    public init(seconds: Double) {
        let limit = Double(CueTime.largest.milliseconds)
        let value = (seconds * 1000).rounded()
        milliseconds = value.isNaN ? 0 : Int(min(max(value, -limit), limit))
    }

    /// The time in seconds.
    public var seconds: Double { Double(milliseconds) / 1000 }

    /// The time as the end of a cue in formats that can't express an endless cue: players that count durations in 32
    /// bits do not show longer ones.
    var ofWrittenEnd: CueTime { self >= CueTime.largest ? CueTime.lastOfTwoDigits : self }

    /// Whether one time lies before another.
    public static func < (first: CueTime, second: CueTime) -> Bool {
        first.milliseconds < second.milliseconds
    }
}

extension CueTime: CustomStringConvertible {
    /// The time as a WebVTT timestamp with hours, such as `00:01:02.500` (WebVTT §4.1). A negative time has a
    /// minus sign, which no WebVTT file can hold.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the timestamp, hours in two digits or more, with the byte before the milliseconds that a format
    /// wants.
    func append(to bytes: inout [UInt8], fraction: UInt8 = .dot) {
        if milliseconds < 0 { bytes.append(.hyphen) }
        let total = milliseconds.magnitude
        let hours = total / 3_600_000
        if hours < 100 { CueTime.append(twoDigitsOf: hours, to: &bytes) } else { bytes += "\(hours)".utf8 }
        bytes.append(.colon)
        CueTime.append(twoDigitsOf: total / 60_000 % 60, to: &bytes)
        bytes.append(.colon)
        CueTime.append(twoDigitsOf: total / 1000 % 60, to: &bytes)
        bytes.append(fraction)
        bytes.append(UInt8(0x30 + total / 100 % 10))
        CueTime.append(twoDigitsOf: total % 100, to: &bytes)
    }

    private static func append(twoDigitsOf number: UInt, to bytes: inout [UInt8]) {
        bytes.append(UInt8(0x30 + number / 10 % 10))
        bytes.append(UInt8(0x30 + number % 10))
    }
}
