internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `status`: everything known of some assets.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show everything known about assets.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Assets (default: all).", valueName: "token"))
    var tokens: [String] = []

    @Flag(help: "Follow changes until nothing more happens.")
    var follow = false

    func run() async throws {
        let reader = try global.reader()
        let wanted = try TokenArgument.expand(tokens, reader)
        var shown: [AssetToken: String] = [:]
        var look = LiveLook(root: global.root)
        while true {
            let assets = try self.assets(wanted, reader)
            await EngineClient.tellDiscoveries(of: reader)
            let live = await look.figures(of: assets)
            let server = reader.engine?.url
            let documents = assets.map {
                AssetDocument(asset: $0, server: server, live: live[$0.token] ?? LiveFigures())
            }
            if global.json && !follow { return showAll(documents) }
            if documents.isEmpty { return global.note(List.none) }
            for document in documents { try show(document, reader, shown: &shown) }
            guard follow, assets.contains(where: { !$0.state.isTerminal && $0.state != .paused }) else {
                return
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func assets(_ tokens: [AssetToken], _ reader: StoreReader) throws -> [Asset] {
        guard !tokens.isEmpty else { return try reader.assets() }
        // An error of one asset does not stop the others.
        let isListed = tokens.count > 1
        return try tokens.map { token throws(StoreError) in
            try reader.requireAsset(token, isListed: isListed)
        }
    }

    /// Prints JSON: an object if one asset was named by its token, otherwise a list.
    private func showAll(_ documents: [AssetDocument]) {
        let objects = documents.map(\.json)
        let isOne = tokens.count == 1 && !tokens[0].hasPrefix(AssetTag.prefix)
        Console.result((isOne ? objects.first : nil)?.pretty ?? JSONValue.array(objects).pretty)
    }

    private func show(
        _ document: AssetDocument, _ reader: StoreReader, shown: inout [AssetToken: String]
    ) throws {
        let token = document.asset.token
        let text =
            global.json
            ? document.json.text : try Self.text(document, reader, now: follow ? nil : SystemWallClock().now)
        guard shown[token] != text else { return }
        shown[token] = text
        Console.result(text)
    }

    /// The command that continues an asset that needs the user.
    private static func nextStep(_ document: AssetDocument) -> String? {
        let asset = document.asset
        return switch asset.state {
        // The error names the decision that the user has to make first.
        case .failed where asset.failure?.isOtherStream == true: nil
        case .failed where asset.failure?.isOfChoice == true:
            "`offline-server remove \(asset.token)` deletes it; download the address again with another choice"
        case .failed:
            "`offline-server download \(asset.token)` tries it again"
                + (document.activity?.nextTryAt.map { " now; the server does so at \($0.localText)" } ?? "")
        case .cancelled: "`offline-server resume \(asset.token)` fetches it after all"
        case .paused where asset.recording != nil:
            "`offline-server resume \(asset.token)` completes it with what was recorded; a paused recording does not go on"
        case .paused: "`offline-server resume \(asset.token)` goes on with it"
        case .resolving, .queued, .downloading, .complete, .removing: nil
        }
    }

    /// The address for players, with a remark if it needs a running server or a token.
    private static func address(_ document: AssetDocument, _ reader: StoreReader) -> String {
        guard let engine = reader.engine, engine.url != nil else {
            return "\(document.playlistURL), while `offline-server serve` runs"
        }
        guard engine.requiresToken == true else { return document.playlistURL }
        return
            "\(document.playlistURL); `offline-server url \(document.asset.token)` prints it with the token that the server wants"
    }

    /// The trouble of its download, with the time of the next try.
    ///
    /// - Parameter now: `nil` leaves out durations, which would change the text each second.
    private static func doing(_ activity: AssetActivity?, now: Timestamp?) -> String? {
        guard var shown = activity else { return nil }
        shown.nextTryAt = nil
        if now == nil, shown.stalledSince != nil, shown.doing == .transferring {
            return "stalled: no byte comes from the origin"
        }
        let next = activity?.nextTryAt.map { "; next try at \($0.localText)" } ?? ""
        return ActivityLine.text(shown, now: now ?? shown.since).map { "\($0)\(next)" }
    }

    /// The bytes that are stored and on their way, and their speed.
    private static func figures(_ document: AssetDocument) -> [String] {
        let asset = document.asset
        guard !asset.isRecording else { return recording(document) }
        let expected = asset.expectedBytes.map {
            " of \(asset.isSizeExact ? "" : "~")\(HumanUnits.bytes($0))"
        }
        let all = asset.state == .complete ? "" : expected ?? ""
        let flight = document.inFlight > 0 ? ", \(HumanUnits.bytes(document.inFlight)) in flight" : ""
        let stored = "\(HumanUnits.percent(asset.progress)), \(HumanUnits.bytes(asset.storedBytes))"
        let speed = document.speed.map { "\(HumanUnits.bytes(Int64($0)))/s" }
        let left = document.eta.map { ", \(HumanUnits.duration($0)) left" } ?? ""
        return ["  stored    \(stored)\(all)\(flight)"] + (speed.map { ["  speed     \($0)\(left)"] } ?? [])
    }

    /// The recorded part of a live stream, which has no share of a whole, and no time that is left.
    private static func recording(_ document: AssetDocument) -> [String] {
        let asset = document.asset
        let length = HumanUnits.duration(asset.duration)
        let limit = asset.recording?.duration.map { " of \(HumanUnits.duration($0))" } ?? ""
        let since = (asset.startedAt ?? asset.requestedAt).localText
        let line =
            "  recording since \(since), \(length)\(limit), \(HumanUnits.bytes(asset.storedBytes)) stored"
        return [line] + (document.speed.map { ["  speed     \(HumanUnits.bytes(Int64($0)))/s"] } ?? [])
    }

    private static func text(
        _ document: AssetDocument, _ reader: StoreReader, now: Timestamp?
    ) throws -> String {
        let asset = document.asset
        var lines = [
            "\(asset.name)", "  token     \(asset.token)",
            "  state     \(document.state)",
        ]
        lines += figures(document)
        lines += [
            "  length    \(HumanUnits.duration(asset.duration))",
            "  offline   \(PlayableReport.sentence(asset))",
            "  source    \(asset.sourceURL)", "  play      \(address(document, reader))",
        ]
        // The line `error` has the failure of a failed download.
        if asset.state != .failed, let doing = Self.doing(document.activity, now: now) {
            lines.append("  doing     \(doing)")
        }
        if let wait = asset.wait { lines.append("  waits     \(wait)") }
        if asset.isPinned { lines.append("  pinned    it is not evicted to make room") }
        lines += asset.leftOut.map { "  left out  \($0.sentence)" }
        if let failure = asset.failure { lines.append("  error     \(failure.message)") }
        lines += HealthReport.lines(asset, except: [.renditionLost]).map { "  problem   \($0)" }
        if let next = nextStep(document) { lines.append("  next      \(next)") }
        lines += HealthReport.losses(asset).map { "  lacks     \($0)" }
        for rendition in asset.renditions where rendition.hasPlaylist {
            lines.append(
                "  \(rendition.name): \(rendition.storedSegments) of \(rendition.segments) segments"
                    + (rendition.disguise.map { ", \($0) taken off" } ?? "")
                    + (rendition.failure == nil ? "" : ", given up"))
        }
        return lines.joined(separator: "\n")
    }
}
