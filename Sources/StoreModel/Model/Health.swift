/// The health of an asset: its level and its problems. It is a pure function of facts, so that commands, the API,
/// events, `/metrics` and the page agree.
public struct Health: Sendable, Equatable {
    /// The level of an asset's worst known problem.
    public enum Level: String, Sendable, CaseIterable {
        /// Everything that was requested is stored and undamaged.
        case sound
        /// Something is not stored, or can't be had.
        case incomplete
        /// Something that was stored is gone, changed, or can't be decoded.
        case damaged
    }

    /// The level of the worst known problem.
    public var level: Level
    /// All problems, the worst first.
    public var problems: [HealthProblem]

    /// A condition.
    public init(level: Level, problems: [HealthProblem] = []) {
        (self.level, self.problems) = (level, problems)
    }

    /// Seconds of the presentation that are missing for good (`gap`), in the rendition that lacks most.
    public var missingSeconds: Double {
        var seconds: [String: Double] = [:]
        for problem in problems where problem.kind == .gap {
            seconds[problem.rendition ?? "", default: 0] += problem.duration ?? 0
        }
        return seconds.values.max() ?? 0
    }
}

/// A problem of an asset.
public struct HealthProblem: Sendable, Equatable {
    /// The kinds of problems, as the asset object names them.
    public enum Kind: String, Sendable, CaseIterable {
        /// Segments that were there and are gone.
        case segmentMissing = "segment-missing"
        /// Segments with other bytes than were stored.
        case segmentDamaged = "segment-damaged"
        /// The playlist of a rendition is missing or truncated.
        case playlistMissing = "playlist-missing"
        /// Segments that no player can decode.
        case undecodable
        /// Segments are of two versions of the stream. Without a rendition: the origin has a different stream now
        /// than the stored one.
        case drifted
        /// Content keys that are not stored.
        case keyMissing = "key-missing"
        /// The license has expired.
        case licenseExpired = "license-expired"
        /// Segments that the stream never had, or that could not be fetched while a live stream was recorded.
        case gap
        /// A rendition that was given up, or whose playlist could not be read.
        case renditionLost = "rendition-lost"
        /// Segments are in an unknown format, or unlike their neighbors. They may play.
        case unknownMedia = "unknown-media"

        package var level: Level {
            switch self {
            case .segmentMissing, .segmentDamaged, .playlistMissing, .undecodable, .drifted: .damaged
            case .keyMissing, .licenseExpired, .gap, .renditionLost: .incomplete
            case .unknownMedia: .sound
            }
        }

        package typealias Level = Health.Level
    }

    /// The way to mend a problem, for programs; the command that a person types is made of it.
    public enum Advice: String, Sendable, CaseIterable {
        /// Fetch missing and damaged units again.
        case repair
        /// Go on with the download.
        case resume
        /// Name a fresh address of the stream.
        case relink
        /// Ask for the keys again.
        case licenseRenew = "license-renew"
        /// Give the key.
        case addKey = "add-key"
        /// Ask for the tracks again.
        case addTracks = "add-tracks"
        /// No action helps.
        case none
    }

    /// The kind.
    public var kind: Kind
    /// The name of the rendition; `nil` when it concerns the whole asset.
    public var rendition: String?
    /// Its first second in the presentation; `nil` without a place in it.
    public var start: Double?
    /// Its length in seconds; `nil` without one.
    public var duration: Double?
    /// The number of segments, keys or renditions.
    public var count: Int
    /// The cause, where one is known: a reason of a gap or of unknown media for programs, or the sentence of a failure.
    public var cause: String?
    /// The way to mend it.
    public var advice: Advice
}

/// A unit of an asset that a person is to be told of.
package struct NotableUnit: Sendable, Equatable {
    package var rendition: String
    package var kind: UnitKind
    package var number: Int
    package var start: Double
    package var duration: Double
    package var finding: UnitFinding

    package init(
        rendition: String, kind: UnitKind, number: Int, start: Double, duration: Double,
        finding: UnitFinding
    ) {
        self.rendition = rendition
        self.kind = kind
        self.number = number
        self.start = start
        self.duration = duration
        self.finding = finding
    }
}

