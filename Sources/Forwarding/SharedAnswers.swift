internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import StoreFiles
internal import StoreModel
internal import SystemPackage
internal import Transfers

/// Answers of another server that are shared between clients. An answer is requested once for all clients that ask
/// while it arrives, and then kept in a file. After the other server has confirmed it, a kept answer is sent for two
/// seconds (`validity`) without a question. Later a conditional request asks the other server whether the answer is
/// still right; the reply has no body (RFC 9111, section 4.3).
///
/// The folder is emptied at the start. If the files exceed `size` bytes, the least recently used ones are deleted.
final class SharedAnswers: Sendable {
    /// A whole answer in a file.
    private struct Kept {
        var path: FilePath
        var head: SharedHead
        var representation: Representation
        /// The start of the last request by which the other server confirmed the answer.
        var confirmed: MonotonicTime
        /// The number of its last use; a later use has a higher number.
        var used: UInt64
        var confirmation: Task<Verdict, Never>?

        var size: UInt64 { head.length }
    }

    /// The other server's reply about a kept answer.
    private enum Verdict: Sendable {
        case right, changed
        /// The other server can't be reached.
        case unknown
    }

    /// The file of a kept answer, mapped into memory, and the whole answer with it.
    private struct Opened {
        var file: MappedFile
        var whole: PreparedResponse?
    }

    private enum Entry {
        case arriving(SharedFetch)
        case kept(Kept)
    }

    private struct State {
        /// The answers by the paths of their resources.
        var entries: [String: Entry] = [:]
        var bytes: UInt64 = 0
        var uses: UInt64 = 0
        var files: UInt64 = 0
        /// The files that were sent lately.
        var opened: [FilePath: Opened] = [:]
        /// The number of requests that were sent.
        var fetches = 0
        /// The number of answers whose bytes came from the bucket.
        var objects = 0
        /// The time until which the bucket is not used, because it has not given an object.
        var bucketRestsUntil: MonotonicTime?
        /// The time until which no new file is written, because a write has failed.
        var restsUntil: MonotonicTime?

        /// Removes a kept answer. Its file is left.
        mutating func remove(_ kept: Kept, of path: String) {
            entries[path] = nil
            bytes -= kept.size
            opened[kept.path] = nil
        }
    }

    private let state = Lock(State())
    private let folder: FilePath
    /// Bytes that the files may have.
    private let size: UInt64
    private let upstream: Upstream
    /// The bucket that has objects which the other server may name; `nil` without one.
    private let bucket: (any ObjectSource)?
    /// How long a confirmation holds.
    private let validity: Duration
    private static let rest = Duration.seconds(60)
    /// An answer is shared only if it has at most this part (an eighth) of `size`.
    private static let share: UInt64 = 8
    private static let threads = WorkPool(threads: 4)
    /// The number of open files; above it, all are closed that no response uses.
    private static let mostOpened = 256

    init(
        _ folder: FilePath, size: UInt64, validity: Duration, _ upstream: Upstream,
        bucket: (any ObjectSource)?
    ) {
        (self.folder, self.size, self.validity) = (folder, size, validity)
        (self.upstream, self.bucket) = (upstream, bucket)
        empty()
    }

    /// The number of requests that were sent, also those that ask whether a kept answer is still right.
    var fetches: Int { state.withLock(\.fetches) }

    /// The number of answers whose bytes came from the bucket.
    var objects: Int { state.withLock(\.objects) }

    /// Deletes all kept files. Responses that are being sent are still completed.
    func empty() {
        state.withLock { state in
            for (key, entry) in state.entries {
                if case .kept = entry { state.entries[key] = nil }
            }
            state.bytes = 0
            state.opened = [:]
        }
        // The folder itself stays, so that an answer that arrives meanwhile can be written.
        try? FileSystem.makeDirectory(folder)
        for name in FileSystem.names(in: folder) { try? FileSystem.removeTree(folder.appending(name)) }
    }

