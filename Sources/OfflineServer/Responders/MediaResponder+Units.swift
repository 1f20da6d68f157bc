internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// The parts of a URL of a segment or an initialization section.
struct UnitAddress: Sendable {
    let token: AssetToken
    let rendition: String
    let name: UnitName
    let suffix: String

    init(_ token: AssetToken, rendition: String, name: UnitName, suffix: String) {
        self.token = token
        self.rendition = rendition
        self.name = name
        self.suffix = suffix
    }

    /// The type of its bytes. Initialization sections are called MP4 also where they are packets of a transport stream.
    ///
    /// - Parameter container: the format of its rendition.
    func type(in container: ContainerFormat) -> String {
        MediaType.of(extension: container == .ts ? container.rawValue : suffix)
    }
}

extension MediaResponder {
    /// How often a part that was just about to change its place is looked for again.
    private static let looks = 3

    /// Answers a request for a segment or an initialization section: from its file, else while it arrives.
    func unitResponse(_ request: Request, _ unit: UnitAddress, key: String) async -> Response {
        Trace.pass(.unitResponse, request.traced)
        let deadline = headDeadline
        do throws(StoreError) {
            if let refusal = try refusal(unit) { return refusal.problem(unit.token).response }
            var absent: AbsentUnit?
            for _ in 0..<Self.looks {
                switch try look(for: unit) {
                case .unknown:
                    if let response = await unknownResponse(unit, by: deadline) { return response }
                case .stored(let stored):
                    return file(
                        request, unit.token, path: stored.path, type: unit.type(in: stored.container),
                        caching: .immutable, size: stored.size, tag: stored.entityTag, mark: stored.mark,
                        key: key)
                case .absent(let found):
                    absent = found
                    // It may just have been stored, so that nothing is to be fetched.
                    guard let file = await store.media.demand(found, counts: !request.isHead) else {
                        continue
                    }
                    await patient(until: deadline).answer(of: file)
                    if let trouble = file.trouble { return Self.failed(trouble, unit.token) }
                    guard file.hasFailed else {
                        return arrivingResponse(request, file, type: unit.type(in: found.container))
                    }
                    if let failure = file.failure, !failure.isStopped {
                        return Self.failed(failure, unit.token)
                    }
                }
            }
            return absent.map { Self.notNow($0, unit.token) } ?? missing(unit.token)
        } catch {
            return error.mediaProblem(unit.token).response
        }
    }

    /// The answer about a part that nothing is known of; `nil` when its asset had to be looked into first, and was now.
    func unknownResponse(_ unit: UnitAddress, by deadline: ContinuousClock.Instant) async -> Response? {
        guard await !patient(until: deadline).isResolved(unit.token) else { return nil }
        return ((try? unresolvedResponse(unit.token)) ?? nil) ?? missing(unit.token)
    }

    /// Why a license keeps a resource back. A film that was begun goes on when it has expired: its playlists and
    /// segments are there for as long as that may take.
    func refusal(_ token: AssetToken, _ resource: AssetResource) throws(StoreError) -> LicenseRefusal? {
        switch resource {
        case .multivariantPlaylist: try keys.refusal(token)
        case .mediaPlaylist, .subtitles, .subtitlePlaylist, .subtitleSegment, .subtitleFrame:
            try keys.refusalWhenIdle(token)
        case .unit, .key, .clearKey, .poster, .thumbnail, .dateRanges, .sessionData, .interstitialList,
            .subtitleList, .file, .manifest:
            nil
        }
    }

    private func refusal(_ unit: UnitAddress) throws(StoreError) -> LicenseRefusal? {
        Trace.pass(.license, "\(unit.token)")
        return keys.isQuicklyPermitted(unit.token) ? nil : try keys.refusalWhenIdle(unit.token)
    }

    func look(for unit: UnitAddress) throws(StoreError) -> UnitAnswer {
        try reader.media.unit(
            unit.token, unit.rendition, named: unit.name, extension: unit.suffix, counts: false)
    }

    /// Waits for what the origin says, but not for ever.
    func answer(of file: ArrivingFile) async {
        await patiently { await file.answered() }
    }

    /// Waits for `event`, but no longer than a player waits for the header section.
    ///
    /// - Returns: what it has led to; `nil` when it takes too long. Then its task is cancelled.
    @discardableResult
    func patiently<Value: Sendable>(_ event: @escaping @Sendable () async -> Value) async -> Value? {
        let patience = patience
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await event() }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// The time at which a player that asks now gets a header section.
    var headDeadline: ContinuousClock.Instant { ContinuousClock.Instant.now + patience }

    /// A copy with the patience that is left until then.
    func patient(until deadline: ContinuousClock.Instant) -> MediaResponder {
        var responder = self
        responder.patience = max(.zero, ContinuousClock.Instant.now.duration(to: deadline))
        return responder
    }

    private func arrivingResponse(_ request: Request, _ file: ArrivingFile, type: String) -> Response {
        Trace.pass(.arrivingResponse, request.traced)
        let length = file.length
        // Without a length, a cache could take a part for the whole.
        let headers = headers(length == nil ? .none : .arriving, type: type)
        return Representation(size: length).response(to: request, headers: headers, now: .now) { range in
            let start = range?.lowerBound ?? 0
            let end = range?.upperBound ?? length
            return .stream(length: end.map { $0 - start }, ArrivingBody(file, from: start, to: end))
        }
    }

    /// Nothing may be fetched for the asset now.
    static func notNow(_ unit: AbsentUnit, _ token: AssetToken) -> Response {
        Problem(
            status: .serviceUnavailable, type: "segment-missing", detail: unit.explanation, token: token,
            retryAfter: 2
        ).response
    }

    /// The origin does not give it, or there is no room for it: it can't be had now, whatever the reason. What the origin
    /// does not have it will hardly have in a moment, but a fresh address or a repair may.
    private static func failed(_ reason: StoreError, _ token: AssetToken) -> Response {
        var problem = reason.problem(token)
        (problem.status, problem.retryAfter) = (.serviceUnavailable, reason.isOfAbsence ? 60 : 2)
        return problem.response
    }
}

extension AbsentUnit {
    /// Why it is not there, and what brings it.
    fileprivate var explanation: String {
        if isInBucket { return "The bucket of the store's media does not give this part now." }
        guard state == .complete else {
            return "This part is not stored yet; the asset is \(state.rawValue)"
                + (reason.map { " (\($0))." } ?? ".")
        }
        guard let failure else {
            return "This part is gone from the store; \(Remedy.repair) fetches it again."
        }
        return "Its rendition was given up (\(failure)); \(Remedy.repair) tries it again."
    }
}

extension StoreError {
    /// Whether the origin says that it does not have it.
    fileprivate var isOfAbsence: Bool {
        switch code {
        case .status(404, _), .status(410, _): true
        default: false
        }
    }
}
