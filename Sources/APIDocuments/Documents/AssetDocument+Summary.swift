internal import StoreReading

extension AssetDocument {
    /// The summary of an asset for long lists. Its members are a subset of the asset object's.
    package var summary: JSONValue {
        .object(json.members.filter { Self.summarized.contains($0.0) })
    }

    private static let summarized: Set<String> = [
        "token", "name", "state", "reason", "waits_until", "wait", "activity", "priority", "pinned",
        "last_played_at", "progress", "bytes", "speed", "eta", "duration", "license", "requested_at",
        "finished_at", "subtitle_languages", "poster", "recording", "error", "health", "tags", "position",
        "watched", "source_url",
    ]
}
