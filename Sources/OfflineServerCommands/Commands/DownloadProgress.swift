internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import Locking
internal import OfflineServer
internal import UnixSignals

/// Follows downloads to their end, with a bar for people or lines for programs.
struct DownloadProgress: Sendable {
    let session: EngineSession
    let global: GlobalOptions
    /// Whether to print the selection of each stream when it is known.
    var showsChoice = false
    /// The file that the download is to end in.
    var output: OutputOptions?
    /// The handler of signals before this one.
    var former: Interruption?
    static let interval = Duration.milliseconds(250)

    /// Returns whether all of them are complete.
    func follow(_ tokens: [AssetToken]) async throws -> Bool {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        former?.end()
        let isInterrupted = Lock(false)
        let interruption = Task {
            var mayRecord = true
            for await _ in signals {
                if mayRecord, session.stopRecordings(tokens) {
                    mayRecord = false
                    global.note("the recording ends; the segments that it has listed are still fetched")
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
            do {
                isComplete = try await follow(token, reader) { isInterrupted.withLock(\.self) } && isComplete
            } catch let error as StoreError where error.isStop && isInterrupted.withLock(\.self) {
                throw session.interrupted(token, into: output)
            }
        }
        await session.untilHooksAreTold()
        return isComplete
    }

    /// Returns whether the asset is complete.
    private func follow(
        _ token: AssetToken, _ reader: StoreReader, unless isInterrupted: @Sendable () -> Bool
    ) async throws -> Bool {
        try await wait(for: token, reader, until: isInterrupted)
        // Assets of interstitials are followed, too; their failures are not failures of this asset.
        for other in try reader.playlists.interstitialAssets(of: token) {
            try await wait(for: other, reader, until: isInterrupted)
        }
        if isInterrupted() { throw session.interrupted(token, into: output) }
        return try await report(token, reader)
    }

    private func wait(
        for token: AssetToken, _ reader: StoreReader, until isInterrupted: @Sendable () -> Bool
    ) async throws {
        let ticker = Task {
            var bar = ProgressBar(isLive: Console.hasTerminal && !global.quiet && !global.json)
            var isChosen = !showsChoice
            var waits = WaitNotices()
            var troubles = ActivityNotices()
            while !Task.isCancelled {
                if let asset = try? reader.progress(of: token) {
                    if !isChosen { isChosen = tellChoice(asset) }
                    let live = await session.figures(of: asset)
                    // The origin's error says more than the remark that the download waits for the origin.
                    let isTold = asset.reason == "origin" && live.activity?.lastError != nil
                    if !isTold, let line = waits.line(asset) {
                        bar.clear()
                        global.note(line)
                    }
                    let document = AssetDocument(asset: asset, server: session.url, live: live)
                    if !Console.hasTerminal, asset.state != .failed,
                        let line = troubles.line(asset, live.activity, now: SystemWallClock().now)
                    {
                        global.note(line)
                    }
                    show(document, &bar)
                }
                try? await Task.sleep(for: Self.interval)
            }
            // A short download may have ended between two looks.
            if !isChosen, let asset = try? reader.progress(of: token) { _ = tellChoice(asset) }
            bar.clear()
        }
        defer { ticker.cancel() }
        try await session.untilSettled(token, or: isInterrupted)
        ticker.cancel()
        await ticker.value
    }

    /// Prints the selection of a stream.
    ///
    /// - Returns: whether the selection is known.
    private func tellChoice(_ asset: Asset) -> Bool {
        guard !asset.renditions.isEmpty else { return false }
        global.note("\(asset.name): \(RenditionSummary.text(asset.renditions))")
        StrictOption.tell(asset.leftOut, of: asset.name, global)
        return true
    }

    private func show(_ document: AssetDocument, _ bar: inout ProgressBar) {
        let asset = document.asset
        if global.json {
            let line: JSONValue = [
                "token": .string(asset.token.description), "state": .string(asset.state.rawValue),
                "reason": JSONValue(asset.reason), "waits_until": JSONValue(asset.waitsUntil?.rfc3339),
                "progress": JSONValue(asset.progress), "stored": .integer(asset.storedBytes),
                "expected": JSONValue(asset.expectedBytes), "speed": JSONValue(document.speed),
                "eta": JSONValue(document.eta), "in_flight": .integer(document.inFlight),
                "activity": AssetDocument.json(document.activity),
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
        for sentence in HealthReport.losses(asset) { Console.note("\(asset.name): \(sentence)") }
        if asset.state == .removing {
            Console.note("offline-server: \(asset.name) was removed")
            return false
        }
        guard asset.state == .complete else {
            let unrecorded = await session.unrecordedFailure(of: token)?.message
            let reason = unrecorded ?? asset.failure?.message ?? "it is \(asset.state.rawValue)"
            // The reason names the decision that the user has to make first.
            let isStuck = unrecorded == nil && asset.failure?.isOtherStream == true
            var next = isStuck ? "" : "; `offline-server download \(token)\(output?.text ?? "")` goes on"
            if asset.state == .paused, asset.recording != nil {
                next = "; `offline-server resume \(token)` completes it with what was recorded"
            } else if asset.state == .failed,
                let time = await session.figures(of: asset).activity?.nextTryAt
            {
                next += ", and the server tries it again at \(time.localText)"
            }
            Console.note("offline-server: \(asset.name) is not complete: \(reason)\(next)")
            return false
        }
        global.note(
            "complete\(HealthReport.suffix(asset)): \(asset.name), \(HumanUnits.duration(asset.duration)), \(HumanUnits.bytes(asset.storedBytes))"
        )
        for line in HealthReport.lines(asset, except: [.renditionLost]) {
            Console.note("\(asset.name): \(line)")
        }
        return true
    }
}

extension StoreError {
    /// Whether the error means only that the engine was stopped.
    fileprivate var isStop: Bool { if case .stopped = code { true } else { false } }
}
