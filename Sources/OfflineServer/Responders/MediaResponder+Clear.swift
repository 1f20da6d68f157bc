internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Media in the clear, for players that can't decrypt them themselves: while the license is valid.
extension MediaResponder {
    /// Answers requests for playlists and segments in the clear; `nil` for other resources.
    func clearAnswer(_ request: Request, _ token: AssetToken, resource: AssetResource) -> Answer? {
        guard request.query != nil else { return nil }
        let query = QueryItems(request.query)
        if case .mediaPlaylist(let rendition) = resource, query.isForClearKey, !query.isClear {
            return .later(deadline: Self.deadline, on: Self.threads) { request in
                await self.onceResolved(token) {
                    self.attempt(token) { () throws(StoreError) in
                        try self.clearKeyPlaylist(request, token, rendition: rendition)
                    }
                }
            }
        }
        guard query.isClear else { return nil }
        switch resource {
        case .mediaPlaylist(let rendition):
            return .later(deadline: Self.deadline, on: Self.threads) { request in
                await self.onceResolved(token) {
                    self.attempt(token) { () throws(StoreError) in
                        try self.clearPlaylist(request, token, rendition: rendition)
                    }
                }
            }
        case .unit(let rendition, let name, let suffix):
            return .later(deadline: Self.deadline, on: Self.threads) { request in
                await self.clearUnit(
                    request, UnitAddress(token, rendition: rendition, name: name, suffix: suffix),
                    by: self.headDeadline)
            }
        default: return nil
        }
    }

    private func clearKeyPlaylist(
        _ request: Request, _ token: AssetToken, rendition: String
    ) throws(StoreError) -> Response {
        if let refusal = try keys.refusalWhenIdle(token) { return refusal.problem(token).response }
        if let response = try unresolvedResponse(token) { return response }
        let query = QueryItems(request.query)
        let playlist = try store.media.clearKeyMediaPlaylist(
            token, rendition, view: query.liveView, isAvailableOnly: query.isAvailableOnly)
        guard let bytes = playlist else { return missing(token) }
        return text(request, bytes)
    }

    func clearPlaylist(
        _ request: Request, _ token: AssetToken, rendition: String
    ) throws(StoreError) -> Response {
        if let refusal = try keys.refusal(token) { return refusal.problem(token).response }
        if let response = try unresolvedResponse(token) { return response }
        let query = QueryItems(request.query)
        let playlist =
            query.isAvailableOnly
            ? try reader.playlists.availableMediaPlaylist(token, rendition, view: query.liveView)
            : try clearPlaylist(token, rendition, view: query.liveView)
        guard let bytes = playlist else { return missing(token) }
        return text(request, bytes)
    }

