internal import APIDocuments
internal import AssetStore
internal import Forwarding
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
                    if let response = try await unknownResponse(unit, by: deadline) { return response }
                case .stored(let stored):
                    return file(
                        request, unit.token, path: stored.path, type: unit.type(in: stored.container),
                        caching: .immutable, size: stored.size, tag: stored.entityTag, mark: stored.mark,
                        key: key)
                case .absent(let found):
                    absent = found
                    // The unit may have been stored in the meantime; then nothing is fetched.
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

    /// The answer about a unit that a look did not find; `nil` if it is there once the asset's playlists have been read.
    /// They may have been read since that look.
    func unknownResponse(
        _ unit: UnitAddress, by deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> Response? {
        await patient(until: deadline).untilResolved(unit.token)
        guard case .unknown = try look(for: unit) else { return nil }
        return try unresolvedResponse(unit.token) ?? missing(unit.token)
    }

    /// The reason for which a license refuses a resource. A film that was begun may be finished after the license has
    /// expired: its playlists and segments stay available for its play time.
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

    func refusal(_ unit: UnitAddress) throws(StoreError) -> LicenseRefusal? {
        Trace.pass(.license, "\(unit.token)")
        return keys.isQuicklyPermitted(unit.token) ? nil : try keys.refusalWhenIdle(unit.token)
    }

    func look(for unit: UnitAddress) throws(StoreError) -> UnitAnswer {
        try reader.media.unit(
            unit.token, unit.rendition, named: unit.name, extension: unit.suffix, counts: false)
    }

    /// Waits for the origin's answer, for a limited time.
    func answer(of file: ArrivingFile) async {
        await patiently { await file.answered() }
    }

    /// Waits for `event`, no longer than a player waits for the header section.
    ///
    /// - Returns: the result; `nil` when it takes too long. Then the task is cancelled.
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

    /// The time by which a player that asks now gets a header section.
    var headDeadline: ContinuousClock.Instant { ContinuousClock.Instant.now + patience }

    /// A copy whose patience ends at this time.
    func patient(until deadline: ContinuousClock.Instant) -> MediaResponder {
        var responder = self
        responder.patience = max(.zero, ContinuousClock.Instant.now.duration(to: deadline))
        return responder
    }

    private func arrivingResponse(_ request: Request, _ file: ArrivingFile, type: String) -> Response {
        Trace.pass(.arrivingResponse, request.traced)
        let length = file.length
        // Without a length, a cache could take a fragment for the whole segment.
        let headers = headers(length == nil ? .none : .arriving, type: type)
        return Representation(size: length).response(to: request, headers: headers, now: .now) { range in
            let start = range?.lowerBound ?? 0
            let end = range?.upperBound ?? length
            return .stream(length: end.map { $0 - start }, ArrivingBody(file, from: start, to: end))
        }
    }

    /// The asset's state or license permits no fetch now.
    static func notNow(_ unit: AbsentUnit, _ token: AssetToken) -> Response {
        Problem(
            status: .serviceUnavailable, type: "segment-missing", detail: unit.explanation, token: token,
            retryAfter: 2
        ).response
    }

    /// The origin refuses the unit, or the disk is full: the unit can't be had now (503). A unit that the origin
    /// lacks may come after a fresh address or a repair, not in a moment.
    private static func failed(_ reason: StoreError, _ token: AssetToken) -> Response {
        var problem = reason.problem(token)
        (problem.status, problem.retryAfter) = (.serviceUnavailable, reason.isOfAbsence ? 60 : 2)
        return problem.response
    }
}

extension AbsentUnit {
    /// The reason for which it is not stored, and the advice.
    fileprivate var explanation: String {
        if isInBucket {
            return "The bucket of the store's media does not deliver this segment now; ask again in a moment."
        }
        guard state == .complete else {
            return "This segment is not stored yet; the asset is \(state.rawValue)"
                + (reason.map { " (\($0))." } ?? ".")
        }
        guard let failure else {
            return "This segment is gone from the store; \(Remedy.repair) fetches it again."
        }
        return "Its rendition was given up (\(failure)); \(Remedy.repair) tries it again."
    }
}

extension StoreError {
    /// Whether the origin answered that the resource does not exist.
    fileprivate var isOfAbsence: Bool {
        switch code {
        case .status(404, _), .status(410, _): true
        default: false
        }
    }
}
