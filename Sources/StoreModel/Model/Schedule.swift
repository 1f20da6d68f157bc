/// The times of day at which downloads run, in local time: `22:00-06:00`, or several such windows with commas between
/// them. Pure.
///
/// ```swift
/// var request = DownloadRequest(url: streamURL)
/// request.schedule = Schedule("22:00-06:00,12:00-13:30")
/// ```
public struct Schedule: Sendable, Equatable, Codable, CustomStringConvertible {
    /// The time from one minute of the day, counted from midnight, to another, which may be on the next day.
    package struct Window: Sendable, Equatable {
        package var start: Int
        package var end: Int

        package init(start: Int, end: Int) {
            self.start = start
            self.end = end
        }

        package func contains(_ minute: Int) -> Bool {
            start < end ? (start..<end).contains(minute) : minute >= start || minute < end
        }
    }

    private let windows: [Window]
    private static let minutesOfDay = 24 * 60

    /// At any time.
    public static let always = Schedule(windows: [])

    private init(windows: [Window]) { self.windows = windows }

    /// Reads windows, or `always`; `nil` when the text is neither.
    public init?(_ text: String) {
        guard text != "always" else {
            self = .always
            return
        }
        var windows: [Window] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
            guard ends.count == 2, let start = ends[0], let end = ends[1], start != end,
                start < Self.minutesOfDay
            else { return nil }
            windows.append(Window(start: start, end: end))
        }
        self.windows = windows
    }

    /// `HH:MM`, up to `24:00`.
    private static func minute(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60
        else { return nil }
        let minutes = hour * 60 + minute
        return minutes <= minutesOfDay ? minutes : nil
    }

    /// Whether downloads run at a minute of the day, 0 to 1439.
    public func isOpen(atMinute minute: Int) -> Bool {
        windows.isEmpty || windows.contains { $0.contains(minute) }
    }

    /// The schedule as `init` reads it.
    public var description: String {
        windows.isEmpty
            ? "always"
            : windows.map { "\(Self.text($0.start))-\(Self.text($0.end))" }.joined(separator: ",")
    }

    private static func text(_ minute: Int) -> String {
        let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// Reads the form of `description`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let schedule = Schedule(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a schedule is HH:MM-HH:MM, or always")
        }
        self = schedule
    }

    /// Writes the description.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