    /// The answer from a kept file that needs no confirmation now; `nil` without one. Does not wait.
    func quickAnswer(to request: Request) -> Answer? {
        guard let kept = valid(request.path), let opened = opened(kept) else { return nil }
        if let whole = opened.whole, request.isUnconditional, !request.comesFromPage {
            return .prepared(whole)
        }
        return .response(response(to: request, kept, opened.file))
    }

    /// The kept answer for a path that needs no confirmation now.
    private func valid(_ path: String) -> Kept? {
        state.withLock { state in
            guard case .kept(var kept)? = state.entries[path], isValid(kept) else { return nil }
            state.uses += 1
            kept.used = state.uses
            state.entries[path] = .kept(kept)
            return kept
        }
    }

    /// The response to a request.
    ///
    /// - Parameter own: this server's own request for the whole resource.
    /// - Returns: `nil` if the answer can't be shared. Then the client's own request has to be passed on.
    func response(to request: Request, _ own: TransferRequest) async -> Response? {
        for _ in 0..<2 {
            let path = request.path
            switch entry(of: path, own, isWhole: request.method == .get && request.isUnconditional) {
            case .arriving(let fetch)?: return await fetch.response(to: request)
            case .kept(let kept)?:
                switch await verdict(on: kept, path, own) {
                case .right: if let file = opened(kept)?.file { return response(to: request, kept, file) }
                case .changed: break
                case .unknown: return nil
                }
                forget(path, kept.path)
            case nil: return nil
            }
        }
        return nil
    }

    private func isValid(_ kept: Kept) -> Bool { MonotonicTime.now < kept.confirmed + validity }

    private func response(to request: Request, _ kept: Kept, _ file: MappedFile) -> Response {
        kept.representation.response(to: request, headers: kept.head.fields, now: .now) {
            .file(file, $0 ?? 0..<file.size)
        }
    }

    /// Opens the file of a kept answer. It stays open for later requests.
    ///
    /// - Returns: `nil` if the file is gone or has another size.
    private func opened(_ kept: Kept) -> Opened? {
        if let opened = state.withLock({ $0.opened[kept.path] }) { return opened }
        guard let file = try? MappedFile(path: kept.path.string), file.size == kept.size else { return nil }
        let whole = kept.representation.wholeResponse(
            headers: kept.head.fields, body: .file(file, 0..<file.size))
        let opened = Opened(file: file, whole: PreparedResponse(whole))
        state.withLock { state in
            if state.opened.count >= Self.mostOpened { state.opened = [:] }
            state.opened[kept.path] = opened
        }
        return opened
    }

    // MARK: Fetching

    /// The entry for a path. If there is none and the client wants the whole resource, makes one and starts a transfer.
    private func entry(of path: String, _ own: TransferRequest, isWhole: Bool) -> Entry? {
        let (entry, new): (Entry?, SharedFetch?) = state.withLock { state in
            if let entry = state.entries[path] { return (entry, nil) }
            guard isWhole, state.restsUntil.map({ $0 < .now }) ?? true else { return (nil, nil) }
            state.files += 1
            state.fetches += 1
            let fetch = SharedFetch(folder.appending("\(state.files)"), limit: size / Self.share)
            state.entries[path] = .arriving(fetch)
            return (.arriving(fetch), fetch)
        }
        if let new { _ = Task(executorPreference: Self.threads) { await self.run(new, path, own) } }
        return entry
    }

    private func run(_ fetch: SharedFetch, _ path: String, _ own: TransferRequest) async {
        let start = MonotonicTime.now
        var hasArrived = false
        do {
            try await bring(fetch, own)
            hasArrived = true
        } catch {
            if (error as? TransferError)?.underlying is StoreError || error is StoreError { pause() }
        }
        let head = await fetch.answer()
        let answer = hasArrived ? head : nil
        state.withLock { state in
            state.entries[path] = nil
            guard let answer else { return }
            state.uses += 1
            let kept = Kept(
                path: fetch.file.path, head: answer, representation: answer.representation,
                confirmed: start, used: state.uses)
            state.entries[path] = .kept(kept)
            state.bytes += kept.size
        }
        if answer == nil { try? FileSystem.unlink(fetch.file.path) }
        // Done last, so that a client that has got the last byte finds the kept answer at once.
        fetch.file.finish(answer == nil ? .failed(nil) : .complete)
        trim()
    }

