internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `preload`: makes assets with their playlists and keys, and without media.
struct Preload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preload",
        abstract: "Get the playlists and keys of streams now, and their media later.",
        discussion: "`offline-server download TOKEN` gets the media; the token stays the same.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var license: LicenseOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var strictness: StrictOption

    @Argument(help: ArgumentHelp("Addresses of HLS playlists.", valueName: "url"))
    var urls: [String]

    func validate() throws {
        guard !urls.isEmpty else { throw ValidationError("Name at least one URL.") }
    }

    func run() async throws {
        let session = try await EngineSession.open(global, startsDownloads: false)
        let failed = try await session.closing {
            var failed = false
            for url in urls where try await !preload(url, in: session) { failed = true }
            return failed
        }
        if failed { throw CommandFailure(message: nil) }
    }

    /// An error of one stream does not stop the others.
    private func preload(_ url: String, in session: EngineSession) async throws -> Bool {
        var request = AssetRequest(url: url)
        request.selection = part.apply(to: selection.selection)
        request.access = try access.access()
        transfer.apply(to: &request)
        request.license = license.given ?? LicenseTerms()
        request.isPreload = true
        request.isStrict = strictness.strict ? true : nil
        let interruption = await Interruption(session.interrupted(reading: url), asJSON: global.json)
        defer { interruption.end() }
        do {
            let added = try await global.notingPatience(with: url) { try await session.add(request) }
            let (token, existing) = (added.token, added.existing)
            for reason in added.lost { Console.note("left out: \(reason)") }
            if let existing, !global.json {
                let older = try session.reader().progress(of: existing)
                global.note(ExistingAsset.notice(existing, older, beside: token))
            }
            show(try session.reader().requireAsset(token, isListed: true), session.url, existing: existing)
            return true
        } catch {
            guard urls.count > 1, let failure = CommandFailure(error) else { throw error }
            failure.tell(asJSON: global.json)
            return false
        }
    }

    private func show(_ asset: Asset, _ server: String, existing: AssetToken?) {
        if !global.json { StrictOption.tell(asset.leftOut, global) }
        let json = AssetDocument(asset: asset, server: server).json.adding([ExistingAsset.member(existing)])
        Console.result(global.json ? json.text : "\(asset.token) license \(asset.license.state.rawValue)")
    }
}
