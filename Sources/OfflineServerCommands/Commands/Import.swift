internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SystemPackage

/// `import`: a plain HLS folder becomes an asset.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make an asset of a plain HLS folder, or of a playlist file and its media.",
        discussion: """
            A picture, a web page or a compression around media is removed and reported. Media that no \
            player can decode are copied unchanged and reported (exit 2).
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions

    @Argument(
        help: ArgumentHelp("A folder with a master.m3u8, or a playlist file.", valueName: "dir|file.m3u8"))
    var path: String

    @Option(help: "A name for people (default: the folder's).")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A subtitle file beside the stream: WebVTT, SubRip, ASS or TTML; may be repeated.",
            valueName: "file|url:lang"))
    var subtitleFile: [String] = []

    func validate() throws {
        try SubtitleFileArgument.check(subtitleFile)
        guard !StoreError.hasHTTPScheme(path) else {
            throw ValidationError(
                "It takes a folder or a playlist file; `offline-server download` takes a URL.")
        }
        guard name.map(AssetName.isName) != false else { throw ValidationError(AssetName.rule) }
    }

    func run() async throws {
        let session = try await EngineSession.open(global, startsDownloads: false)
        let interruption = await Interruption(session.interrupted(importing: path), asJSON: global.json)
        defer { interruption.end() }
        let url = session.url
        let (asset, lost) = try await session.closing {
            let (token, lost) = try await imported(in: session)
            return (try session.reader().requireAsset(token, isListed: true), lost)
        }
        if global.json {
            let document = AssetDocument(asset: asset, server: url).json
            Console.result(document.text)
        } else {
            for reason in lost { Console.note("left out: \(reason)") }
            let (length, size) = (HumanUnits.duration(asset.duration), HumanUnits.bytes(asset.storedBytes))
            global.note("imported: \(asset.name), \(length), \(size)\(HealthReport.suffix(asset))")
            for rendition in asset.renditions {
                guard let disguise = rendition.disguise else { continue }
                Console.note("\(rendition.name): \(disguise) taken off")
            }
            for line in HealthReport.lines(asset, except: [.renditionLost]) { Console.note(line) }
            Console.result(asset.token.description)
        }
        if asset.health.level == .damaged { throw CommandFailure(message: nil, status: CommandFailure.no) }
    }

    /// The new asset with the subtitles of its options. If the subtitles can't be added, no asset is made.
    private func imported(in session: EngineSession) async throws -> (AssetToken, lost: [String]) {
        let place = FilePath(path)
        let absolute = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        var wanted = selection.selection
        if wanted == Selection() { wanted = .everything }
        let (token, lost) = try await session.importing(absolute, name: name, selection: wanted)
        guard !subtitleFile.isEmpty else { return (token, lost) }
        let files = TracksBody(Selection(), subtitleFiles: SubtitleFileArgument.sources(subtitleFile))
        do {
            _ = try await session.change(files, of: token)
        } catch {
            _ = try await session.perform(.remove, on: [token], purge: true)
            throw error
        }
        return (token, lost)
    }
}
