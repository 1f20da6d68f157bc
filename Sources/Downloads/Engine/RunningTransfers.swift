/// The transfers of an asset that run now: which of them go on, and which rest so that players have the line.
package struct RunningTransfers {
    private struct Running {
        let leash: TransferLeash
        let file: PartialFile
        let since: Double
        var isForPlayer: Bool
        var wasDemanded = false
        /// The time at which the last player that waited for it left.
        var leftSince: Double?
        var pausedSince: Double?
        /// How much of it was there at the last look.
        var mark: UInt64 = 0
        /// The number of bytes at the last progress, and the time of the last progress or pause.
        var heard: (watermark: UInt64, time: Double)
    }

    private var running: [UnitID: Running] = [:]

    /// Seconds without a byte after which a transfer no longer counts as using the line.
    static let stallPatience = 2.0
    /// The longest pause of a transfer, in seconds: afterwards its origin might drop the connection.
    static let longestPause = 45.0
    /// How long an abandoned transfer may delay a waiting player, in seconds of the line.
    package static let tolerance = 0.5
    /// Seconds in which a player may come back: some players open a segment twice.
    static let grace = 0.4

    package var count: Int { running.count }

    /// The number of transfers that are not for players.
    package var background: Int { running.values.count { !$0.isForPlayer } }

    package mutating func begin(
        _ unit: UnitID, leash: TransferLeash, file: PartialFile, isForPlayer: Bool, now: Double
    ) {
        running[unit] = Running(
            leash: leash, file: file, since: now, isForPlayer: isForPlayer, heard: (file.watermark, now))
    }

    /// Returns how long the transfer took, in seconds, and how much of that it waited for its first byte.
    package mutating func end(_ unit: UnitID, now: Double) -> (seconds: Double, waited: Double)? {
        guard let one = running.removeValue(forKey: unit) else { return nil }
        return (now - one.since, (one.file.firstByteTime ?? now) - one.since)
    }

    /// Whether a transfer waits for its next try, or for an origin that sends nothing.
    package func isResting(_ unit: UnitID, now: Double) -> Bool {
        guard let one = running[unit] else { return false }
        let isSilent = one.heard.watermark == one.file.watermark && now - one.heard.time > Self.stallPatience
        return one.file.isResting || isSilent
    }

    /// Whether some unit was arriving all the time since the last call: it had begun, has grown, and is not complete.
    mutating func wereBusy() -> Bool {
        var wereBusy = false
        for (unit, one) in running {
            let (watermark, length) = (one.file.watermark, one.file.expectedLength)
            if one.mark > 0, watermark > one.mark, watermark != length { wereBusy = true }
            // A paused transfer says nothing about the line, even if a few bytes still arrive.
            running[unit]?.mark = one.pausedSince == nil ? watermark : 0
        }
        return wereBusy
    }

    /// The facts for sharing the line.
    package struct Situation {
        /// The units that players wait for.
        package var demanded: Set<UnitID>
        /// The units that players will want next.
        package var ahead: Set<UnitID>
        /// How much players of all assets need the line.
        package var pressure: PlayerPressure
        /// Whether the next units of players have time: then limits hold for them, too.
        var isAheadCalm = false
        /// Transfers that are worth while without players.
        package var usual: Int
        /// Whether the origin lets a transfer resume at any byte.
        var canGoOn = false
        /// Bytes a second of the line; `nil` while unknown.
        package var rate: Double?
        /// Bytes to ask for at a time; `nil` for all.
        package var piece: UInt64?
        package var now: Double
    }

    /// Gives the line to the transfers that players wait for.
    mutating func adjust(_ situation: Situation) {
        for unit in running.keys { note(unit, situation) }
        var left = share(situation.pressure, usual: situation.usual)
        for (unit, one) in running.sorted(by: { $0.value.since < $1.value.since }) {
            let isOver = one.pausedSince.map { situation.now - $0 > Self.longestPause } ?? false
            let goesOn = one.isForPlayer || left > 0 || isOver
            if !one.isForPlayer { left -= 1 }
            let rests = !goesOn && !isLeaving(one, situation)
            give(one, situation, rests: rests)
            if rests { running[unit]?.mark = 0 }
            if !isOver { running[unit]?.pausedSince = rests ? one.pausedSince ?? situation.now : nil }
        }
    }

    /// Notes for whom a transfer runs now.
    private mutating func note(_ unit: UnitID, _ situation: Situation) {
        guard var one = running[unit] else { return }
        let watermark = one.file.watermark
        if watermark != one.heard.watermark || one.pausedSince != nil {
            one.heard = (watermark, situation.now)
        }
        let isDemanded = situation.demanded.contains(unit)
        one.isForPlayer = isDemanded || situation.ahead.contains(unit)
        if isDemanded || !one.leash.isWhole {
            one.leftSince = nil
        } else if one.wasDemanded {
            one.leftSince = situation.now
        }
        one.wasDemanded = isDemanded
        running[unit] = one
    }

    private func give(_ one: Running, _ situation: Situation, rests: Bool) {
        let isUrgent = one.wasDemanded || (one.isForPlayer && !situation.isAheadCalm)
        if rests, Self.isInTheWay(one, situation) { one.leash.interrupt() }
        one.leash.set(
            isUrgent: isUrgent, isWaitedFor: one.wasDemanded, isPaused: rests,
            piece: one.wasDemanded ? nil : situation.piece)
    }

    /// Whether the transfer is about to be aborted. Until then it runs: bytes that arrive during a pause would be
    /// lost with the connection and fetched again.
    private func isLeaving(_ one: Running, _ situation: Situation) -> Bool {
        guard let left = one.leftSince, situation.now - left < Self.grace else { return false }
        return Self.isInTheWay(one, situation)
    }

    /// Whether the rest of an abandoned unit would delay a waiting player for long: a pause does not help, since all
    /// buffers on the way fill up first.
    private static func isInTheWay(_ one: Running, _ situation: Situation) -> Bool {
        guard situation.pressure == .demand, situation.canGoOn, one.leash.isWhole, one.leftSince != nil,
            one.file.validator?.ifRange != nil, let length = one.file.expectedLength,
            let rate = situation.rate
        else { return false }
        return Double(length - min(length, one.file.watermark)) > rate * tolerance
    }

    /// How many of them may go on that are not for players.
    package func share(_ pressure: PlayerPressure, usual: Int) -> Int {
        LineShare.background(under: pressure, usual: usual, forPlayers: count - background)
    }
}
