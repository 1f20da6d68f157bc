internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `add-tracks`: more renditions of an asset.
struct AddTracks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-tracks",
        abstract: "Add audio, subtitles, variants or I-frames to an asset; only the difference is fetched.",
        discussion: """
            The token and the address stay, and what is stored is served meanwhile. Name what to add: \
            --audio fr, --subtitles all, --max-height 480, --trick-play, --subtitle-file film.srt:de.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var strictness: StrictOption

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Option(
        help: ArgumentHelp(
            "A subtitle file beside the stream, on the stream's clock: WebVTT, SubRip, ASS or TTML; may be repeated.",
            valueName: "file|url:lang"))
    var subtitleFile: [String] = []

    @Flag(help: "Return as soon as the tracks are queued; the store's server fetches them.")
    var detach = false

    func validate() throws {
        try SubtitleFileArgument.check(subtitleFile)
        guard !selection.selection.isAutomatic || !subtitleFile.isEmpty else {
            throw ValidationError("Name what to add: --audio, --subtitles, --max-height, --subtitle-file….")
        }
    }

    func run() async throws {
        let token = try TokenArgument.sole(token)
        try global.reader().requireProgress(of: token)
        let body = TracksBody(
            selection.selection, subtitleFiles: SubtitleFileArgument.sources(subtitleFile),
            isStrict: strictness.strict)
        let session = try await EngineSession.open(global)
        let isThere = try await session.closing { try await add(body, to: token, in: session) }
        if !isThere { throw CommandFailure(message: nil) }
    }

    /// Returns whether everything is there, or left to the server.
    private func add(_ body: TracksBody, to token: AssetToken, in session: EngineSession) async throws -> Bool
    {
        let source = try session.reader().requireProgress(of: token).sourceURL
        let (added, lost) = try await global.notingPatience(with: source) {
            try await session.change(body, of: token)
        }
        for reason in lost { Console.note("left out: \(reason)") }
        global.note(
            added.isEmpty
                ? "nothing to add: the asset has all of these tracks"
                : "added \(added.joined(separator: ", "))")
        let reader = try session.reader()
        if !global.json { StrictOption.tell(try reader.requireProgress(of: token).leftOut, global) }
        guard !detach, try reader.requireProgress(of: token).state != .paused else {
            if global.json {
                let asset = try reader.requireAsset(token, isListed: true)
                Console.result(AssetDocument(asset: asset, server: session.url).json.text)
            }
            return true
        }
        return try await DownloadProgress(session: session, global: global).follow([token])
    }
}

/// `remove-tracks`: fewer renditions of an asset.
struct RemoveTracks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-tracks",
        abstract: "Remove renditions from an asset and free their bytes; the main rendition stays.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("Renditions, as `tracks` names them.", valueName: "rendition"))
    var renditions: [String]

    func run() async throws {
        let token = try TokenArgument.sole(token)
        try global.reader().requireProgress(of: token)
        let session = try await EngineSession.open(global, startsDownloads: false)
        try await session.closing {
            _ = try await session.change(TracksBody(removing: renditions), of: token)
        }
        let reader = try global.reader()
        let asset = try reader.requireAsset(token, isListed: true)
        guard !global.json else {
            return Console.result(AssetDocument(asset: asset, server: reader.engine?.url).json.text)
        }
        global.note(
            "removed \(renditions.joined(separator: ", ")); \(RenditionSummary.text(asset.renditions))")
    }
}

/// The values of `--subtitle-file`.
enum SubtitleFileArgument {
    static func check(_ items: [String]) throws {
        for item in items where SubtitleSource(argument: item) == nil {
            throw ValidationError("--subtitle-file wants FILE:LANG or URL:LANG, such as film.srt:de.")
        }
    }

    /// Paths are made absolute: a server that does the work has another working folder.
    static func sources(_ items: [String]) -> [SubtitleSource] {
        items.compactMap(SubtitleSource.init).map { file in
            var file = file
            if !file.source.contains("://") { file.source = URL(fileURLWithPath: file.source).path }
            return file
        }
    }
}
