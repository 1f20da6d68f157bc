internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import SidebandSubtitles

/// Answers requests for subtitle tracks: their list, whole tracks, and tracks cut along the video.
///
/// A whole track has the times of the presentation and no timestamp map, as players want it beside a stream. The
/// segments have the map, which they need within one.
struct SubtitleResponder: Sendable {
    let media: MediaResponder

    /// - Parameter key: what the answer is kept under.
    func load(
        _ request: Request, _ token: AssetToken, _ resource: AssetResource, _ key: String
    ) throws(StoreError) -> Response {
        switch resource {
        case .subtitleList:
            guard let tracks = try media.reader.subtitleRenditions(token) else { return media.missing(token) }
            let server = request.authority.map { "http://\($0)" } ?? ""
            return Response(json: SubtitleListDocument(token: token, tracks: tracks, server: server).json)
        case .subtitles(let wanted, let format):
            guard let found = try media.reader.subtitles(token, wanted) else {
                return try noTrack(token, wanted)
            }
            let bytes = format.bytes(of: found.track, picture: found.picture)
            return answer(request, token, found, bytes, type: format.rawValue, key, isFinal: found.isComplete)
        case .subtitlePlaylist(let track):
            guard let found = try media.reader.subtitles(token, track), let bytes = found.playlist else {
                return try noTrack(token, track)
            }
            return answer(request, token, found, bytes, type: "m3u8", key, isFinal: true)
        case .subtitleSegment(let track, let number):
            return try segment(request, token, track, number, key)
        case .subtitleFrame(let wanted):
            guard let found = try media.reader.subtitles(token, wanted) else {
                return try noTrack(token, wanted)
            }
            return FrameResponder(media: media).load(request, token, found)
        default: return media.missing(token)
        }
    }

    private func segment(
        _ request: Request, _ token: AssetToken, _ track: String, _ number: Int, _ key: String
    ) throws(StoreError) -> Response {
        guard let found = try media.reader.subtitles(token, track) else { return try noTrack(token, track) }
        switch found.segment(number) {
        case .made(let bytes, let isFinal):
            return answer(request, token, found, bytes, type: "vtt", key, isFinal: isFinal)
        case .missing:
            return Problem(
                status: .serviceUnavailable, type: "segment-missing",
                detail: "The subtitles of this part are not stored yet.", token: token, retryAfter: 2
            ).response
        case .unknown: return media.missing(token)
        }
    }

    /// - Parameter isFinal: whether it stays as it is; what is still growing is not to be kept.
    private func answer(
        _ request: Request, _ token: AssetToken, _ found: AssetSubtitles, _ bytes: [UInt8], type: String,
        _ key: String, isFinal: Bool
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
        guard let tracks = try media.reader.subtitleRenditions(token) else { return media.missing(token) }
        return Problem.notFound(SubtitleListDocument.noTrack(wanted, among: tracks), token: token).response
    }
}