/// Everything that the health of an asset is judged by.
package struct HealthFacts: Sendable {
    /// A rendition.
    package struct Rendition: Sendable {
        package var name: String
        package var failure: String?
        /// Whether its bytes come from an origin or a folder that has them still.
        package var isFetched: Bool
        package var isComplete: Bool

        package init(name: String, failure: String? = nil, isFetched: Bool, isComplete: Bool) {
            self.name = name
            self.failure = failure
            self.isFetched = isFetched
            self.isComplete = isComplete
        }
    }

    package var state: AssetState
    package var renditions: [Rendition]
    /// The streams that could not be read with the playlists, and have not come since.
    package var lost: [LostStream] = []
    /// In the order of renditions and numbers.
    package var units: [NotableUnit] = []
    /// The renditions whose playlists are gone or cut off.
    package var brokenPlaylists: [String] = []
    /// The gaps of a recording, with their causes; `nil` for other assets.
    package var gaps: [RecordingGap]?
    package var missingKeys = 0
    /// Whether its license has expired.
    package var isExpired = false
    /// Whether missing keys can be fetched.
    package var hasKeySource = true
    /// Whether it was copied from a folder, its only source.
    package var isImported = false
    /// The failure that its download ended with.
    package var failure: AssetFailure?
    /// The unit that caused its failure, if known.
    package var failedUnit: NotableUnit?
    /// The rendition that has segments of two versions of the stream, and how that was seen.
    package var drifted: (rendition: String, cause: String)?

    package init(
        state: AssetState, renditions: [Rendition], units: [NotableUnit] = [],
        gaps: [RecordingGap]? = nil, missingKeys: Int = 0, hasKeySource: Bool = true,
        isImported: Bool = false, drifted: (rendition: String, cause: String)? = nil
    ) {
        self.state = state
        self.renditions = renditions
        self.units = units
        self.gaps = gaps
        self.missingKeys = missingKeys
        self.hasKeySource = hasKeySource
        self.isImported = isImported
        self.drifted = drifted
    }
}

extension Health {
    /// The largest number of problems in detail; beyond it, those of one kind in one rendition are joined.
    static let mostProblems = 100

    /// Judges an asset.
    package static func judge(_ facts: HealthFacts) -> Health {
        var problems = unitProblems(facts, isJoined: false)
        if problems.count > mostProblems { problems = unitProblems(facts, isJoined: true) }
        problems += playlistProblems(facts) + gapProblems(facts) + lostRenditions(facts) + keyProblems(facts)
        if let drifted = facts.drifted {
            problems.append(
                HealthProblem(
                    kind: .drifted, rendition: drifted.rendition, count: 1, cause: drifted.cause,
                    advice: .repair))
        }
        let order = HealthProblem.Kind.allCases
        problems.sort { order.firstIndex(of: $0.kind) ?? 0 < order.firstIndex(of: $1.kind) ?? 0 }
        return Health(level: level(problems, facts), problems: problems + failureProblems(facts))
    }

    /// The fault of the stream that made a download fail. It is no damage: stored media are unchanged.
    private static func failureProblems(_ facts: HealthFacts) -> [HealthProblem] {
        guard facts.state == .failed, let failure = facts.failure else { return [] }
        let kind: HealthProblem.Kind
        switch failure.code {
        case "integrity": kind = .undecodable
        // A mixture of versions is reported separately.
        case _ where failure.isOtherStream:
            guard facts.drifted == nil else { return [] }
            kind = .drifted
        case "key": kind = .keyMissing
        // Before that, it is a playlist that the origin does not have.
        case "status" where !facts.renditions.isEmpty: kind = .segmentMissing
        default: return []
        }
        let advice: HealthProblem.Advice = kind == .drifted ? .repair : .resume
        let unit = facts.failedUnit
        return [
            HealthProblem(
                kind: kind, rendition: unit?.rendition, start: unit.map { max(0, $0.start) },
                duration: unit.map { $0.duration + min($0.start, 0) }, count: 1, cause: failure.message,
                advice: advice)
        ]
    }

    private static func level(_ problems: [HealthProblem], _ facts: HealthFacts) -> Level {
        let levels = problems.map(\.kind.level)
        if levels.contains(.damaged) { return .damaged }
        let isWhole =
            facts.state == .complete && facts.renditions.allSatisfy { $0.isComplete || $0.failure != nil }
        return isWhole && !levels.contains(.incomplete) ? .sound : .incomplete
    }

