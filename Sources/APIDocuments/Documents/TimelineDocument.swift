package import StoreReading

/// The timeline of an asset as the API tells it. Addresses are relative to the server's own.
package struct TimelineDocument {
    private let timeline: AssetTimeline

    package init(_ timeline: AssetTimeline) { self.timeline = timeline }

    package var json: JSONValue {
        let asset = timeline.asset
        return [
            "token": .string(asset.token.description), "duration": JSONValue(asset.duration),
            "live": .bool(asset.recording?.isOpen == true), "complete": .bool(asset.state == .complete),
            "renditions": .array(timeline.renditions.map(json)),
        ]
    }

    private func json(_ found: AssetTimeline.Rendition) -> JSONValue {
        let rendition = found.rendition
        let members: [(String, JSONValue)] = [
            ("id", .string(rendition.name)), ("type", .string(rendition.kind.rawValue)),
            ("language", JSONValue(rendition.language)), ("name", JSONValue(rendition.title)),
            ("bandwidth", JSONValue(rendition.bandwidth)), ("resolution", JSONValue(rendition.resolution)),
            ("codecs", JSONValue(rendition.codecs)), ("group", JSONValue(found.group)),
            ("default", .bool(found.isDefault)), ("forced", .bool(rendition.isForced)),
            ("characteristics", JSONValue(found.characteristics)),
            ("container", .string(found.container.rawValue)), ("encrypted", .bool(found.isEncrypted)),
            ("playlist", .bool(rendition.hasPlaylist)),
        ]
        return .object(members + addresses(found) + segments(found))
    }

    /// The addresses of the segments, with `{n}` for a number; as fragmented MP4 where they are that.
    private func addresses(_ found: AssetTimeline.Rendition) -> [(String, JSONValue)] {
        let folder = "assets/\(timeline.asset.token)/\(found.rendition.name)"
        let query = found.isEncrypted ? "?decrypt=1" : ""
        let isThere = found.rendition.hasPlaylist
        return [
            (
                "segment_uri",
                isThere ? .string("\(folder)/{n}.\(found.container.rawValue)\(query)") : .null
            ),
            (
                "initialization_uri",
                found.sections.isEmpty ? .null : .string("\(folder)/init-{n}.mp4\(query)")
            ),
        ]
    }

    private func segments(_ found: AssetTimeline.Rendition) -> [(String, JSONValue)] {
        [
            ("first", JSONValue(found.first)), ("start", JSONValue(found.start)),
            ("durations", .array(found.durations.map { JSONValue($0) })),
            ("discontinuities", .array(found.discontinuities.map { JSONValue($0) })),
            (
                "initializations",
                .array(found.sections.map { .array([JSONValue($0.first), JSONValue($0.section)]) })
            ),
            ("stored", Self.json(found.stored)), ("gaps", Self.json(found.gaps)),
        ]
    }

    private static func json(_ runs: [ClosedRange<Int>]) -> JSONValue {
        .array(runs.map { .array([JSONValue($0.lowerBound), JSONValue($0.upperBound)]) })
    }
}
