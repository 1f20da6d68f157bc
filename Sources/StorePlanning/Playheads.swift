/// The positions of the players of one asset, and the units that they wait for. Pure: time is passed in, in seconds
/// of a steady clock.
///
/// Players can't be told apart: a request that follows another one in the same rendition counts as the same player's.
package struct Playheads: Sendable {
    /// A position of a player.
    package struct Head: Sendable, Equatable, Identifiable {
        package let id: Int
        package var rendition: String
        /// The segment that was asked for last, by its media sequence number.
        package var number: Int
        /// The end of that segment, in seconds of the presentation.
        package var time: Double
        package var seen: Double
        /// Whether enough was stored ahead of it before: then it may run low before it gets precedence again.
        var isFilled = false
    }

    private struct Hold: Sendable {
        var count = 0
        var since: Int
    }

    /// All places that are remembered.
    private(set) var heads: [Head] = []
    private var holds: [UnitID: Hold] = [:]
    private var lastID = 0
    private var now = 0.0

    package init(heads: [Head] = []) {
        self.heads = heads
    }

    /// The seconds after its last request for which a player counts as present. Including the second until a closed
    /// connection is noticed, the download has the line back within five seconds.
    package static let presence = 3.5
    /// Seconds that a place is remembered, so that a player that asks seldom is known again.
    package static let memory = 60.0
    /// Segments that a player may skip and still be the same.
    package static let stride = 3
    package static let largestCount = 64

    /// Whether no player is there.
    package var isEmpty: Bool { holds.isEmpty && !heads.contains(where: isPresent) }

    /// Whether no position is remembered.
    package var isForgotten: Bool { heads.isEmpty && holds.isEmpty }

    /// The positions of present players.
    var present: [Head] { heads.filter(isPresent) }

    private func isPresent(_ head: Head) -> Bool {
        now - head.seen <= Self.presence || holds[head.unit] != nil
    }

    /// The units that players wait for, in the order of their requests.
    package var held: [UnitID] { holds.sorted { $0.value.since < $1.value.since }.map(\.key) }

    /// A player asked for a segment.
    ///
    /// - Parameter end: where the segment ends, in seconds of the presentation.
    package mutating func requested(_ rendition: String, _ number: Int, end: Double, now: Double) {
        let follows = heads.indices.filter { index in
            heads[index].rendition == rendition && (0...Self.stride).contains(number - heads[index].number)
        }
        guard let index = follows.max(by: { heads[$0].number < heads[$1].number }) else {
            if heads.count >= Self.largestCount { heads.removeFirst() }
            lastID += 1
            return heads.append(Head(id: lastID, rendition: rendition, number: number, time: end, seen: now))
        }
        heads[index].number = number
        heads[index].time = end
        heads[index].seen = now
    }

    /// Notes that a player waits for a unit, or reads it while it arrives.
    package mutating func hold(_ unit: UnitID) {
        lastID += 1
        holds[unit, default: Hold(since: lastID)].count += 1
    }

    /// Notes that a player has the unit, or does not wait for it any more.
    package mutating func release(_ unit: UnitID, now: Double) {
        holds[unit]?.count -= 1
        if let left = holds[unit]?.count, left <= 0 { holds[unit] = nil }
        for index in heads.indices where heads[index].unit == unit { heads[index].seen = now }
    }

    /// Forgets players that are gone.
    package mutating func expire(now: Double) {
        self.now = now
        heads.removeAll { now - $0.seen > Self.memory && holds[$0.unit] == nil }
    }

    mutating func setFilled(_ id: Int, _ isFilled: Bool) {
        guard let index = heads.firstIndex(where: { $0.id == id }) else { return }
        heads[index].isFilled = isFilled
    }
}

extension Playheads.Head {
    /// The segment that was asked for last.
    package var unit: UnitID { UnitID(rendition: rendition, kind: .segment, number: number) }
}

/// The need of players for the line, from none to all of it.
package enum PlayerPressure: Int, Comparable, Sendable {
    /// No player is there.
    case none
    /// A player plays stored media, and the next seconds are stored.
    case shared
    /// The next seconds of some player are not stored.
    case ahead
    /// A player waits.
    case demand

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
