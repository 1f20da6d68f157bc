internal import StoreReading

/// The members of the asset object, in their order.
extension AssetDocument {
    package var json: JSONValue { .object(Self.members.map { ($0.name, $0.value(self)) }) }

    /// The asset object for long lists: it has fewer members.
    package var summary: JSONValue { .object(Self.summarized.map { ($0.name, $0.value(self)) }) }

    private static let summarized = members.filter(\.isInSummary)

    private struct Member: Sendable {
        let name: String
        var isInSummary = true
        let value: @Sendable (AssetDocument) -> JSONValue

        init(_ name: String, value: @escaping @Sendable (AssetDocument) -> JSONValue) {
            (self.name, self.value) = (name, value)
        }

        /// Leaves the member out of the summary.
        func inFullOnly() -> Member {
            var member = self
            member.isInSummary = false
            return member
        }
    }

    private static let members = identity + course + media + history

    private static let identity: [Member] = [
        Member("token") { .string($0.asset.token.description) },
        Member("name") { .string($0.asset.name) },
        Member("source_url") { .string($0.asset.sourceURL) },
        Member("playlist_url") { .string($0.playlistURL) }.inFullOnly(),
    ]

    /// The state of the download, and what steers it.
    private static let course: [Member] = [
        Member("state") { .string($0.asset.state.rawValue) },
        Member("reason") { JSONValue($0.asset.reason) },
        Member("waits_until") { JSONValue($0.asset.waitsUntil?.rfc3339) },
        Member("wait") { JSONValue($0.asset.wait) },
        Member("room") { json($0.asset.room) }.inFullOnly(),
        Member("activity") { json($0.activity) },
        Member("priority") { JSONValue($0.asset.priority) },
        Member("pinned") { .bool($0.asset.isPinned) },
        Member("last_played_at") { JSONValue($0.asset.lastPlayedAt?.rfc3339) },
        Member("limit_rate") { JSONValue($0.asset.rateLimit.map { Int64(clamping: $0) }) }.inFullOnly(),
        Member("schedule") { JSONValue($0.asset.schedule?.description) }.inFullOnly(),
        Member("metered_ok") { .bool($0.asset.isMeteredOK) }.inFullOnly(),
        Member("progress") { JSONValue($0.asset.progress) },
        Member("bytes") { $0.bytes },
        Member("speed") { JSONValue($0.speed) },
        Member("eta") { JSONValue($0.eta) },
    ]

    private static let media: [Member] = [
        Member("duration") { JSONValue($0.asset.duration) },
        Member("time_ranges") { json($0.asset.availability.stored) }.inFullOnly(),
        Member("playable") { $0.playable }.inFullOnly(),
        Member("license") { LicenseDocument($0.asset.license).json },
        Member("requested_at") { .string($0.asset.requestedAt.rfc3339) },
        Member("started_at") { JSONValue($0.asset.startedAt?.rfc3339) }.inFullOnly(),
        Member("finished_at") { JSONValue($0.asset.finishedAt?.rfc3339) },
        Member("renditions") { .array($0.asset.renditions.map(json)) }.inFullOnly(),
        Member("subtitle_languages") { .array($0.subtitleLanguages.map { .string($0) }) },
        Member("uses_sideband_subtitles") { .bool(!$0.tracks.isEmpty) }.inFullOnly(),
        Member("poster") { $0.picture("poster") },
        Member("thumbnail") { $0.picture("thumbnail") }.inFullOnly(),
        Member("store_path") { .string($0.asset.storePath) }.inFullOnly(),
        Member("meta") {
            .object($0.asset.meta.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        }
        .inFullOnly(),
        Member("live") { $0.live }.inFullOnly(),
        Member("redirects") { .array($0.asset.redirects.map { .string($0) }) }.inFullOnly(),
        Member("recording") { .bool($0.asset.recording?.isOpen == true) },
    ]

    private static let history: [Member] = [
        Member("lost") { $0.lost }.inFullOnly(),
        Member("error") { json($0.asset.failure) },
        Member("left_out") { leftOut($0.asset.leftOut).1 }.inFullOnly(),
        Member("client_id") { JSONValue($0.asset.clientID) }.inFullOnly(),
        Member("tags") { .array($0.asset.tags.map { .string($0) }) },
        Member("position") { JSONValue($0.asset.position.seconds) },
        Member("watched") { .bool($0.asset.position.isWatched) },
        Member("health") { .string($0.asset.health.level.rawValue) },
        Member("problems") { $0.problems }.inFullOnly(),
    ]
}
