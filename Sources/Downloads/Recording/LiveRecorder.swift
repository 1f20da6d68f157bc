package import HLSPlaylist
internal import Locking

/// Records the stream of an asset: all its renditions, each at its own pace, until it ends.
package final class LiveRecorder: Sendable {
    package let token: AssetToken
    package let origin: Origin
    package let parts: RecorderParts
    package let keys: RecordedKeys
    /// Whether interstitials that appear are stored.
    private let keepsInterstitials: Bool
    private let recording: Recording
    /// A closure that is called with units to fetch.
    let feed: @Sendable ([UnitJob]) -> Void
    private let finishing = Lock(false)

    /// - Parameter fetcher: fetches the keys that new segments name.
    package init(
        _ token: AssetToken, _ recording: Recording, origin: Origin, parts: RecorderParts,
        fetcher: KeyFetcher, feed: @escaping @Sendable ([UnitJob]) -> Void
    ) throws(StoreError) {
        self.token = token
        self.recording = recording
        self.origin = origin
        self.parts = parts
        self.feed = feed
        keepsInterstitials = try parts.store.catalog.assets.asset(token)?.selection.interstitials == .keep
        keys = RecordedKeys(
            fetcher: fetcher, known: try parts.store.catalog.renditions.keys(of: token),
            patience: parts.conditions.keyPatience)
    }

    /// Whether all required renditions have ended, or one for lack of space. Then the others end after their next
    /// load.
    var isFinishing: Bool { finishing.withLock(\.self) }

    private enum Outcome: Sendable {
        case told
        case ended(isRequired: Bool, RecordingEnd)
        case failed(StoreError)
    }

    /// Records until the end, and returns the reason for the end.
    ///
    /// - Throws: `stopped` when the task is cancelled: then the recording may go on later.
    package func run() async throws(StoreError) -> RecordingEnd {
        var lanes: [RenditionRecorder] = []
        for row in try parts.store.renditions(of: token) {
            if let lane = try lane(of: row) { lanes.append(lane) }
        }
        let (orders, orderer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        parts.recordings.attach(token) { orderer.yield() }
        defer { parts.recordings.detach(token) }
        // A stop that was requested before this point may not have been noticed.
        guard try parts.store.catalog.recordings.recording(of: token)?.isOpen == true else { return .stopped }
        let result = await follow(lanes, orders)
        if Task.isCancelled { throw StoreError(.stopped(.cancelled)) }
        return try result.get()
    }

    /// The recorder of a rendition; `nil` if the rendition is not recorded, or if it is optional and its recording
    /// can't be read.
    private func lane(of row: RenditionRecord) throws(StoreError) -> RenditionRecorder? {
        do throws(StoreError) {
            return try RenditionRecorder(row, self, wish: recording)
        } catch {
            guard !row.required, error.isUnreadableRecording else { throw error }
            return nil
        }
    }

    private func follow(
        _ lanes: [RenditionRecorder], _ orders: AsyncStream<Void>
    ) async -> Result<RecordingEnd, StoreError> {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                for await _ in orders { break }
                return .told
            }
            for lane in lanes { group.addTask { await Self.outcome(of: lane) } }
            defer { group.cancelAll() }
            var (required, all) = (max(1, lanes.count { $0.row.required }), lanes.count)
            var reason = RecordingEnd.ended
            while all > 0, let outcome = await group.next() {
                switch outcome {
                case .told: return .success(.stopped)
                case .failed(let error): return .failure(error)
                case .ended(let isRequired, let end):
                    all -= 1
                    guard isRequired else { continue }
                    // If a required rendition has ended for lack of space, the others end, too, with the same reason.
                    if reason != .limit { reason = end }
                    required -= 1
                    if required == 0 || end == .limit { finishing.withLock { $0 = true } }
                }
            }
            return .success(reason)
        }
    }

    private static func outcome(of lane: RenditionRecorder) async -> Outcome {
        do throws(StoreError) {
            return .ended(isRequired: lane.row.required, try await lane.run())
        } catch {
            return .failed(error)
        }
    }

    /// Passes the interstitials in lines of a playlist at `base` to the store.
    package func found(_ tags: [String], base: URIReference) {
        guard keepsInterstitials, !tags.isEmpty else { return }
        let lists = tags.compactMap { tag in
            try? AttributeList(parsing: String(tag.drop { $0 != ":" }.dropFirst()))
        }
        let places = InterstitialPlace.all(in: lists, base: base)
        if !places.isEmpty { parts.owner.owner?.found(places, in: token) }
    }

    /// Grants a license if the first key of the stream comes during the recording. The license begins at the time at
    /// which the asset was requested.
    func grantLicense() throws(StoreError) {
        guard try parts.store.catalog.licenses.license(of: token) == nil,
            let asset = try parts.store.catalog.assets.asset(token)
        else { return }
        try parts.store.catalog.licenses.insert(License(recording.terms, at: asset.requestedAt), of: token)
    }
}
