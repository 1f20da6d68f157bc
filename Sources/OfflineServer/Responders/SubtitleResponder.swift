internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SidebandSubtitles

/// Answers requests for subtitle tracks: their list, whole tracks, and tracks cut along the video.
///
/// A whole track has the times of the presentation and no timestamp map, as players want it beside a stream. The
/// segments have the map, which they need within one.
struct SubtitleResponder: Sendable {
    let media: MediaResponder

    /// - Parameter key: the cache key of the answer.
    func load(
        _ request: Request, _ token: AssetToken, resource: AssetResource, key: String
    ) throws(StoreError) -> Response {
        switch resource {
        case .subtitleList:
            guard let tracks = try media.reader.captions.subtitleRenditions(token) else {
                return media.missing(token)
            }
            let list = SubtitleListDocument(
                token: token, tracks: tracks, server: request.address(orOf: ""))
            return Response(json: list.json)
        case .subtitles(let wanted, let format):
            guard let found = try media.reader.captions.subtitles(token, wanted) else {
                return try noTrack(token, wanted)
            }
            guard let part = SubtitlePart(QueryItems(request.query)) else {
                return Problem(
                    status: .badRequest, type: "invalid-query",
                    detail: "`t` must be a start, or a start and a later end: `6`, `6,10`, `1:15,1:20`.",
                    token: token
                ).response
            }
            let bytes = format.bytes(of: part.of(found.track), picture: found.picture)
            return answer(
                request, token, found: found, bytes: bytes, type: format.rawValue, key: key,
                isFinal: found.isComplete)
        case .subtitlePlaylist(let track):
            guard let found = try media.reader.captions.subtitles(token, track),
                let bytes = try playlist(of: found, token, QueryItems(request.query))
            else { return try noTrack(token, track) }
            return answer(request, token, found: found, bytes: bytes, type: "m3u8", key: key, isFinal: true)
        case .subtitleFrame(let wanted): return try frame(request, token, wanted: wanted)
        default: return media.missing(token)
        }
    }

    /// The playlist of a track as that of the media is seen with the same query.
    private func playlist(
        of track: AssetSubtitles, _ token: AssetToken, _ query: QueryItems
    ) throws(StoreError) -> [UInt8]? {
        guard query.isAvailableOnly else { return track.playlist(query.liveView) }
        return try media.reader.playlists.availablePlaylist(of: track, token)
    }

    /// How many tracks are shown in one picture at most.
    private static let shownTracks = 4

    /// A picture of a track, together with the tracks that `lang` names.
    private func frame(
        _ request: Request, _ token: AssetToken, wanted: String
    ) throws(StoreError) -> Response {
        let others = QueryItems(request.query)["lang"]?.split(separator: ",").map(String.init) ?? []
        var tracks: [AssetSubtitles] = []
        for name in ([wanted] + others).prefix(Self.shownTracks) {
            guard let found = try media.reader.captions.subtitles(token, name) else {
                return try noTrack(token, name)
            }
            let isNew = !tracks.contains { $0.rendition.name == found.rendition.name }
            if isNew { tracks.append(found) }
        }
        return FrameResponder(media: media).load(request, token, tracks: tracks)
    }

    /// How often a segment is looked at again after more of its sources has come.
    private static let looks = 3

    /// Answers a request for a segment of a track's playlist. Its stored segments are fetched like media if they are
    /// missing.
    func segmentResponse(
        _ request: Request, _ token: AssetToken, track: String, number: Int, key: String
    ) async -> Response {
        let deadline = media.headDeadline
        await media.untilResolved(token)
        var mayFetch = true
        for _ in 0..<Self.looks {
            switch look(request, token, track: track, number: number, key: key) {
            case .response(let response): return response
            case .missing(let units):
                // The units may have been stored in the meantime.
                if units.isEmpty { continue }
                guard mayFetch else { return Self.notNow(token) }
                let isFetched = await media.patient(until: deadline).patiently {
                    await media.store.media.fetch(units, counts: !request.isHead)
                }
                mayFetch = isFetched ?? false
            }
        }
        return Self.notNow(token)
    }

    private enum Look: Sendable {
        case response(Response)
        case missing([AbsentUnit])
    }

    private func look(
        _ request: Request, _ token: AssetToken, track: String, number: Int, key: String
    ) -> Look {
        do throws(StoreError) {
            let resource = AssetResource.subtitleSegment(track, number)
            if let refusal = try media.refusal(token, resource) {
                return .response(refusal.problem(token).response)
            }
            guard let found = try media.reader.captions.subtitles(token, track) else {
                return .response(try noTrack(token, track))
            }
            switch found.segment(number) {
            case .made(let bytes, let isFinal):
                return .response(
                    answer(
                        request, token, found: found, bytes: bytes, type: "vtt", key: key, isFinal: isFinal))
            case .missing:
                return .missing(try media.reader.captions.missingSources(of: found, segment: number, token))
            case .unknown: return .response(media.missing(token))
            }
        } catch {
            return .response(error.mediaProblem(token).response)
        }
    }

    private static func notNow(_ token: AssetToken) -> Response {
        Problem(
            status: .serviceUnavailable, type: "segment-missing",
            detail: "The subtitles of this part are not stored yet.", token: token, retryAfter: 2
        ).response
    }

    /// - Parameter isFinal: whether the content is final; growing content is not cached.
    private func answer(
        _ request: Request, _ token: AssetToken, found: AssetSubtitles, bytes: [UInt8], type: String,
        key: String, isFinal: Bool
    ) -> Response {
        let tag = "\(found.revision)-\(ContentTag.of(bytes))"
        let content = CachedMedia(
            token: token,
            representation: Representation(size: UInt64(bytes.count), entityTag: EntityTag(strong: tag)),
            headers: media.headers(isFinal ? .revalidate : .none, type: MediaType.of(extension: type)),
            body: .bytes(bytes))
        if isFinal { media.cache.store(content, under: key) }
        return content.response(to: request)
    }

    private func noTrack(_ token: AssetToken, _ wanted: String) throws(StoreError) -> Response {
        if let response = try media.unresolvedResponse(token) { return response }
        guard let tracks = try media.reader.captions.subtitleRenditions(token) else {
            return media.missing(token)
        }
        return Problem.notFound(SubtitleListDocument.noTrack(wanted, among: tracks), token: token).response
    }
}
