internal import ASCII

/// The content of an `X-TIMESTAMP-MAP` header line: the time of the media clock that a cue time is (RFC 8216bis
/// §3.1.4).
public struct TimestampMap: Sendable, Hashable {
    /// The cue time (`LOCAL`).
    public var local: CueTime
    /// The time of the media clock in 90 kHz ticks (`MPEGTS`). Some packagers write negative numbers.
    public var mpegTicks: Int

    /// Makes a map; without arguments, the default for files without one.
    public init(local: CueTime = CueTime(milliseconds: 0), mpegTicks: Int = 0) {
        self.local = local
        self.mpegTicks = mpegTicks
    }

    /// Whether a header line is a timestamp map, readable or not.
    static func isMap(_ line: ArraySlice<UInt8>) -> Bool {
        line.trimmed.starts(with: "X-TIMESTAMP-MAP")
    }

    /// Reads a header line.
    ///
    /// The attributes may come in either order and with blanks around them. A missing `LOCAL` is 0.
    init?(_ line: ArraySlice<UInt8>) {
        guard TimestampMap.isMap(line), let equals = line.firstIndex(of: .equals) else { return nil }
        var ticks: Int?
        local = CueTime(milliseconds: 0)
        for part in line[(equals + 1)...].split(separator: .comma) {
            guard let setting = Setting(part.trimmed) else { continue }
            let value = setting.value.trimmed
            if setting.name.trimmed.equals("LOCAL") {
                guard let time = CueTime(value) else { return nil }
                local = time
            } else if setting.name.trimmed.equals("MPEGTS") {
                guard let number = Int(String(decoding: value, as: UTF8.self)) else { return nil }
                ticks = number
            }
        }
        guard let ticks, ticks.magnitude < 1 << 62 else { return nil }
        mpegTicks = ticks
    }
}

extension TimestampMap: CustomStringConvertible {
    /// The header line, without a line end.
    public var description: String { "X-TIMESTAMP-MAP=LOCAL:\(local),MPEGTS:\(mpegTicks)" }
}
