/// The transfers of an asset that run now: which of them go on, and which rest so that players have the line.
struct RunningTransfers {
    private struct Running {
        let leash: TransferLeash
        let file: PartialFile
        let since: Double
        var isForPlayer: Bool
        var wasDemanded = false
        /// When the last player that waited for it left.
        var leftSince: Double?
        var pausedSince: Double?
    }

    private var running: [UnitPlace: Running] = [:]

    /// Transfers beside those for players that go on while somebody plays what is stored: two equal ones beside a
    /// player's have more than a third of the line, and leave it soon when somebody seeks.
    static let sharedBackground = 2
    /// Seconds after which a paused transfer goes on in any case, before its origin drops the connection.
    static let longestPause = 45.0
    /// Seconds of the line that what nobody waits for any more may still take from somebody who waits.
    static let tolerance = 0.5
    /// Seconds in which a player that left may be back: some open a segment twice.
    static let grace = 0.4

    var count: Int { running.count }

    /// Those that are not for players.
    var background: Int { running.values.count { !$0.isForPlayer } }

    mutating func begin(
        _ place: UnitPlace, _ leash: TransferLeash, _ file: PartialFile, isForPlayer: Bool, now: Double
    ) {
        running[place] = Running(leash: leash, file: file, since: now, isForPlayer: isForPlayer)
    }

    /// Returns when the transfer began.
    mutating func end(_ place: UnitPlace) -> Double? { running.removeValue(forKey: place)?.since }

    /// Whether a transfer waits before it tries again.
    func isResting(_ place: UnitPlace) -> Bool { running[place]?.file.isResting ?? false }

    /// What the line is given by.
    struct Situation {
        /// What players wait for.
        var demanded: Set<UnitPlace>
        /// What players will want next.
        var ahead: Set<UnitPlace>
        /// How much players of all assets need the line.
        var pressure: PlayerPressure
        var line: LineProbe
        var now: Double
    }

    /// Gives the line to those who need it.
    mutating func adjust(_ situation: Situation) {
        var left = Self.background(under: situation.pressure)
        let piece = situation.line.pieceLength(lanes: running.count)
        for (place, one) in running.sorted(by: { $0.value.since < $1.value.since }) {
            let isDemanded = situation.demanded.contains(place)
            let isForPlayer = isDemanded || situation.ahead.contains(place)
            let isOver = one.pausedSince.map { situation.now - $0 > Self.longestPause } ?? false
            let goesOn = isForPlayer || left > 0 || isOver
            if !isForPlayer { left -= 1 }
            if !goesOn, Self.isInTheWay(one, situation) { one.leash.interrupt() }
            one.leash.set(isUrgent: isForPlayer, isPaused: !goesOn, piece: isDemanded ? nil : piece)
            running[place]?.isForPlayer = isForPlayer
            if isDemanded || !one.leash.isWhole {
                running[place]?.leftSince = nil
            } else if one.wasDemanded {
                running[place]?.leftSince = situation.now
            }
            running[place]?.wasDemanded = isDemanded
            if !isOver { running[place]?.pausedSince = goesOn ? nil : one.pausedSince ?? situation.now }
        }
    }

    /// Whether the rest of what a player has left would take long from another who waits: a pause does not help,
    /// since all buffers on the way fill up first.
    private static func isInTheWay(_ one: Running, _ situation: Situation) -> Bool {
        guard situation.pressure == .demand, one.leash.isWhole, let left = one.leftSince,
            situation.now - left >= grace, let length = one.file.expectedLength,
            let rate = situation.line.rate
        else { return false }
        return Double(length - min(length, one.file.watermark)) > rate * tolerance
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
