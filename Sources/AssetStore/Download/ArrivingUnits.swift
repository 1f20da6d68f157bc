internal import Locking

/// The permanent name of a unit: where it belongs, never where it came from.
struct UnitKey: Hashable, Sendable {
    var token: AssetToken
    var rendition: String
    var kind: UnitKind
    var number: Int
}

/// The units whose transfers run now, with the files that they grow in.
final class ArrivingUnits: Sendable {
    private let files = Lock<[UnitKey: PartialFile]>([:])

    func begin(_ key: UnitKey, _ file: PartialFile) { files.withLock { $0[key] = file } }
    func end(_ key: UnitKey) { files.withLock { $0[key] = nil } }
    func file(_ key: UnitKey) -> PartialFile? { files.withLock { $0[key] } }
}

/// Seconds on a clock that nobody sets.
enum SteadyClock {
    static var seconds: Double {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: origin).components
        return -(Double(seconds) + Double(attoseconds) / 1e18)
    }

    private static let origin = ContinuousClock.now
}