    /// - Parameter isJoined: whether all units of one kind in one rendition are one problem.
    private static func unitProblems(_ facts: HealthFacts, isJoined: Bool) -> [HealthProblem] {
        var problems: [HealthProblem] = []
        for unit in facts.units {
            guard let kind = kind(of: unit, in: facts) else { continue }
            let next = HealthProblem(
                kind: kind, rendition: unit.rendition,
                start: unit.kind == .segment ? max(0, unit.start) : nil,
                duration: unit.kind == .segment ? unit.duration + min(unit.start, 0) : nil, count: 1,
                cause: unit.finding.oddity, advice: advice(kind, unit, facts: facts))
            if let index = problems.lastIndex(where: { $0.isJoinable(next) }),
                isJoined || problems[index].end.map({ abs($0 - (next.start ?? .infinity)) < 0.01 }) ?? false
            {
                problems[index].duration = (problems[index].duration ?? 0) + (next.duration ?? 0)
                problems[index].count += 1
            } else {
                problems.append(next)
            }
        }
        return problems
    }

    private static func kind(of unit: NotableUnit, in facts: HealthFacts) -> HealthProblem.Kind? {
        switch unit.finding {
        // At the beginning of a running download, everything is missing.
        case .gone: facts.state == .complete ? .segmentMissing : nil
        case .damaged: facts.state == .complete ? .segmentDamaged : nil
        case .undecodable: .undecodable
        case .unknown, .otherPictures, .short: .unknownMedia
        // A recording tells its gaps itself, with their reasons.
        case .gap: facts.gaps == nil ? .gap : nil
        default: nil
        }
    }

    private static func advice(
        _ kind: HealthProblem.Kind, _ unit: NotableUnit, facts: HealthFacts
    ) -> HealthProblem.Advice {
        switch kind {
        case .gap, .unknownMedia: .none
        case .undecodable where facts.isImported: .none
        default: facts.state == .complete || facts.state == .failed ? .repair : .resume
        }
    }

    private static func playlistProblems(_ facts: HealthFacts) -> [HealthProblem] {
        // A running download writes its playlists first.
        guard facts.state == .complete else { return [] }
        return facts.brokenPlaylists.map {
            HealthProblem(kind: .playlistMissing, rendition: $0, count: 1, advice: .repair)
        }
    }

    private static func gapProblems(_ facts: HealthFacts) -> [HealthProblem] {
        let gaps = (facts.gaps ?? []).filter { $0.count > 0 }
        guard gaps.count > mostProblems else { return gaps.map(HealthProblem.init) }
        var joined: [HealthProblem] = []
        for gap in gaps {
            if let index = joined.firstIndex(where: {
                $0.rendition == gap.rendition && $0.cause == gap.reason
            }) {
                joined[index].count += gap.count
                joined[index].duration = (joined[index].duration ?? 0) + gap.duration
            } else {
                joined.append(HealthProblem(gap))
            }
        }
        return joined
    }

    private static func lostRenditions(_ facts: HealthFacts) -> [HealthProblem] {
        facts.renditions.filter { $0.failure != nil }.map {
            HealthProblem(
                kind: .renditionLost, rendition: $0.name, count: 1, cause: $0.failure,
                advice: $0.isFetched ? .repair : .none)
        }
            + facts.lost.filter(\.isMissed).map {
                HealthProblem(
                    kind: .renditionLost, count: 1, cause: "\($0.label) was left out: \($0.reason)",
                    advice: .addTracks)
            }
    }

    private static func keyProblems(_ facts: HealthFacts) -> [HealthProblem] {
        guard facts.missingKeys > 0 else {
            return facts.isExpired
                ? [HealthProblem(kind: .licenseExpired, count: 1, advice: .licenseRenew)] : []
        }
        return [
            HealthProblem(
                kind: .keyMissing, count: facts.missingKeys,
                advice: facts.hasKeySource ? .licenseRenew : .addKey)
        ]
    }
}

extension HealthProblem {
    fileprivate init(_ gap: RecordingGap) {
        self.init(
            kind: .gap, rendition: gap.rendition, start: gap.start, duration: gap.duration, count: gap.count,
            cause: gap.reason, advice: .none)
    }

    /// The first second behind it.
    fileprivate var end: Double? { start.flatMap { start in duration.map { start + $0 } } }

    fileprivate func isJoinable(_ other: HealthProblem) -> Bool {
        kind == other.kind && rendition == other.rendition && advice == other.advice && cause == other.cause
            && (start == nil) == (other.start == nil)
    }
}

extension HealthFacts {
    package init(_ state: AssetState, _ rows: [RenditionRecord]) {
        self.init(
            state: state,
            renditions: rows.filter(\.hasPlaylist).map { row in
                Rendition(
                    name: row.name, failure: row.failure, isFetched: row.sourceFile == nil,
                    isComplete: row.isComplete)
            })
    }
}
