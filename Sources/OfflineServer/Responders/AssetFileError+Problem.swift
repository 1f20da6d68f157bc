internal import APIDocuments
internal import AssetFiles
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import MediaContainers

extension AssetFileError {
    /// The error as a response to a player.
    func problem(_ token: AssetToken) -> Problem {
        switch self {
        case .incomplete(let rendition, let completion):
            conflict(
                "incomplete", Self.sentence(rendition, completion, token), token: token, rendition: rendition)
        case .nothingStored(let rendition, let completion):
            conflict(
                "incomplete",
                "No segment of the playlist \(rendition) is there with all that it needs; \((completion == .repairable ? Remedy.repair : .resume)(token)) fetches the rest.",
                token: token, rendition: rendition)
        case .gap(let rendition, let time):
            conflict(
                "gap",
                "The playlist \(rendition) has no media at \(time.clockText), since its origin had none; ?gaps=skip (`--skip-gaps`) skips that time.",
                token: token, rendition: rendition)
        case .unreadable(let rendition, let segment, let reason):
            conflict(
                "unreadable",
                "Segment \(segment) of the playlist \(rendition) can't be put into such a file: \(reason.clause)\(reason.advice(token)).",
                token: token, rendition: rendition)
        case .codecChanges(let rendition, let time, let from, let to, let segment):
            conflict(
                "codec-changes",
                "The playlist \(rendition) changes from \(from) to \(to) \(Self.change(at: time, within: segment, token)).",
                token: token, rendition: rendition)
        case .changed(let rendition, let segment):
            conflict(
                "changed",
                "Segment \(segment) of the playlist \(rendition) is gone, or differs from what was stored; \(Remedy.repair(token)) fetches it again.",
                token: token, rendition: rendition)
        case .unsupportedCodec(let rendition, let codec, let format):
            conflict(
                "unsupported-codec",
                "The playlist \(rendition) has the codec \(codec), which this program can't write into \(format.container); an .mp4 file (video.mp4) can hold it.",
                token: token, rendition: rendition)
        case .tooLarge:
            conflict(
                "too-large", "The asset has more samples than one file may have.", token: token,
                rendition: nil)
        case .noSuchTrack(let name): noSuchTrack(name, token)
        case .noSuchPart(let part, let count): noSuchPart(part, of: count, token)
        case .nothingFor(let format):
            Problem(
                status: .notFound, type: "nothing",
                detail: "The asset has no track for \(format.fileName).", token: token)
        case .store(let error): error.mediaProblem(token)
        }
    }

    private static func sentence(
        _ rendition: String, _ completion: Completion, _ token: AssetToken
    ) -> String {
        switch completion {
        case .arriving:
            "Not all of the playlist \(rendition) is stored yet, and a file or DASH manifest needs all of it; \(Remedy.lookAtAsset(token)) shows how far its download is, or what it waits for."
        case .resumable:
            "Not all of the playlist \(rendition) is stored, and a file or DASH manifest needs all of it; \(Remedy.resume(token)) fetches the rest, and ?gaps=skip (`--skip-gaps`) makes a file of what is there."
        case .repairable:
            "Segments of the playlist \(rendition) are lost, and a file or DASH manifest needs all of them; \(Remedy.repair(token)) fetches them again, and ?gaps=skip (`--skip-gaps`) makes a file without them."
        }
    }

    private func noSuchTrack(_ name: String, _ token: AssetToken) -> Problem {
        Problem(
            status: .notFound, type: "no-such-track",
            detail:
                "The asset has no track \(name); \(Remedy.lookAtTracks(token)) lists those that it has.",
            token: token)
    }

    private func noSuchPart(_ part: Int, of count: Int, _ token: AssetToken) -> Problem {
        Problem(
            status: .notFound, type: "no-such-part",
            detail:
                "There is no part \(part) of the asset: by the codecs of its discontinuities it has \(count).",
            token: token, more: [("parts", JSONValue(count))])
    }

    private static func change(at time: Double, within segment: Int?, _ token: AssetToken) -> String {
        guard let segment else {
            return "at \(time.clockText), but a track of a file has one codec; "
                + "\(Remedy.exportParts(token)) writes a file for each stretch (?part=1, ?part=2 and so on)"
        }
        return "within segment \(segment), but a track of a file has one codec; "
            + "no file can hold that segment, but players can play the playlist"
    }

    private func conflict(
        _ type: String, _ detail: String, token: AssetToken, rendition: String?
    ) -> Problem {
        Problem(
            status: .conflict, type: type, detail: detail, token: token,
            more: rendition.map { [("rendition", .string($0))] } ?? [])
    }
}

extension AssetFileFormat {
    /// The container in words.
    fileprivate var container: String {
        switch self {
        case .mp4, .m4a: "MP4"
        case .ts: "a transport stream"
        }
    }
}

extension SampleError {
    /// The way to a file all the same, as the rest of a sentence.
    fileprivate func advice(_ token: AssetToken) -> String {
        if case .unsupportedCodec = self { "; \(Remedy.exportStream(token)) keeps it as it is" } else { "" }
    }

    /// The reason as a clause.
    fileprivate var clause: String {
        switch self {
        case .unknownContainer: "its container is not known"
        case .malformed(_, let reason): "it is malformed (\(reason))"
        case .unsupportedCodec(let codec): "its \(codec) can't be written into MP4 here"
        case .encrypted: "it is encrypted, and the key for it is not here"
        case .lacksConfiguration: "its codec is not known"
        case .tooLarge: "it is larger than a segment may be"
        }
    }
}

extension Double {
    /// A time such as `1:02:03.5`.
    fileprivate var clockText: String {
        let whole = Int(self)
        let parts = [whole / 3600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }
}
