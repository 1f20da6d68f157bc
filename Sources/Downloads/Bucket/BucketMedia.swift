internal import Dispatch
internal import Locking
package import Logging
package import ObjectStorage
internal import SystemPackage
internal import Transfers

/// The media of a store in a bucket of an S3 store. The store's folder caches those that were used lately.
///
/// An object's key is `TOKEN/RENDITION/FILE.WRITER-NUMBER`: it names the writer, and is never written a second time.
/// A unit is entered in the catalog after the bucket has acknowledged its object. So an interruption leaves at most
/// an object without a row, which `collect` removes.
package final class BucketMedia: MediaSource {
    /// The place of media, and how much of them the store's folder may keep.
    package struct Settings: Sendable {
        package var location: S3Location
        package var credentials: S3Credentials
        /// A PEM file of trusted certificates in place of the system's.
        package var authority: String?
        /// Bytes of media that the store's folder keeps at most.
        package var cacheSize: UInt64
        package var retries = S3Retries()
        /// The bucket as a URL.
        package var place: String { location.text }

        package init(
            _ location: S3Location, credentials: S3Credentials, authority: String? = nil, cacheSize: UInt64
        ) {
            (self.location, self.credentials) = (location, credentials)
            (self.authority, self.cacheSize) = (authority, cacheSize)
        }
    }

    let client: S3Client
    let catalog: Catalog
    let paths: StorePaths
    let clock: any WallClock
    let log: Logger
    let cache: BucketCache
    /// The objects that are arriving, by their units.
    let fills = Lock<[UnitKey: PartialFile]>([:])
    /// The name of this run of the program in the keys that it writes.
    private let writer: String
    private let count = Lock(0)
    /// The assets whose folders were looked at, on a node among others; one folder is made at a time.
    let restored = Lock<Set<AssetToken>>([])
    let restoring = DispatchQueue(label: "offline-server.folders", qos: .userInitiated)
    /// Whether the catalog notes this bucket as the place of the store's media.
    private let isNoted: Lock<Bool>

    /// The task that waits until the bucket can be reached again; `nil` while it can.
    private let away = Lock<Task<Void, Never>?>(nil)
    /// Seconds between two looks whether it can.
    private let pause: Double

    /// Threads that begin fetches; only file writes block them.
    static let threads = WorkPool(threads: 4)

    /// - Throws: `mediaElsewhere` if media of the store are in another bucket already.
    package init(
        _ settings: Settings, catalog: Catalog, paths: StorePaths, clock: any WallClock, log: Logger
    ) throws(StoreError) {
        let place = try catalog.storage.mediaPlace()
        if let place, place != settings.location.text { throw StoreError(.mediaElsewhere(place)) }
        isNoted = Lock(place != nil)
        client = try settings.makeClient()
        (self.catalog, self.paths, self.clock, self.log) = (catalog, paths, clock, log)
        cache = BucketCache(catalog: catalog, paths: paths, size: settings.cacheSize)
        pause = settings.retries.longest
        writer = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Checks whether the bucket can be used.
    ///
    /// - Returns: the reason for which it can't be reached for now; `nil` if it can.
    /// - Throws: a fault that a person has to correct.
    package func check() async throws(StoreError) -> String? { try await Self.trouble(of: client) }

    /// Looks whether the bucket of some settings can be used, with two tries.
    ///
    /// - Returns: as `check()`.
    package static func check(_ settings: Settings) async throws(StoreError) -> String? {
        let client = try settings.makeClient(retries: S3Retries(tries: 2))
        let outcome: Result<String?, StoreError>
        do throws(StoreError) { outcome = .success(try await trouble(of: client)) } catch {
            outcome = .failure(error)
        }
        await client.stop()
        return try outcome.get()
    }

    private static func trouble(of client: S3Client) async throws(StoreError) -> String? {
        do throws(S3Error) {
            try await client.check()
            return nil
        } catch {
            guard error.isTemporary else { throw StoreError(error) }
            return error.sentence
        }
    }

    /// Ends all requests to the bucket.
    package func stop() async {
        away.withLock(\.self)?.cancel()
        await client.stop()
    }

    /// Whether it could not be reached lately, so that downloads should wait.
    var isAway: Bool { away.withLock { $0 != nil } }

    /// Waits until the bucket answers again.
    ///
    /// - Parameter reason: why it can't be used, which the log tells once.
    private func noteAway(_ reason: String) {
        away.withLock { task in
            if task == nil {
                log.warning(
                    "the bucket of the store's media can't be used for now; downloads wait",
                    metadata: ["bucket": "\(place)", "error": "\(reason)"])
            }
            task =
                task
                ?? Task(executorPreference: Self.threads) { [weak self, client, pause, log] in
                    var wait = pause
                    while (try? await Task.sleep(for: .seconds(wait))) != nil {
                        if (try? await client.check()) != nil {
                            log.notice("the bucket of the store's media can be used again; downloads go on")
                            break
                        }
                        wait = min(2 * wait, max(pause, 30))
                    }
                    self?.away.withLock { $0 = nil }
                }
        }
    }

    /// Writes a unit whose bytes are all in its partial file.
    ///
    /// - Returns: the name of its object. The bucket has all of it then.
    func upload(_ finished: FinishedUnit) async throws(StoreError) -> String {
        try note()
        let object = freshName()
        do throws(S3Error) {
            try await client.put(
                file: finished.file.path.string, size: finished.unit.size, sha256: finished.unit.sha256,
                to: Self.key(of: finished, object))
        } catch {
            // The bucket could be used when the store was opened.
            guard error.isTemporary || error.isOfBucket else { throw StoreError(error) }
            noteAway(error.sentence)
            throw StoreError(.bucket(error.sentence, isTemporary: true))
        }
        return object
    }

    /// A name that no object has had.
    func freshName() -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return "\(writer)-\(number)"
    }

    /// The bucket's URL.
    package var place: String { client.location.text }

    /// Notes in the catalog that media of the store are here, before the first one is.
    private func note() throws(StoreError) {
        guard !isNoted.withLock(\.self) else { return }
        try catalog.storage.setMediaPlace(client.location.text)
        isNoted.withLock { $0 = true }
    }

    /// A file of the bucket's media has come into the store's folder.
    func keeps(_ size: UInt64) { cache.added(size) }

    /// A player asked for a unit whose file is there.
    package func used(_ key: UnitKey) { cache.used(key) }

    private static func key(of finished: FinishedUnit, _ object: String) -> String {
        let names = finished.destination.components.suffix(3).map(\.string)
        return "\(names.joined(separator: "/")).\(object)"
    }
}

extension StoreError {
    init(_ error: S3Error) {
        if case .cancelled = error.code {
            self.init(.stopped(.cancelled))
            return
        }
        self.init(.bucket(error.sentence, isTemporary: error.isTemporary))
    }
}
