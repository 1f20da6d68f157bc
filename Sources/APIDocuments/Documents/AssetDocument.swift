internal import Languages
package import StoreReading

/// The asset object of the API and of `--json`.
package struct AssetDocument {
    package let asset: Asset
    /// The server's address, without a slash at the end; `nil` when it is not known.
    package var server: String?
    /// Bytes per second at this moment.
    package var speed: Double?
    /// Received bytes of units that are not committed yet.
    package var inFlight: Int64 = 0
    /// The work on it at this moment.
    package var activity: AssetActivity?

    package init(
        asset: Asset, server: String? = nil, speed: Double? = nil, inFlight: Int64 = 0,
        activity: AssetActivity? = nil
    ) {
        (self.asset, self.server, self.speed) = (asset, server, speed)
        (self.inFlight, self.activity) = (inFlight, activity)
    }

    /// The address that players get.
    package var playlistURL: String { AssetEntry(token: asset.token, server: server).playlistURL }
    package static let usualServer = "http://127.0.0.1:8090"

    /// The state, its reason, and its duration, if they are known.
    package var state: String {
        let until = asset.waitsUntil.map { " until \($0.localText)" } ?? ""
        return asset.state.rawValue + HealthReport.suffix(asset)
            + (asset.reason.map { " (\($0)\(until))" } ?? "")
    }

    /// The streams that could not be read, in sentences.
    package var lost: JSONValue { .array(asset.lost.map { .string($0.sentence) }) }

    /// The parts of the request that an asset lacks, as a member.
    package static func leftOut(_ items: [LeftOut]) -> (String, JSONValue) {
        let values = items.map { item -> JSONValue in
            [
                "kind": .string(item.kind.rawValue), "wanted": .string(item.wanted),
                "offered": .array(item.offered.map { .string($0) }),
            ]
        }
        return ("left_out", .array(values))
    }

    /// The recording of a live stream.
    var live: JSONValue {
        guard let recording = asset.recording else { return .null }
        let gaps = recording.gaps.map { gap -> JSONValue in
            [
                "rendition": .string(gap.rendition), "number": .integer(Int64(gap.number)),
                "count": .integer(Int64(gap.count)), "start": JSONValue(gap.start),
                "duration": JSONValue(gap.duration), "reason": .string(gap.reason),
                "at": .string(gap.at.rfc3339),
            ]
        }
        return [
            "recording": .bool(recording.isOpen), "ended_at": JSONValue(recording.endedAt?.rfc3339),
            "end": JSONValue(recording.end?.rawValue), "gaps": .array(gaps),
        ]
    }

    /// Seconds until it is complete at this speed; `nil` for a recording, which ends with its stream.
    package var eta: Double? {
        guard let speed, speed > 0, let expected = asset.expectedBytes, asset.state == .downloading,
            !asset.isRecording
        else { return nil }
        return Double(max(0, expected - asset.storedBytes - inFlight)) / speed
    }

    /// The address of a picture, when the asset has one.
    func picture(_ name: String) -> JSONValue {
        asset.poster.map { _ in .string("\(server ?? Self.usualServer)/assets/\(asset.token)/\(name)") }
            ?? .null
    }

    var bytes: JSONValue {
        [
            "stored": .integer(asset.storedBytes), "expected": JSONValue(asset.expectedBytes),
            "exact": .bool(asset.isSizeExact), "in_flight": .integer(inFlight),
        ]
    }

    static func json(_ ranges: [TimeRange]) -> JSONValue {
        .array(ranges.map { ["start": JSONValue($0.start), "duration": JSONValue($0.duration)] })
    }

    /// The answer of `playable`.
    package var playable: JSONValue {
        [
            "offline": .bool(asset.availability.offline),
            "from_start_until": JSONValue(asset.availability.fromStartUntil),
            "ranges": Self.json(asset.availability.ranges),
            "blocked_by": .array(asset.availability.blockedBy.map { .string($0.rawValue) }),
            "media_place": JSONValue(asset.mediaPlace),
        ]
    }

    /// The failure of an asset.
    package static func json(_ failure: AssetFailure?) -> JSONValue {
        guard let failure else { return .null }
        return [
            "class": .string(failure.errorClass), "code": JSONValue(failure.code),
            "message": .string(failure.message),
            "url": JSONValue(failure.url),
            "retryable": .bool(failure.retryable), "at": .string(failure.at.rfc3339),
        ]
    }

    /// The subtitle renditions that are also served as sideband subtitles.
    var tracks: [AssetRendition] {
        asset.renditions.filter { $0.kind == .subtitles && $0.hasPlaylist && $0.failure == nil }
    }

    /// Each language once, in the order of the renditions.
    var subtitleLanguages: [String] {
        var seen: Set<String> = []
        return tracks.compactMap { $0.language.map(LanguageTag.canonical) }.filter {
            seen.insert($0).inserted
        }
    }

    /// One rendition of the asset object.
    package static func json(_ rendition: AssetRendition) -> JSONValue {
        .object([
            ("id", .string(rendition.name)), ("type", .string(rendition.kind.rawValue)),
            ("language", JSONValue(rendition.language)), ("name", JSONValue(rendition.title)),
            ("bandwidth", JSONValue(rendition.bandwidth)), ("resolution", JSONValue(rendition.resolution)),
            ("codecs", JSONValue(rendition.codecs)), ("channels", JSONValue(rendition.channels)),
            ("segments", JSONValue(rendition.segments)),
            ("stored_segments", JSONValue(rendition.storedSegments)),
            ("bytes", .integer(rendition.storedBytes)),
            ("complete", .bool(rendition.isComplete)), ("disguise", JSONValue(rendition.disguise)),
            ("error", JSONValue(rendition.failure)),
        ])
    }
}
