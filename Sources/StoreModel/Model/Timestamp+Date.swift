public import FoundationEssentials

extension Timestamp {
    /// A moment, to the millisecond.
    public init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The moment as Foundation's type.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
