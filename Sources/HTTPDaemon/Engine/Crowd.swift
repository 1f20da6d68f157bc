/// Detects that many connections have come and most of them have gone: the allocator keeps their memory, which may be
/// a hundred megabytes.
struct Crowd {
    private var peak = 0

    /// Connections at a time that make a crowd.
    static let least = 256

    /// Notes the number of open connections.
    mutating func came(_ count: Int) { peak = max(peak, count) }

    /// Whether no more than a quarter of a crowd is left; true once for each crowd.
    mutating func hasGone(leaving count: Int) -> Bool {
        guard peak >= Self.least, count <= peak / 4 else { return false }
        peak = count
        return true
    }
}
