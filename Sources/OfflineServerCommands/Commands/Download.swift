internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `download`: makes assets and downloads them.
struct Download: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download streams; each is playable from the moment its URL is printed.",
        discussion: """
            With a TOKEN the command goes on with an interrupted asset, as it was requested. A \
            server that runs on the store does the work; without one, this command serves the store \
            itself until it is done. Several streams are queued at once; the playlists of each are read when \
            its turn comes.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var license: LicenseOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var transfer: TransferOptions

    @OptionGroup var list: ListOptions
    @OptionGroup var strictness: StrictOption
    @OptionGroup var model: LikeOption

    @Option(help: "A name for people (default: the stream's own title, or from the URL).")
    var name: String?

    @Option(
        name: .customLong("meta"),
        help: ArgumentHelp("A property of your own; may be repeated.", valueName: "key=value"))
    var meta: [String] = []

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag; may be repeated. tag:WORD then stands for the asset.", valueName: "word"))
    var tags: [String] = []

    @Option(help: ArgumentHelp("A picture for the asset.", valueName: "file|url"))
    var artwork: String?

    @Option(
        help: ArgumentHelp(
            "A subtitle file beside the stream, on the stream's clock: WebVTT, SubRip, ASS or TTML; may be repeated.",
            valueName: "file|url:lang"))
    var subtitleFile: [String] = []

    @Option(
        help: ArgumentHelp(
            "Interstitials, such as advertisements: keep stores their assets, drop leaves them out (default).",
            valueName: "keep|drop"))
    var interstitials: Interstitials?

    enum Interstitials: String, ExpressibleByArgument, CaseIterable {
        case keep, drop
    }

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var live: LiveOptions
    @OptionGroup var part: PartOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Priority in the queue: the highest goes first (default: 0; -1 goes after the others).",
            valueName: "n"))
    var priority: Int?

    @Option(
        help: ArgumentHelp("Times of day for this download, such as 22:00-06:00.", valueName: "times")
    )
    var schedule: ScheduleArgument?

    @Flag(help: "Return as soon as the asset is queued; the store's server downloads it.")
    var detach = false

    @Flag(help: "Download media even if their keys can't be fetched; add the keys later (key add).")
    var allowMissingKey = false

    @Flag(help: "Show what would be downloaded, and download nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try SubtitleFileArgument.check(subtitleFile)
        guard name.map(AssetName.isName) != false else { throw ValidationError(AssetName.rule) }
        guard !live.live || (part.from == nil && part.to == nil) else {
            throw ValidationError(
                "--from and --to do not apply to a recording; use --duration.")
        }
        try output.check(isDetached: detach || dryRun)
        for item in meta where !item.contains("=") { throw ValidationError("--meta wants KEY=VALUE.") }
        guard tags.allSatisfy(AssetTag.isTag) else {
            throw ValidationError("--tag wants 1 to 64 characters without commas.")
        }
    }

    func run() async throws {
        let items = try list.all()
        try output.check(streams: items.count)
        try output.checkProgram()
        let describesNew = try describesNew
        if describesNew, !dryRun, items.contains(where: { $0.place == nil && $0.token != nil }) {
            throw ValidationError(Self.optionsWithToken)
        }
        let (wanted, isWhole) = try judged(items, describesNew: describesNew)
        if dryRun {
            try await showPreviews(of: wanted)
        } else if !wanted.isEmpty {
            let session = try await EngineSession.open(global)
            let isComplete = try await session.closing { try await run(wanted, in: session) }
            if !isComplete { throw CommandFailure(message: nil) }
        }
        if !isWhole { throw CommandFailure(message: nil) }
    }

    /// An address or an asset to download.
    private enum Wanted {
        case token(AssetToken)
        case request(AssetRequest)

        var token: AssetToken? { if case .token(let token) = self { token } else { nil } }
        var request: AssetRequest? { if case .request(let request) = self { request } else { nil } }
    }

    /// The downloads that can be carried out, and whether these are all. A line of a list with an error is reported
    /// with its number; the other lines are carried out.
    private func judged(
        _ items: [ListedDownload], describesNew: Bool
    ) throws -> (wanted: [Wanted], isWhole: Bool) {
        let usual = try request("")
        var reader: StoreReader?
        var (wanted, isWhole): ([Wanted], Bool) = ([], true)
        for item in items {
            do {
                if let token = item.token {
                    try item.named {
                        let known = try reader ?? global.reader()
                        reader = known
                        try known.requireProgress(of: token)
                    }
                    if describesNew, !dryRun { throw item.failure(Self.optionsWithToken) }
                    wanted.append(.token(token))
                } else {
                    wanted.append(.request(try item.request(usual)))
                }
            } catch let failure as CommandFailure where item.place != nil {
                failure.tell(asJSON: global.json)
                isWhole = false
            }
        }
        return (wanted, isWhole)
    }

    /// Whether an option was given that applies to new assets only.
    private var describesNew: Bool {
        get throws {
            try request("") != AssetRequest(url: "") || license.given != nil || priority != nil
                || list.next != nil
        }
    }

    private static let optionsWithToken = """
        A TOKEN goes on with an asset as it was requested, and takes only --input, --detach, --accept-changes and --output. To change \
        an asset, use add-tracks (renditions and subtitles), license renew (terms), prioritize (priority) or \
        PATCH /api/v1/assets/TOKEN (name, metadata, rate limit and schedule). For anything else, remove it and download its \
        URL again.
        """

    /// Returns whether all downloads are complete.
    private func run(_ wanted: [Wanted], in session: EngineSession) async throws -> Bool {
        var tokens = try await goOn(with: wanted.compactMap(\.token), in: session)
        var new = wanted.compactMap(\.request)
        if output.output != nil, let request = new.first,
            let token = try session.reader().unfinished(by: request)
        {
            global.note("going on with \(token), which the same command began")
            tokens = try await goOn(with: [token], in: session)
            new = []
        }
        var isUnread = new.count > 1
        var interruption: Interruption?
        if new.count == 1, list.next == nil, let request = new.first {
            let reading = await Interruption(session.interrupted(reading: request.url), asJSON: global.json)
            interruption = reading
            let added = try await begin(request, in: session, reading)
            tokens.append(added.token)
            isUnread = added.trouble != nil
        } else if !new.isEmpty {
            tokens += try await enqueue(new, in: session)
        }
        if detach {
            if !session.isOther {
                global.note("no server runs on this store; `offline-server serve` downloads it")
            }
            return true
        }
        let progress = DownloadProgress(
            session: session, global: global, showsChoice: isUnread, output: output, former: interruption
        )
        let isComplete = try await progress.follow(tokens)
        // Another command may have handed its download over in the meantime.
        var others = Set(session.accepted).subtracting(tokens)
        while let other = others.popFirst() {
            global.note("going on with a download that another command has requested: \(other)")
            _ = try await progress.follow([other])
            tokens.append(other)
            others = Set(session.accepted).subtracting(tokens)
        }
        if isComplete, try await output.write(tokens, in: session, global) { return true }
        if isComplete, !session.isOther { try suggest(tokens, session) }
        return isComplete
    }

    /// Suggests `serve`, since no server runs after this command.
    private func suggest(_ tokens: [AssetToken], _ session: EngineSession) throws {
        guard !global.json, let token = tokens.first,
            try session.reader().requireProgress(of: token).license.state != .missing
        else { return }
        global.note(
            tokens.count > 1
                ? "`offline-server serve` serves them to players"
                : "`offline-server play \(token)` plays it, `offline-server serve` serves it to any player")
    }

    private func goOn(with tokens: [AssetToken], in session: EngineSession) async throws -> [AssetToken] {
        for token in tokens {
            if try session.reader().isUnresolved(token) {
                // No media are there yet for a preview.
                _ = try await session.perform(.resume, on: [token], purge: false)
                try await session.release([token])
            } else {
                try await session.repair(
                    token, isReading: false, acceptsChanges: changes.acceptChanges)
            }
            try announce(token, in: session)
        }
        return tokens
    }

    private func begin(
        _ request: AssetRequest, in session: EngineSession, _ interruption: Interruption
    ) async throws -> AddedAsset {
        let added = try await global.notingPatience(with: request.url) { try await session.add(request) }
        interruption.tell { [session, output] in session.interrupted(added.token, into: output) }
        let token = added.token
        do { try output.check(session.reader().requireProgress(of: token).renditions) } catch {
            _ = try await session.perform(.remove, on: [token], purge: true)
            throw error
        }
        try announce(token, added.existing, in: session)
        if let trouble = added.trouble { global.note("\(trouble); \(nextTry(of: token, session))") }
        if !detach || session.isOther { try await session.release([token]) }
        return added
    }

    /// The time of the next try to read a stream whose origin is busy.
    private func nextTry(of token: AssetToken, _ session: EngineSession) -> String {
        guard detach else { return "it is tried again by itself" }
        return session.isOther
            ? "the server tries it again, `offline-server status \(token)` shows when"
            : "the next server of the store tries it again"
    }

    /// Several assets are entered at once and resolved one after the other.
    private func enqueue(_ requests: [AssetRequest], in session: EngineSession) async throws -> [AssetToken] {
        let enqueued = try await session.enqueue(requests, next: list.next)
        let server = session.playerAddress
        if enqueued.tokens.isEmpty {
            global.note("nothing to download: \(nothingNew(requests.count))")
        }
        for token in enqueued.tokens {
            let entry = AssetEntry(token: token, server: server, existing: enqueued.existing[token])
            Console.result(global.json ? entry.json.text : "\(token) \(entry.playlistURL)")
        }
        if !global.json,
            let notice = ExistingAsset.notice(
                enqueued.existing, among: enqueued.tokens.count,
                older: { try? session.reader().progress(of: $0) })
        {
            global.note(notice)
        }
        if !detach || session.isOther { try await session.release(enqueued.tokens) }
        return enqueued.tokens
    }

    /// Says why no stream of the request was entered.
    ///
    /// - Parameter count: the number of streams that were requested.
    private func nothingNew(_ count: Int) -> String {
        guard count > 1 else { return "the stream was requested before" }
        let all = "all \(count) streams were requested before"
        guard let next = list.next, next < count else { return all }
        let verb = next == 1 ? "is" : "are"
        return "\(next) of the \(count) streams \(verb) stored or being downloaded, or \(all)"
    }

    private func request(_ url: String) throws -> AssetRequest {
        var request = AssetRequest(url: url)
        request.name = name
        request.selection = part.apply(to: selection.selection)
        request.selection.recording = live.recording
        request.selection.interstitials = interstitials.flatMap { InterstitialChoice(rawValue: $0.rawValue) }
        request.access = try access.access()
        request.priority = priority ?? 0
        transfer.apply(to: &request)
        request.schedule = schedule?.schedule
        request.license = license.given ?? LicenseTerms()
        request.allowsMissingKeys = allowMissingKey
        request.isStrict = strictness.strict ? true : nil
        request.artwork = artwork.map { $0.contains("://") ? $0 : URL(fileURLWithPath: $0).path }
        request.subtitleFiles = SubtitleFileArgument.sources(subtitleFile)
        for item in meta {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            request.meta[String(parts[0])] = String(parts[1])
        }
        request.tags = tags.isEmpty ? nil : tags
        return try model.apply(to: request, license: license.given, global)
    }

    /// The token and the address come before any byte of media.
    private func announce(
        _ token: AssetToken, _ existing: AssetToken? = nil, in session: EngineSession
    ) throws {
        let asset = try session.reader().requireProgress(of: token)
        let document = AssetDocument(asset: asset, server: session.playerAddress)
        if global.json {
            let line: JSONValue = [
                "token": .string(token.description), "playlist_url": .string(document.playlistURL),
                "name": .string(asset.name), "duration": JSONValue(asset.duration),
                "renditions": .array(asset.renditions.map(AssetDocument.json)),
                "lost": document.lost,
            ]
            let more = [ExistingAsset.member(existing), AssetDocument.leftOut(asset.leftOut)]
            return Console.result(line.adding(more).text)
        }
        if let existing {
            let older = try session.reader().progress(of: existing)
            global.note(ExistingAsset.notice(existing, older, beside: token))
        }
        for stream in asset.lost { Console.note("left out: \(stream.sentence)") }
        StrictOption.tell(asset.leftOut, global)
        if !asset.renditions.isEmpty { global.note(RenditionSummary.text(asset.renditions)) }
        Console.result("\(token) \(document.playlistURL)")
    }

    private func showPreviews(of wanted: [Wanted]) async throws {
        // A preview shows new downloads only, not the missing units of an asset.
        guard !wanted.contains(where: { $0.token != nil }) else {
            throw ValidationError(
                "--dry-run wants addresses; `offline-server status TOKEN` shows what an asset lacks.")
        }
        for request in wanted.compactMap(\.request) {
            let inspector = try StreamInspector(
                url: request.url, access: request.access, store: global.root, onRetry: global.onRetry)
            let preview = try await inspector.preview(
                request.selection, license: request.license, allowsMissingKeys: request.allowsMissingKeys,
                isStrict: request.isStrict ?? false)
            await inspector.close()
            PreviewReport(preview).show(json: global.json)
        }
    }
}
