internal import Transfers

/// The transfers of an asset that run now: which of them go on, and which rest so that players have the line.
struct RunningTransfers {
    private struct Running {
        var control: TransferControl
        var file: PartialFile
        var since: Double
        var pausedSince: Double?
    }

    private var running: [UnitPlace: Running] = [:]

    /// Transfers beside those for players that go on while somebody plays what is stored: two equal ones beside a
    /// player's have more than a third of the line, and leave it soon when somebody seeks.
    static let sharedBackground = 2
    /// Seconds after which a paused transfer goes on in any case, before its origin drops the connection.
    static let longestPause = 45.0

    var count: Int { running.count }

    /// Those that are not for players.
    var background: Int { running.values.count { !$0.control.isUrgent } }

    mutating func begin(_ place: UnitPlace, _ control: TransferControl, _ file: PartialFile, now: Double) {
        running[place] = Running(control: control, file: file, since: now)
    }

    mutating func end(_ place: UnitPlace) { running[place] = nil }

    /// Whether a transfer waits before it tries again.
    func isResting(_ place: UnitPlace) -> Bool { running[place]?.file.isResting ?? false }

    /// Gives the line to those who need it.
    ///
    /// - Parameters:
    ///   - favored: what players wait for, or will next.
    ///   - pressure: how much players of all assets need the line.
    mutating func adjust(favored: Set<UnitPlace>, pressure: PlayerPressure, now: Double) {
        var left = Self.background(under: pressure)
        for (place, one) in running.sorted(by: { $0.value.since < $1.value.since }) {
            let isFavored = favored.contains(place)
            one.control.isUrgent = isFavored
            let isOver = one.pausedSince.map { now - $0 > Self.longestPause } ?? false
            let goesOn = isFavored || left > 0 || isOver
            if !isFavored { left -= 1 }
            one.control.isPaused = !goesOn
            if isOver { continue }
            running[place]?.pausedSince = goesOn ? nil : one.pausedSince ?? now
        }
    }

    /// How many transfers may go on that are not for players.
    static func background(under pressure: PlayerPressure) -> Int {
        switch pressure {
        case .none: .max
        case .shared: sharedBackground
        case .ahead, .demand: 0
        }
    }
}
