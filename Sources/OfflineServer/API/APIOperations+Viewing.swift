internal import AssetStore
internal import HTTPTypes

extension APIOperation {
    /// The operations for players and pages beside the assets: positions, plays, timelines, search.
    static let viewing: [APIOperation] = [
        APIOperation(
            .get, "assets/{token}/timeline", name: "getTimeline",
            summary: "Tells when the segments of an asset begin, where they are and which are stored."
        ) {
            api, call async throws(StoreError) in try await api.timeline(call)
        }.documented(
            200, "Timeline",
            details: "What a player needs that reads no playlists; segments are in the clear."),
        APIOperation(
            .get, "assets/{token}/position", name: "getPosition",
            summary: "Tells how far an asset was watched."
        ) {
            api, call async throws(StoreError) in try await api.position(call)
        }.documented(200, "Position"),
        APIOperation(
            .put, "assets/{token}/position", name: "setPosition",
            summary: "Notes how far an asset was watched."
        ) {
            api, call async throws(StoreError) in try await api.setPosition(call)
        }.documented(body: "PositionRequest", 200, "Position"),
        APIOperation(
            .get, "assets/{token}/plays", name: "listPlays", summary: "Tells when an asset was played."
        ) {
            api, call async throws(StoreError) in try await api.plays(call)
        }.documented(
            200, "Plays",
            details: "The last hundred, the latest first; none with \"log_plays\": false in config.json."),
        APIOperation(
            .get, "doctor", name: "checkStore",
            summary: "Checks the installation and the store, and says what is wrong."
        ) {
            api, _ async throws(StoreError) in try await api.doctor()
        }.takingLong.documented(200, "Checkup"),
        APIOperation(
            .get, "search", name: "search", summary: "Searches names, tags and what subtitles say."
        ) {
            api, call async throws(StoreError) in try await api.search(call)
        }.documented(
            query: [("q", APISchemas.text.with(example: "winter"), "the text, 1 to 200 characters")], 200,
            "SearchResult", details: "A hundred assets and a hundred cues at most."),
    ]
}
