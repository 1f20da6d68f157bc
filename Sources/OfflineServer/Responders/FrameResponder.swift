internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
package import SidebandSubtitles
internal import SubtitleRaster

/// Answers requests for pictures of subtitles: `frame.png?at=12.5&width=1280&height=720&lang=de,ja`.
struct FrameResponder: Sendable {
    let media: MediaResponder

    /// The largest picture that is painted.
    static let largest = (width: 3840, height: 2160)

    /// The picture of some tracks, one or more.
    func load(_ request: Request, _ token: AssetToken, tracks: [AssetSubtitles]) -> Response {
        let query = QueryItems(request.query)
        guard let time = query["at"].flatMap(PlaybackTime.init) else {
            return refused("`at` must be a time: seconds, or hours:minutes:seconds.", token)
        }
        guard let size = FrameResponder.size(query, tracks.first?.picture ?? PictureSize()) else {
            return refused(
                "`width` and `height` must be within \(FrameSize.range.lowerBound) and "
                    + "\(FrameResponder.largest.width) × \(FrameResponder.largest.height).", token)
        }
        do throws(SubtitleFrames.Refusal) {
            let picture = try media.frames.picture(tracks, of: token, size: size, at: time.time)
            let representation = Representation(
                size: UInt64(picture.png.count), entityTag: EntityTag(strong: picture.tag))
            let headers = media.headers(
                tracks.allSatisfy(\.isComplete) ? .revalidate : .none, type: "image/png")
            return representation.response(to: request, headers: headers, now: .now) { range in
                .bytes(FrameResponder.part(picture.png, range))
            }
        } catch {
            return error.problem(token).response
        }
    }

    private static func part(_ bytes: [UInt8], _ range: Range<UInt64>?) -> [UInt8] {
        range.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) } ?? bytes
    }

    /// The requested size. A missing side follows from the other one and the video's aspect ratio.
    static func size(_ query: QueryItems, _ picture: PictureSize) -> FrameSize? {
        let given = (query["width"], query["height"])
        let shape = Double(picture.width) / Double(picture.height)
        var (width, height) = (given.0.flatMap { Int($0) }, given.1.flatMap { Int($0) })
        if given.0 == nil {
            width = given.1 == nil ? picture.width : height.flatMap { side(Double($0) * shape) }
        }
        if given.1 == nil {
            height = given.0 == nil ? picture.height : width.flatMap { side(Double($0) / shape) }
        }
        guard let width, let height, width <= largest.width, height <= largest.height else { return nil }
        return FrameSize(width: width, height: height)
    }

    private static func side(_ value: Double) -> Int? {
        value.isFinite && abs(value) < 1e6 ? Int(value.rounded()) : nil
    }

    private func refused(_ detail: String, _ token: AssetToken) -> Response {
        Problem(status: .badRequest, type: "invalid-query", detail: detail, token: token).response
    }
}

extension SubtitleFrames.Refusal {
    fileprivate func problem(_ token: AssetToken) -> Problem {
        switch self {
        case .busy:
            Problem(
                status: .serviceUnavailable, type: "busy",
                detail: "Too many pictures are being drawn at once; ask again in a moment.",
                token: token, retryAfter: 1)
        case .failed(let error):
            Problem(status: .notImplemented, type: "raster", detail: error.description + ".", token: token)
        }
    }
}

/// A place in a presentation as a user writes it: `75.5`, `1:15.5`, `0:01:15.500`.
package struct PlaybackTime: Equatable {
    package var time: CueTime

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy(PlaybackTime.isNumber) else { return nil }
        let seconds = parts.reduce(0.0) { $0 * 60 + (Double($1) ?? 0) }
        guard seconds <= 1e9 else { return nil }
        time = CueTime(seconds: seconds)
    }

    /// Digits with at most one dot among them.
    private static func isNumber(_ text: Substring) -> Bool {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }.count
        let dots = text.utf8.filter { $0 == 0x2E }.count
        return digits > 0 && dots <= 1 && digits + dots == text.utf8.count
    }
}
