internal import ArgumentParser
internal import AssetStore
internal import Foundation

/// `download`: makes assets and downloads them.
struct Download: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download streams; each is playable from the moment its URL is printed.",
        discussion: """
            A TOKEN goes on with an asset that was interrupted, as it was asked for. When a server runs on the \
            store, it does the work; else this command serves the store itself until it is done. Of several \
            streams, each is looked into when its turn comes.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var license: LicenseOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var transfer: TransferOptions

    @OptionGroup var list: ListOptions

    @Option(help: "A name for people (default: the stream's own title, or from the URL).")
    var name: String?

    @Option(
        name: .customLong("meta"),
        help: ArgumentHelp("A property of your own; may be repeated.", valueName: "key=value"))
    var meta: [String] = []

    @Option(help: ArgumentHelp("A picture for the asset.", valueName: "file|url"))
    var artwork: String?

    @Option(
        help: ArgumentHelp(
            "Subtitles that are no part of the stream, in its times: WebVTT, SubRip, ASS or TTML; may be repeated.",
            valueName: "file|url:lang"))
    var subtitleFile: [String] = []

    @Option(
        help: ArgumentHelp(
            "Interstitials, such as advertisements: keep stores their assets, too; drop leaves them out (default).",
            valueName: "keep|drop"))
    var interstitials: Interstitials?

    enum Interstitials: String, ExpressibleByArgument, CaseIterable {
        case keep, drop
    }

    @OptionGroup var live: LiveOptions
    @OptionGroup var part: PartOptions

    @Option(help: ArgumentHelp("Higher goes first (default: 0).", valueName: "n"))
    var priority: Int?

    @Option(
        help: ArgumentHelp("Times of day at which it is downloaded, such as 22:00-06:00.", valueName: "times")
    )
    var schedule: ScheduleArgument?

    @Flag(help: "Return as soon as the asset is there; the store's server downloads it.")
    var detach = false

    @Flag(help: "Take the media even when their keys can't be had; a key can be added later.")
    var allowMissingKey = false

    @Flag(help: "Show what would be downloaded, and download nothing.")
    var dryRun = false

    func validate() throws {
        try SubtitleFileArgument.check(subtitleFile)
        guard !live.live || (part.from == nil && part.to == nil) else {
            throw ValidationError(
                "--from and --to take a part of what has an end; a recording has --duration.")
        }
        for item in meta where !item.contains("=") { throw ValidationError("--meta wants KEY=VALUE.") }
    }

    func run() async throws {
        let wanted = try list.all()
        if dryRun { return try await showPreviews(of: wanted) }
        if try describesNew && wanted.contains(where: { AssetToken($0) != nil }) {
            throw ValidationError(Self.optionsWithToken)
        }
        let requests = try wanted.map { try AssetToken($0) == nil ? request($0) : nil }
        for request in requests { if let request { try AssetStore.check(request) } }
        try checkTokens(wanted)
        let session = try await EngineSession.open(global)
        let isComplete = try await session.closing { try await run(wanted, requests, in: session) }
        if !isComplete { throw CommandFailure(message: nil) }
    }

    /// Whether anything is said that holds for new assets only.
    private var describesNew: Bool {
        get throws {
            try request("") != AssetRequest(url: "") || license.given != nil || priority != nil
                || list.next != nil
        }
    }

    private static let optionsWithToken = """
        A TOKEN goes on with an asset as it was asked for, and takes --input and --detach only; add-tracks adds \
        renditions and subtitles, license renew changes the terms, prioritize the place in the queue, and \
        PATCH /api/v1/assets/TOKEN its name, metadata, limit and times. For anything else remove it, and download its \
        address anew.
        """

    /// Returns whether everything is complete.
    private func run(
        _ wanted: [String], _ requests: [AssetRequest?], in session: EngineSession
    ) async throws -> Bool {
        var tokens = try await goOn(with: wanted.compactMap { AssetToken($0) }, in: session)
        let new = requests.compactMap(\.self)
        if new.count == 1, list.next == nil, let request = new.first {
            tokens.append(try await begin(request, in: session))
        } else if !new.isEmpty {
            tokens += try await enqueue(new, in: session)
        }
        if detach {
            if !session.isOther {
                global.note("no server runs on this store; `offline-server serve` downloads it")
            }
            return true
        }
        let progress = DownloadProgress(session: session, global: global, showsChoice: new.count > 1)
        let isComplete = try await progress.follow(tokens)
        // Another command may have handed its download over meanwhile.
        var others = Set(session.accepted).subtracting(tokens)
        while let other = others.popFirst() {
            global.note("going on with what another command asked for: \(other)")
            _ = try await progress.follow([other])
            tokens.append(other)
            others = Set(session.accepted).subtracting(tokens)
        }
        return isComplete
    }

    private func goOn(with tokens: [AssetToken], in session: EngineSession) async throws -> [AssetToken] {
        for token in tokens {
            try await session.repair(token, isReading: false)
            try announce(token, [], in: session)
        }
        return tokens
    }

    private func begin(_ request: AssetRequest, in session: EngineSession) async throws -> AssetToken {
        let (token, lost, existing) = try await session.add(request)
        try announce(token, lost, existing, in: session)
        if !detach || session.isOther { try await session.release([token]) }
        return token
    }

    /// Many are entered at once, and looked into one after the other.
    private func enqueue(_ requests: [AssetRequest], in session: EngineSession) async throws -> [AssetToken] {
        let enqueued = try await session.enqueue(requests, next: list.next)
        let server = session.playerAddress
        for token in enqueued.tokens {
            let entry = AssetEntry(token: token, server: server, existing: enqueued.existing[token])
            Console.result(global.json ? entry.json.text : "\(token) \(entry.playlistURL)")
        }
        if !global.json, let notice = ExistingAsset.notice(enqueued.existing, among: enqueued.tokens.count) {
            global.note(notice)
        }
        if !detach || session.isOther { try await session.release(enqueued.tokens) }
        return enqueued.tokens
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
        request.artwork = artwork.map { $0.contains("://") ? $0 : URL(fileURLWithPath: $0).path }
        request.subtitleFiles = SubtitleFileArgument.sources(subtitleFile)
        for item in meta {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            request.meta[String(parts[0])] = String(parts[1])
        }
        return request
    }

    /// The token and the address come before any byte of media.
    private func announce(
        _ token: AssetToken, _ lost: [String], _ existing: AssetToken? = nil, in session: EngineSession
    ) throws {
        let asset = try session.reader().requireProgress(of: token)
        let document = AssetDocument(asset: asset, server: session.playerAddress)
        if global.json {
            let line: JSONValue = [
                "token": .string(token.description), "playlist_url": .string(document.playlistURL),
                "name": .string(asset.name), "duration": JSONValue(asset.duration),
                "renditions": .array(asset.renditions.map(AssetDocument.json)),
                "lost": .array(lost.map { .string($0) }),
            ]
            return Console.result(line.adding([ExistingAsset.member(existing)]).text)
        }
        if let existing { global.note(ExistingAsset.notice(existing, beside: token)) }
        for reason in lost { Console.note("left out: \(reason)") }
        global.note(RenditionSummary.text(asset.renditions))
        Console.result("\(token) \(document.playlistURL)")
    }

    /// Assets that are not there are said to be so before a store is made for them.
    ///
    /// - Returns: whether there is any token.
    @discardableResult
    private func checkTokens(_ wanted: [String]) throws -> Bool {
        let tokens = wanted.compactMap { AssetToken($0) }
        guard !tokens.isEmpty else { return false }
        let reader = try global.reader()
        for token in tokens { try reader.requireProgress(of: token) }
        return true
    }

    /// What an asset lacks is no preview.
    private func checkAddresses(_ wanted: [String]) throws {
        guard try checkTokens(wanted) else { return }
        throw ValidationError(
            "--dry-run wants addresses; `offline-server status TOKEN` shows what an asset lacks.")
    }

    private func showPreviews(of urls: [String]) async throws {
        try checkAddresses(urls)
        for url in urls {
            let inspector = try StreamInspector(
                url: url, access: try access.access(), store: global.root, onRetry: global.onRetry)
            var wanted = part.apply(to: selection.selection)
            wanted.recording = live.recording
            let preview = try await inspector.preview(wanted, allowsMissingKeys: allowMissingKey)
            await inspector.close()
            PreviewReport(preview).show(json: global.json)
        }
    }
}