    /// A playlist that was made for this request.
    func text(_ request: Request, _ bytes: [UInt8], type: String = MediaType.playlist) -> Response {
        Representation(
            size: UInt64(bytes.count), entityTag: EntityTag(strong: ContentTag.of(bytes))
        ).response(to: request, headers: headers(.none, type: type), now: .now) { range in
            .bytes(range.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) } ?? bytes)
        }
    }

    private func clearPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        if let bytes = try reader.playlists.growingMediaPlaylist(token, rendition, view: view) {
            return bytes
        }
        return try reader.playlists.clearMediaPlaylist(token, rendition, view: view)
    }

    /// A unit in the clear, decrypted while it is sent. A unit without encryption is answered as usual.
    ///
    /// - Parameters:
    ///   - deadline: the time at which the header section is due.
    ///   - mayFetch: whether a missing unit is fetched.
    func clearUnit(
        _ request: Request, _ unit: UnitAddress, by deadline: ContinuousClock.Instant, mayFetch: Bool = true
    ) async -> Response {
        do throws(StoreError) {
            switch try look(for: unit) {
            case .unknown:
                if let response = try await unknownResponse(unit, by: deadline) { return response }
                return await clearUnit(request, unit, by: deadline, mayFetch: mayFetch)
            case .stored(let stored):
                let late = try await patient(until: deadline).learnSection(of: unit)
                if let late { return Self.notNow(late, unit.token) }
                let tag = try clearTag(of: stored, unit.token)
                let known = Representation(size: nil, entityTag: EntityTag(strong: tag))
                let counts = Self.isTaken(known, by: request)
                return try await patient(until: deadline).clear(
                    request, unit, container: stored.container, tag: tag, mark: stored.mark
                ) { () throws(StoreError) in
                    try store.media.clear(
                        stored, of: unit.token, rendition: unit.rendition, named: unit.name, counts: counts)
                }
            case .absent(let absent):
                guard mayFetch else { return Self.notNow(absent, unit.token) }
                guard let file = await store.media.demand(absent, counts: !request.isHead) else {
                    // The unit may have been stored in the meantime.
                    return await clearUnit(request, unit, by: deadline, mayFetch: false)
                }
                switch try await isReady(file, unit, by: deadline) {
                case nil: return Self.notNow(absent, unit.token)
                case true? where file.trouble != nil: return Self.notNow(absent, unit.token)
                case false?: return await clearUnit(request, unit, by: deadline, mayFetch: false)
                case true?: break
                }
                let responder = patient(until: deadline)
                return try await responder.clear(request, unit, container: absent.container, tag: nil) {
                    () throws(StoreError) in
                    try store.media.clear(
                        file, of: unit.token, rendition: unit.rendition, named: unit.name,
                        counts: !request.isHead)
                }
            }
        } catch {
            return error.mediaProblem(unit.token).response
        }
    }

    /// The validator of decrypted bytes. It includes the key's digest, since another key gives other bytes.
    private func clearTag(of stored: StoredFile, _ token: AssetToken) throws(StoreError) -> String {
        let given = try keys.digestOfGivenKeys(token)
        return "\(stored.entityTag)-clear\(given.isEmpty ? "" : "-\(ContentTag.of(given))")"
    }

    /// Waits for the bytes of an arriving unit that are needed before its first byte can be decrypted.
    ///
    /// - Returns: whether the bytes are there; `nil` when they have not come by the deadline.
    private func isReady(
        _ file: ArrivingFile, _ unit: UnitAddress, by deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> Bool? {
        if case .initialization = unit.name { return try await patient(until: deadline).end(of: file) }
        guard try await patient(until: deadline).learnSection(of: unit) == nil else { return nil }
        await patient(until: deadline).answer(of: file)
        return !file.hasFailed
    }

    /// Waits until all of a unit is stored, or the deadline has come.
    ///
    /// - Returns: whether the unit is stored; `nil` when the deadline came first.
    private func end(of file: ArrivingFile) async throws(StoreError) -> Bool? {
        let result = await patiently { () async -> Result<Bool, StoreError> in
            do throws(StoreError) { return .success(try await file.ended()) } catch { return .failure(error) }
        }
        return try result?.get()
    }

    /// Sees to it that the initialization section of a segment was looked at, and gets it first if need be.
    ///
    /// - Returns: the section when it can't be had now.
    private func learnSection(of unit: UnitAddress) async throws(StoreError) -> AbsentUnit? {
        let needed = try store.media.initializationSection(neededBy: unit.name, unit.token, unit.rendition)
        guard let needed else { return nil }
        let section = UnitAddress(unit.token, rendition: unit.rendition, name: needed, suffix: "mp4")
        guard case .absent(let absent) = try look(for: section) else { return nil }
        guard let file = await store.media.demand(absent) else {
            // The section may have been stored in the meantime.
            guard case .absent = try look(for: section) else { return nil }
            return absent
        }
        guard try await end(of: file) == true else { return absent }
        try store.media.learn(file, of: unit.token, rendition: unit.rendition, named: needed)
        return nil
    }

    private func clear(
        _ request: Request, _ unit: UnitAddress, container: ContainerFormat, tag: String?,
        mark: PlayMark? = nil,
        open: @escaping @Sendable () throws(StoreError) -> ClearMedia?
    ) async throws(StoreError) -> Response {
        guard let media = try open() else {
            return await unitResponse(request, unit, key: request.path)
        }
        let representation = Representation(
            size: media.length, entityTag: tag.flatMap { EntityTag(strong: $0) })
        note(mark, representation, request: request)
        let fields = headers(.none, type: unit.type(in: container))
        return representation.response(to: request, headers: fields, now: .now) { range in
            let end = range?.upperBound ?? media.length
            let start = range?.lowerBound ?? 0
            return .stream(length: end.map { $0 - start }, ClearBody(media, from: start, to: end))
        }
    }

    func attempt(_ token: AssetToken, _ work: () throws(StoreError) -> Response) -> Response {
        do throws(StoreError) { return try work() } catch { return error.mediaProblem(token).response }
    }
}
