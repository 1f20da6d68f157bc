internal import APIDocuments
internal import AssetStore
internal import HTTPTypes

extension APIOperation {
    /// The operations for players and pages beside the assets: positions, plays, timelines, search.
    static let viewing: [APIOperation] = [
        APIOperation(
            .get, "assets/{token}/timeline", name: "getTimeline",
            summary:
                "Shows for each segment of an asset when it begins, its address, and whether it is stored."
        ) {
            api, call async throws(StoreError) in try await api.timeline(call)
        }.documented(
            200, "Timeline",
            details: "For a player that reads no playlists. The segments at these addresses are in the clear."
        ),
        APIOperation(
            .get, "assets/{token}/position", name: "getPosition",
            summary: "Shows how far an asset was watched."
        ) {
            api, call async throws(StoreError) in try await api.position(call)
        }.documented(200, "Position"),
        APIOperation(
            .put, "assets/{token}/position", name: "setPosition",
            summary: "Stores how far an asset was watched."
        ) {
            api, call async throws(StoreError) in try await api.setPosition(call)
        }.documented(body: "PositionRequest", 200, "Position"),
        APIOperation(
            .get, "assets/{token}/plays", name: "listPlays",
            summary: "Lists the times at which an asset was played."
        ) {
            api, call async throws(StoreError) in try await api.plays(call)
        }.documented(
            200, "Plays",
            details:
                "The last hundred plays, the latest first; none with \"log_plays\": false in config.json."),
        APIOperation(
            .get, "doctor", name: "checkStore",
            summary: "Checks the installation and the store, and lists what is wrong."
        ) {
            api, _ async throws(StoreError) in try await api.doctor()
        }.takingLong.documented(200, "Checkup"),
        APIOperation(
            .get, "search", name: "search", summary: "Searches names, tags and the text of subtitles."
        ) {
            api, call async throws(StoreError) in try await api.search(call)
        }.documented(
            query: [("q", APISchemas.text.with(example: "winter"), "the text, 1 to 200 characters")], 200,
            "SearchResult", details: "A hundred assets and a hundred cues at most."),
    ]
}
