/// The API's asset object, by the names of its members.
enum AssetObject {
    static let members: Set<String> = [
        "token", "name", "source_url", "playlist_url", "state", "reason", "progress", "bytes", "speed", "eta",
        "duration", "time_ranges", "playable", "license", "requested_at", "started_at", "finished_at",
        "renditions",
        "subtitle_languages", "uses_sideband_subtitles", "poster", "thumbnail", "store_path", "meta", "error",
    ]
    static let nested: [String: Set<String>] = [
        "bytes": ["stored", "expected", "exact"],
        "playable": ["offline", "from_start_until", "ranges", "blocked_by"],
        "license": ["state", "kind", "requested_at", "expires_at", "first_played_at", "play_expires_at"],
    ]
    static let rendition: Set<String> = [
        "id", "type", "language", "name", "bandwidth", "resolution", "codecs", "segments", "stored_segments",
        "complete",
    ]

    /// The members of an asset that `object` lacks, also those in its parts.
    static func missing(in object: [String: Any]) -> [String] {
        var names = members.subtracting(object.keys).sorted()
        for (name, wanted) in nested {
            let part = object[name] as? [String: Any] ?? [:]
            names += wanted.subtracting(part.keys).map { "\(name).\($0)" }.sorted()
        }
        for item in object["renditions"] as? [[String: Any]] ?? [] {
            names += rendition.subtracting(item.keys).map { "renditions.\($0)" }.sorted()
        }
        return names
    }
}
