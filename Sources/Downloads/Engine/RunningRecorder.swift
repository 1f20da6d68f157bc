/// A recording that runs beside the transfers of its asset.
package struct RunningRecorder: Sendable {
    private let recorder: LiveRecorder
    /// The units that it has found.
    private let found: AsyncStream<[UnitJob]>
    private let finder: AsyncStream<[UnitJob]>.Continuation

    /// The recording of an asset, if it is to go on.
    package init?(
        _ token: AssetToken, origin: Origin, parts: EngineParts, vault: KeyVault
    ) throws(StoreError) {
        guard let recording = try parts.store.catalog.recordings.recording(of: token), recording.isOpen else {
            return nil
        }
        let (found, finder) = AsyncStream.makeStream(of: [UnitJob].self)
        let fetcher = KeyFetcher(
            origin: origin, vault: vault, token: token, pause: parts.origins.pause, providers: parts.providers
        )
        recorder = try LiveRecorder(
            token, recording, origin: origin, parts: parts.recorder, fetcher: fetcher
        ) { finder.yield($0) }
        (self.found, self.finder) = (found, finder)
    }

    /// Waits for the next findings.
    func next() async -> RunEvent {
        for await jobs in found { return .grown(jobs) }
        return .grown(nil)
    }

    /// Records until the end.
    package func run() async -> RunEvent {
        defer { finder.finish() }
        do throws(StoreError) {
            return .recorded(try await recorder.run(), nil)
        } catch {
            return .recorded(nil, error)
        }
    }
}
