/// The answer to the question whether an asset plays without a network: a pure function of facts.
public struct Availability: Sendable, Equatable {
    /// Every segment, initialization section and key of the default selection is there at its size.
    public var offline: Bool
    /// Seconds from the beginning that play without a gap.
    public var fromStartUntil: Double
    /// The stretches that play.
    public var ranges: [TimeRange]
    /// The stretches that are stored, whether or not keys and license let them play.
    public var stored: [TimeRange]
    /// The obstacles to offline playback, as words for programs; empty without any.
    public var blockedBy: [Obstacle]

    package init(
        offline: Bool, fromStartUntil: Double, ranges: [TimeRange], stored: [TimeRange],
        blockedBy: [Obstacle]
    ) {
        self.offline = offline
        self.fromStartUntil = fromStartUntil
        self.ranges = ranges
        self.stored = stored
        self.blockedBy = blockedBy
    }

    /// The obstacles to playing offline.
    public enum Obstacle: String, Sendable, CaseIterable {
        case playlistMissing = "playlist-missing"
        case segmentsMissing = "segments-missing"
        case segmentDamaged = "segment-damaged"
        case undecodable
        case initializationMissing = "initialization-missing"
        case unreadable
        case keyMissing = "key-missing"
        case notResolved = "not-resolved"
        case licenseExpired = "license-expired"
        case licenseRevoked = "license-revoked"
        case clockMovedBack = "clock-moved-back"
    }
}

/// The facts of one unit by which availability is judged.
package struct UnitFacts: Sendable {
    package var kind: UnitKind
    package var number = 0
    package var start: Double
    package var duration: Double
    package var presence: Presence
    /// The result of the last look at its bytes.
    package var finding: UnitFinding?

    package init(
        kind: UnitKind, number: Int = 0, start: Double, duration: Double, presence: Presence,
        finding: UnitFinding? = nil
    ) {
        self.kind = kind
        self.number = number
        self.start = start
        self.duration = duration
        self.presence = presence
        self.finding = finding
    }

    /// The presence of a unit's bytes.
    package enum Presence: Sendable, Equatable {
        case stored
        case missing
        /// The catalog has the unit; its file is missing or has another size.
        case damaged(isGone: Bool)
        /// The origin marks the segment as a gap.
        case gap
    }

    /// The finding to report; `nil` without one.
    package func notable(of state: AssetState) -> UnitFinding? {
        switch presence {
        case .damaged(let isGone): isGone ? .gone : .damaged
        case .gap: .gap
        case .stored: finding.flatMap { $0.isNotableMedia || $0.isOfAbsence ? $0 : nil }
        // A missing unit of a complete asset counts only if it was stored before.
        case .missing where state == .complete: finding.map { $0.isDamage ? $0 : nil } ?? .gone
        case .missing: nil
        }
    }

    /// The unit's stretch of the presentation, without the part before its beginning.
    package var range: TimeRange { TimeRange(start: max(start, 0), duration: duration + min(start, 0)) }
}

extension Availability {
    /// The availability of an asset without any media.
    package static var nothing: Availability {
        Availability(offline: false, fromStartUntil: 0, ranges: [], stored: [], blockedBy: [])
    }

    /// Judges an asset.
    ///
    /// - Parameters:
    ///   - renditions: the units of each rendition of the default selection, segments in order.
    ///   - keysMissing: whether a key they need is not stored, or can't be unsealed.
    package static func judge(
        _ renditions: [[UnitFacts]], keysMissing: Bool, playlistsMissing: Bool = false
    ) -> Availability {
        var obstacles: Set<Obstacle> = keysMissing ? [.keyMissing] : []
        if playlistsMissing { obstacles.insert(.playlistMissing) }
        var ranges: [TimeRange]?
        if renditions.isEmpty { obstacles.insert(.notResolved) }
        for units in renditions {
            for unit in units { if let obstacle = obstacle(unit) { obstacles.insert(obstacle) } }
            let own = Self.stored(units)
            ranges = ranges.map { TimeRange.intersect($0, own) } ?? own
        }
        let stored = ranges ?? []
        let playable = keysMissing || playlistsMissing ? [] : stored
        let first = playable.first
        return Availability(
            offline: obstacles.isEmpty,
            fromStartUntil: (first?.start ?? 1) <= TimeRange.tolerance ? first?.end ?? 0 : 0,
            ranges: playable, stored: stored, blockedBy: Obstacle.allCases.filter(obstacles.contains))
    }

    private static func obstacle(_ unit: UnitFacts) -> Obstacle? {
        switch (unit.presence, unit.kind) {
        case (.stored, _): unit.finding == .undecodable ? .undecodable : nil
        case (.gap, _): nil
        case (.missing, _) where unit.finding?.isDamage == true: .segmentDamaged
        case (.missing, .segment): .segmentsMissing
        case (.missing, .initialization): .initializationMissing
        case (.damaged, _): .segmentDamaged
        }
    }

    private static func stored(_ units: [UnitFacts]) -> [TimeRange] {
        let initializationsThere = units.allSatisfy { $0.kind == .segment || $0.presence == .stored }
        guard initializationsThere else { return [] }
        return TimeRange.joined(
            units.lazy.filter {
                $0.kind == .segment && $0.presence == .stored && $0.finding != .undecodable
            }.map(\.range))
    }
}

extension Availability {
    /// The availability under a license: a license can keep everything from playing. Stored media stay stored.
    package func judged(by license: LicenseStatus) -> Availability {
        switch license.state {
        case .none, .valid, .missing: self
        case .revoked: blocked(by: [.licenseRevoked])
        case .expired:
            blocked(by: license.isClockBehind ? [.licenseExpired, .clockMovedBack] : [.licenseExpired])
        }
    }

    /// The availability with more obstacles, each of which prevents playback.
    package func blocked(by more: Set<Obstacle>) -> Availability {
        let obstacles = more.union(blockedBy)
        return Availability(
            offline: false, fromStartUntil: 0, ranges: [], stored: stored,
            blockedBy: Obstacle.allCases.filter(obstacles.contains))
    }
}

extension TimeRange {
    /// The largest rounding error of segment durations that is not a gap, in seconds.
    package static let tolerance = 0.001

    /// Joins ranges that follow each other; they come in order.
    package static func joined(_ ranges: some Sequence<TimeRange>) -> [TimeRange] {
        var joined: [TimeRange] = []
        for range in ranges {
            if let last = joined.last, range.start <= last.end + tolerance {
                joined[joined.count - 1].duration = max(last.end, range.end) - last.start
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The stretches that are in both; each list is in order and free of overlaps.
    static func intersect(_ left: [TimeRange], _ right: [TimeRange]) -> [TimeRange] {
        var common: [TimeRange] = []
        var (i, j) = (0, 0)
        while i < left.count && j < right.count {
            let start = max(left[i].start, right[j].start)
            let end = min(left[i].end, right[j].end)
            if end - start > tolerance { common.append(TimeRange(start: start, duration: end - start)) }
            if left[i].end < right[j].end { i += 1 } else { j += 1 }
        }
        return common
    }
}
