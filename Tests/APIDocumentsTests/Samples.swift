@testable import StoreModel

/// Assets and their parts, as the documents describe them, without a store.
enum Samples {
    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    /// A token; a greater age makes a greater token.
    static func token(_ age: Int64 = 0) -> AssetToken {
        AssetToken(at: Timestamp(milliseconds: age), random: { 0 })
    }

    /// A complete asset of 60 seconds that is sound, with the changes of a test.
    static func asset(_ change: (inout Asset) -> Void = { _ in }) -> Asset {
        let ranges = [TimeRange(start: 0, duration: 60)]
        var asset = Asset(
            token: token(), name: "Film", sourceURL: "http://a.test/b", state: .complete, priority: 0,
            isPinned: false, duration: 60,
            availability: Availability(
                offline: true, fromStartUntil: 60, ranges: ranges, stored: ranges, blockedBy: []),
            health: Health(level: .sound), requestedAt: now,
            renditions: [
                rendition("video-360p", .variant) { $0.resolution = "640x360" },
                rendition("audio-de", .audio) { ($0.language, $0.title) = ("de", "Deutsch") },
            ], license: .none, storePath: "assets/x", meta: [:])
        change(&asset)
        return asset
    }

    /// A complete rendition of 60 seconds.
    static func rendition(
        _ name: String, _ kind: RenditionKind, _ change: (inout AssetRendition) -> Void = { _ in }
    ) -> AssetRendition {
        var rendition = AssetRendition(
            RenditionRecord(
                name: name, position: 0, kind: kind, required: true, listings: [], hasPlaylist: true,
                container: .ts, duration: 60, segments: 10, storedSegments: 10, storedBytes: 1000))
        change(&rendition)
        return rendition
    }

    /// An asset with problems.
    static func ill(
        _ problems: [HealthProblem], level: Health.Level = .incomplete,
        _ change: (inout Asset) -> Void = { _ in }
    ) -> Asset {
        asset {
            $0.health = Health(level: level, problems: problems)
            change(&$0)
        }
    }

    /// A problem of one segment of the asset's audio, from the twelfth second on.
    static func problem(
        _ kind: HealthProblem.Kind, cause: String? = nil, advice: HealthProblem.Advice = .none,
        _ change: (inout HealthProblem) -> Void = { _ in }
    ) -> HealthProblem {
        var problem = HealthProblem(
            kind: kind, rendition: "audio-de", start: 12, duration: 4, count: 1, cause: cause,
            advice: advice)
        change(&problem)
        return problem
    }

    /// A problem of the asset as a whole.
    static func whole(
        _ kind: HealthProblem.Kind, count: Int = 1, cause: String? = nil,
        advice: HealthProblem.Advice = .none
    ) -> HealthProblem {
        HealthProblem(kind: kind, count: count, cause: cause, advice: advice)
    }

    /// A failure of a request.
    static func failure(
        _ message: String = "the origin answered 503 (http://a.test/7.ts)", errorClass: String = "http",
        url: String? = nil
    ) -> AssetFailure {
        AssetFailure(errorClass: errorClass, message: message, url: url, retryable: true, at: now)
    }
}
