internal import AssetFiles
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Media as fragmented MP4, whatever they are stored as (`?container=fmp4`).
extension MediaResponder {
    /// Answers requests for playlists and segments as fragmented MP4; `nil` for anything else.
    func fragmentedAnswer(_ request: Request, _ token: AssetToken, resource: AssetResource) -> Answer? {
        guard request.query != nil, QueryItems(request.query).isFragmented else { return nil }
        switch resource {
        case .mediaPlaylist(let rendition):
            return .later(deadline: Self.deadline) { request in
                await self.onceResolved(token) {
                    await self.fragmentedPlaylist(request, token, rendition: rendition)
                }
            }
        case .unit(let rendition, let name, let suffix):
            return .later(deadline: Self.deadline) { request in
                let unit = UnitAddress(token, rendition: rendition, name: name, suffix: suffix)
                return await self.fragmentedUnit(request, unit, by: self.headDeadline)
            }
        default: return nil
        }
    }

    private func fragmentedPlaylist(
        _ request: Request, _ token: AssetToken, rendition: String
    ) async -> Response {
        let view = QueryItems(request.query).liveView
        let made = attempt(token) { () throws(StoreError) -> Response in
            if let refusal = try keys.refusalWhenIdle(token) { return refusal.problem(token).response }
            if let response = try unresolvedResponse(token) { return response }
            let isAvailableOnly = QueryItems(request.query).isAvailableOnly
            guard try reader.playlists.isConverted(token, rendition) else {
                return view.isClear
                    ? try clearPlaylist(request, token, rendition: rendition)
                    : try mediaPlaylist(
                        request, token, rendition: rendition,
                        key: Self.key(of: request, .mediaPlaylist(rendition: rendition))
                    )
            }
            let bytes =
                isAvailableOnly
                ? try reader.playlists.availableMediaPlaylist(token, rendition, view: view)
                : try reader.playlists.fragmentedMediaPlaylist(token, rendition, view: view)
            return bytes.map { text(request, $0) } ?? missing(token)
        }
        return made
    }

    /// A segment or an initialization section of what is made into fragmented MP4; all else is served as ever.
    private func fragmentedUnit(
        _ request: Request, _ unit: UnitAddress, by deadline: ContinuousClock.Instant
    ) async -> Response {
        let form = QueryItems(request.query).fragmentedForm
        do throws(AssetFileError) {
            guard
                let container = try await converted({ () throws(AssetFileError) in
                    try fragmented.container(of: unit.rendition, unit.token, as: form, in: store)
                })
            else {
                return QueryItems(request.query).isClear
                    ? await clearUnit(request, unit, by: deadline)
                    : await unitResponse(request, unit, key: request.path)
            }
            guard let number = try await segment(of: unit, form) else { return missing(unit.token) }
            if let late = try await fetch(number, of: unit, container: container, for: request, by: deadline)
            {
                return late
            }
            return try await made(request, unit, form) ?? missing(unit.token)
        } catch {
            return error.problem(unit.token).response
        }
    }

    /// The stored segment that a unit is made of; `nil` when there is none.
    private func segment(of unit: UnitAddress, _ form: FragmentedForm) async throws(AssetFileError) -> Int? {
        switch (unit.name, unit.suffix) {
        case (.segment(let number), "m4s"): number
        case (.initialization(let number), "mp4"):
            try await converted { () throws(AssetFileError) in
                try fragmented.firstSegment(of: number, unit.rendition, unit.token, as: form, in: store)
            }
        default: nil
        }
    }

    /// Fetches a segment that is not stored.
    ///
    /// - Returns: why it can't be had now; `nil` when it is there.
    private func fetch(
        _ number: Int, of unit: UnitAddress, container: ContainerFormat, for request: Request,
        by deadline: ContinuousClock.Instant
    ) async throws(AssetFileError) -> Response? {
        let source = UnitAddress(
            unit.token, rendition: unit.rendition, name: .segment(number), suffix: container.rawValue)
        do throws(StoreError) {
            guard case .absent(let absent) = try look(for: source) else { return nil }
            let (store, counts) = (store, !request.isHead)
            await patient(until: deadline).patiently { await store.media.fetch([absent], counts: counts) }
            guard case .absent(let still) = try look(for: source) else { return nil }
            return Self.notNow(still, unit.token)
        } catch { throw .store(error) }
    }

    private func made(
        _ request: Request, _ unit: UnitAddress, _ form: FragmentedForm
    ) async throws(AssetFileError) -> Response? {
        let made = try await converted { () throws(AssetFileError) -> (bytes: [UInt8], entityTag: String)? in
            switch unit.name {
            case .segment(let number):
                return try fragmented.segment(
                    number, of: unit.rendition, unit.token, as: form, in: store, counts: !request.isHead)
            case .initialization(let number):
                let bytes = try fragmented.section(
                    number, of: unit.rendition, unit.token, as: form, in: store)
                return bytes.map { ($0, ContentTag.of($0)) }
            }
        }
        guard let made else { return nil }
        let representation = Representation(
            size: UInt64(made.bytes.count), entityTag: EntityTag(strong: made.entityTag))
        let fields = headers(.none, type: MediaType.of(extension: unit.suffix))
        return representation.response(to: request, headers: fields, now: .now) { range in
            .bytes(range.map { Array(made.bytes[Int($0.lowerBound)..<Int($0.upperBound)]) } ?? made.bytes)
        }
    }

    private func converted<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AssetFileError) -> Value
    ) async throws(AssetFileError) -> Value {
        try await WorkPool.queries.run(work)
    }
}

extension QueryItems {
    /// The form in which fragmented MP4 is wanted: which tracks, and where a segment is to begin.
    fileprivate var fragmentedForm: FragmentedForm {
        let part = self["tracks"].flatMap { FragmentedForm.Part(rawValue: $0) } ?? .all
        let beginning = self["at"].flatMap { Int64($0) }.flatMap { (0...1 << 50).contains($0) ? $0 : nil }
        return FragmentedForm(part, beginning: beginning)
    }
}
