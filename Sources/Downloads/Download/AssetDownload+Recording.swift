/// A recording that runs beside the transfers of its asset.
package struct RunningRecorder: Sendable {
    let recorder: LiveRecorder
    /// What it has found.
    package let found: AsyncStream<[UnitJob]>
    let finder: AsyncStream<[UnitJob]>.Continuation

    package func next() async -> AssetDownload.Event {
        for await jobs in found { return .grown(jobs) }
        return .grown(nil)
    }

    package func run() async -> AssetDownload.Event {
        defer { finder.finish() }
        do throws(StoreError) {
            return .recorded(try await recorder.run(), nil)
        } catch {
            return .recorded(nil, error)
        }
    }
}

extension AssetDownload {
    /// The recording of the asset, if it is to go on.
    func recorder() throws(StoreError) -> RunningRecorder? {
        guard scope == .everything, let vault,
            let recording = try context.catalog.recordings.recording(of: token),
            recording.isOpen
        else { return nil }
        let (found, finder) = AsyncStream.makeStream(of: [UnitJob].self)
        let fetcher = KeyFetcher(
            origin: origin, vault: vault, token: token, pause: context.pause, providers: context.providers)
        let recorder = try LiveRecorder(
            token, recording, origin: origin, context: context, fetcher: fetcher
        ) { finder.yield($0) }
        return RunningRecorder(recorder: recorder, found: found, finder: finder)
    }

    package func begin(
        _ recorder: RunningRecorder, _ group: inout TaskGroup<Event>, _ progress: inout Progress
    ) {
        (progress.isRecording, progress.isFinding) = (true, true)
        group.addTask { await recorder.run() }
        group.addTask { await recorder.next() }
    }

    /// What can't be had of a recording is a gap in it: nothing else is given up for that, unless a fresh address may
    /// help.
    ///
    /// - Returns: whether that was all there is to do about it.
    /// - Throws: the refusal, when a fresh address is asked for.
    func lostLive(_ job: UnitJob, _ error: StoreError) throws(StoreError) -> Bool {
        guard isLive else { return false }
        if error.errorClass == .auth, context.links.ask(token, for: .unit(job.place)) { throw error }
        guard job.unit.kind == .segment else { return false }
        if case .stopped = error.code { return false }
        guard context.conditions.isOnline(job.unit.url) else { return false }
        try context.catalog.recordings.markLost(job, of: token, at: context.clock.now)
        context.onGrowth(token)
        return true
    }

    /// After the last transfer: what is served is whole from now on.
    func conclude(_ end: RecordingEnd?) throws(StoreError) {
        guard isLive else { return }
        let playlists = BundlePlaylists(catalog: context.catalog, paths: context.paths, token: token)
        if let end { try playlists.end(end, at: context.clock.now) } else { try playlists.restore() }
        context.onGrowth(token)
    }
}
