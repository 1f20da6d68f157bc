internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Positions, plays, timelines and search.
extension APIResponder {
    func timeline(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let timeline = try await blocking { reader throws(StoreError) in
            guard let timeline = try reader.playlists.timeline(token) else {
                throw StoreError(.noSuchAsset(token.description))
            }
            return timeline
        }
        return Response(json: TimelineDocument(timeline).json)
    }

    func position(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let asset = try await blocking { reader throws(StoreError) in
            try reader.requireProgress(of: token)
        }
        return Response(json: Self.json(asset.position))
    }

    func setPosition(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: PositionBody = JSONBody.decode(call.request.body), body.isSound else {
            return Problem.body("The body must have \"position\" (seconds) and may have \"watched\".", token)
                .response
        }
        let store = store
        let position = try await blocking { _ throws(StoreError) in
            try store.viewing.setPosition(body.position, isWatched: body.watched, of: token)
        }
        return Response(json: Self.json(position))
    }

    private static func json(_ position: PlaybackPosition) -> JSONValue {
        [
            "position": JSONValue(position.seconds), "watched": .bool(position.isWatched),
            "at": JSONValue(position.toldAt?.rfc3339),
        ]
    }

    /// The findings of `doctor` about the store.
    func doctor() async throws(StoreError) -> Response {
        let root = store.paths.root
        var findings = await WorkPool.queries.run { StoreCheckup.run(root) }
        if let bucket = await StoreCheckup.bucket(root, of: store.bucket) { findings.append(bucket) }
        let items = findings.map { finding -> JSONValue in
            [
                "check": .string(finding.check), "ok": .bool(finding.isFine),
                "detail": .string(finding.detail),
            ]
        }
        return Response(json: ["findings": .array(items)])
    }

    func plays(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let store = store
        let plays = try await blocking { reader throws(StoreError) in
            try store.housekeeper.flushPlays()
            return try reader.viewing.plays(of: token, limit: Self.playLimit)
        }
        let items = plays.map { play -> JSONValue in
            [
                "began_at": .string(play.beganAt.rfc3339), "ended_at": .string(play.endedAt.rfc3339),
                "until": JSONValue(play.until),
            ]
        }
        return Response(json: ["plays": .array(items)])
    }

    func search(_ call: APICall) async throws(StoreError) -> Response {
        let text = call.query["q"] ?? ""
        guard !text.isEmpty, text.count <= Self.longestSearch, text.isStorable else {
            return Problem.search.response
        }
        let store = store
        let found = try await blocking { reader throws(StoreError) in
            let pending = try store.viewing.indexCues(within: Self.indexTime)
            return (
                assets: try reader.viewing.assets(named: text, limit: Self.searchLimit),
                cues: try reader.viewing.cues(containing: text, limit: Self.searchLimit), pending: pending
            )
        }
        let assets = found.assets.map { asset -> JSONValue in
            [
                "asset": .string(asset.token.description), "name": .string(asset.name),
                "tags": .array(asset.tags.map { .string($0) }),
            ]
        }
        let cues = found.cues.map { cue -> JSONValue in
            [
                "asset": .string(cue.token.description), "rendition": .string(cue.rendition),
                "language": JSONValue(cue.language), "start": JSONValue(cue.start),
                "text": .string(cue.text),
            ]
        }
        return Response(
            json: ["assets": .array(assets), "cues": .array(cues), "pending": JSONValue(found.pending)])
    }

    private static let playLimit = 100
    private static let searchLimit = 100
    private static let longestSearch = 200
    /// The longest time that a search may spend on subtitles that are not in the index yet.
    private static let indexTime = Duration.seconds(2)
}

extension Problem {
    /// The problem with a search that has no valid text.
    fileprivate static let search = Problem(
        status: .badRequest, type: "invalid-query", detail: "`q` must be 1 to 200 characters to search for.",
        parameter: "q")
}
