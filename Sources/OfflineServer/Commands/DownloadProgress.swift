internal import AssetStore
internal import Foundation
internal import Locking
internal import UnixSignals

/// Follows downloads until nothing more happens, with a bar for people or lines for programs.
struct DownloadProgress: Sendable {
    let session: EngineSession
    let global: GlobalOptions
    /// Whether to say what was chosen of each stream, once it is known.
    var showsChoice = false
    static let interval = Duration.milliseconds(250)

    /// Returns whether all of them are complete in the end.
    func follow(_ tokens: [AssetToken]) async throws -> Bool {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let isInterrupted = Lock(false)
        let interruption = Task {
            var mayRecord = true
            for await _ in signals {
                if mayRecord, session.stopRecordings(tokens) {
                    mayRecord = false
                    global.note("the recording ends; what it has listed is still fetched")
                    continue
                }
                isInterrupted.withLock { $0 = true }
                await session.close()
            }
        }
        defer { interruption.cancel() }
        let reader = try session.reader()
        var isComplete = true
        for token in tokens {
            try await follow(token, reader) { isInterrupted.withLock(\.self) }
            // What interstitials play belongs to it; its failures do not.
            for other in try reader.interstitialAssets(of: token) {
                try await follow(other, reader) { isInterrupted.withLock(\.self) }
            }
            if isInterrupted.withLock(\.self) { throw interrupted(token) }
            isComplete = try await report(token, reader) && isComplete
        }
        return isComplete
    }

    private func follow(
        _ token: AssetToken, _ reader: StoreReader, until isInterrupted: @Sendable () -> Bool
    ) async throws {
        let ticker = Task {
            var bar = ProgressBar(isLive: Console.hasTerminal && !global.quiet && !global.json)
            var isChosen = !showsChoice
            var waits = WaitNotices()
            while !Task.isCancelled {
                if let asset = try? reader.progress(of: token) {
                    if !isChosen, !asset.renditions.isEmpty {
                        isChosen = true
                        global.note("\(asset.name): \(RenditionSummary.text(asset.renditions))")
                    }
                    if let line = waits.line(asset) {
                        bar.clear()
                        global.note(line)
                    }
                    await show(asset, &bar)
                }
                try? await Task.sleep(for: Self.interval)
            }
            bar.clear()
        }
        defer { ticker.cancel() }
        try await session.untilSettled(token, or: isInterrupted)
        ticker.cancel()
        await ticker.value
    }

    private func show(_ asset: Asset, _ bar: inout ProgressBar) async {
        let document = AssetDocument(
            asset: asset, server: session.url, speed: await session.speed(of: asset))
        if global.json {
            let line: JSONValue = [
                "token": .string(asset.token.description), "state": .string(asset.state.rawValue),
                "reason": JSONValue(asset.reason), "waits_until": JSONValue(asset.waitsUntil?.rfc3339),
                "progress": JSONValue(asset.progress), "stored": .integer(asset.storedBytes),
                "expected": JSONValue(asset.expectedBytes), "speed": JSONValue(document.speed),
                "eta": JSONValue(document.eta),
            ]
            return Console.result(line.text)
        }
        bar.draw(document)
    }

    private func report(_ token: AssetToken, _ reader: StoreReader) async throws -> Bool {
        let asset = try reader.requireAsset(token, isListed: true)
        if global.json {
            Console.result(AssetDocument(asset: asset, server: session.playerAddress).json.text)
        }
        for rendition in asset.renditions {
            if let failure = rendition.failure { Console.note("lost \(rendition.name): \(failure)") }
        }
        guard asset.state == .complete else {
            let unrecorded = await session.unrecordedFailure(of: token)?.message
            let reason = unrecorded ?? asset.failure?.message ?? "it is \(asset.state.rawValue)"
            Console.note(
                "offline-server: \(asset.name) is not complete: \(reason); `offline-server download \(token)` goes on"
            )
            return false
        }
        global.note(
            "complete: \(asset.name), \(HumanUnits.duration(asset.duration)), \(HumanUnits.bytes(asset.storedBytes))"
        )
        return true
    }

    private func interrupted(_ token: AssetToken) -> CommandFailure {
        if session.isOther {
            let command = "`offline-server status \(token) --follow` shows it"
            return CommandFailure(
                message: "the server at \(session.url) goes on with it; \(command)",
                status: CommandFailure.interrupted)
        }
        return CommandFailure(
            message: "stopped; what is stored is kept and plays, `offline-server download \(token)` goes on",
            status: CommandFailure.interrupted)
    }
}