    /// Gets the bytes of an answer: from the bucket if the other server names an object, otherwise from that server.
    private func bring(_ fetch: SharedFetch, _ own: TransferRequest) async throws {
        guard let bucket, state.withLock({ $0.bucketRestsUntil.map { $0 < .now } ?? true }) else {
            return try await upstream.perform(own, into: fetch)
        }
        var question = own
        question.url += "?\(NamedObject.query)"
        question.headerFields[NamedObject.demand.name] = NamedObject.demand.value
        try await upstream.perform(question, into: fetch)
        guard let object = fetch.object else { return }
        try? await bucket.read(object) { try fetch.receive($0) }
        guard !fetch.isRight else { return state.withLock { $0.objects += 1 } }
        state.withLock { $0.bucketRestsUntil = .now + Self.rest }
        try fetch.restart()
        try await upstream.perform(own, into: fetch)
        guard fetch.isRight else { throw SharedFetch.NotShared() }
    }

    /// Stops writing new files for a while, because the file system is full or has refused a write.
    private func pause() { state.withLock { $0.restsUntil = .now + Self.rest } }

    // MARK: Keeping

    /// Asks the other server whether a kept answer is still right, unless its confirmation still holds. Requests that
    /// come meanwhile wait for the same reply.
    private func verdict(on kept: Kept, _ path: String, _ own: TransferRequest) async -> Verdict {
        guard !isValid(kept) else { return .right }
        guard let tag = kept.head.entityTag else { return .changed }
        let question = state.withLock { state -> Task<Verdict, Never>? in
            guard case .kept(var current)? = state.entries[path], current.path == kept.path else {
                return nil
            }
            if let asked = current.confirmation { return asked }
            let task = Task(executorPreference: Self.threads) { [file = current.path] in
                await self.confirm(path, own, tag: tag, of: file)
            }
            state.fetches += 1
            current.confirmation = task
            state.entries[path] = .kept(current)
            return task
        }
        return await question?.value ?? .changed
    }

    private func confirm(
        _ path: String, _ own: TransferRequest, tag: String, of file: FilePath
    ) async -> Verdict {
        let start = MonotonicTime.now
        var question = own
        question.headerFields[.ifNoneMatch] = tag
        let sink = AnswerHead()
        try? await upstream.perform(question, into: sink)
        let verdict = sink.response.map { $0.status == 304 ? Verdict.right : .changed } ?? .unknown
        state.withLock { state in
            guard case .kept(var kept)? = state.entries[path], kept.path == file else { return }
            kept.confirmation = nil
            if case .right = verdict {
                state.uses += 1
                (kept.confirmed, kept.used) = (start, state.uses)
            }
            state.entries[path] = .kept(kept)
        }
        return verdict
    }

    private func forget(_ path: String, _ file: FilePath) {
        state.withLock { state in
            guard case .kept(let kept)? = state.entries[path], kept.path == file else { return }
            state.remove(kept, of: path)
        }
        // Another request may have deleted it already.
        try? FileSystem.unlink(file)
    }

    /// If the files exceed `size` bytes, deletes the least recently used ones until a tenth of `size` is free.
    private func trim() {
        let old: [FilePath] = state.withLock { state in
            guard state.bytes > size else { return [] }
            let kept = state.entries.compactMap { url, entry -> (String, Kept)? in
                if case .kept(let kept) = entry { (url, kept) } else { nil }
            }.sorted { $0.1.used < $1.1.used }
            var paths: [FilePath] = []
            for (url, file) in kept where state.bytes > size / 10 * 9 {
                state.remove(file, of: url)
                paths.append(file.path)
            }
            return paths
        }
        for path in old { try? FileSystem.unlink(path) }
    }
}
