internal import APIDocuments
internal import AssetFiles
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers with media as fragmented MP4, whatever they are stored as (`?container=fmp4`).
struct FragmentedResponder {
    let media: MediaResponder

    /// Answers requests for playlists and segments as fragmented MP4; `nil` for other resources.
    func answer(_ request: Request, _ token: AssetToken, resource: AssetResource) -> Answer? {
        guard request.query != nil, QueryItems(request.query).isFragmented else { return nil }
        switch resource {
        case .mediaPlaylist(let rendition):
            return .later(deadline: MediaResponder.deadline) { request in
                await self.media.onceResolved(token) {
                    await self.playlist(request, token, rendition: rendition)
                }
            }
        case .unit(let rendition, let name, let suffix):
            return .later(deadline: MediaResponder.deadline) { request in
                let unit = UnitAddress(token, rendition: rendition, name: name, suffix: suffix)
                return await self.unit(request, unit, by: self.media.headDeadline)
            }
        default: return nil
        }
    }

    private func playlist(
        _ request: Request, _ token: AssetToken, rendition: String
    ) async -> Response {
        let view = QueryItems(request.query).liveView
        let made = media.attempt(token) { () throws(StoreError) -> Response in
            if let refusal = try media.keys.refusalWhenIdle(token) { return refusal.problem(token).response }
            if let response = try media.unresolvedResponse(token) { return response }
            let isAvailableOnly = QueryItems(request.query).isAvailableOnly
            guard try media.reader.playlists.isConverted(token, rendition) else {
                return view.isClear
                    ? try media.clearPlaylist(request, token, rendition: rendition)
                    : try media.mediaPlaylist(
                        request, token, rendition: rendition,
                        key: MediaResponder.key(of: request, .mediaPlaylist(rendition: rendition))
                    )
            }
            let bytes =
                isAvailableOnly
                ? try media.reader.playlists.availableMediaPlaylist(token, rendition, view: view)
                : try media.reader.playlists.fragmentedMediaPlaylist(token, rendition, view: view)
            return bytes.map { media.text(request, $0) } ?? media.missing(token)
        }
        return made
    }

    /// A segment or an initialization section of a rendition that is converted to fragmented MP4; other units are
    /// served as they are stored.
    private func unit(
        _ request: Request, _ unit: UnitAddress, by deadline: ContinuousClock.Instant
    ) async -> Response {
        let form = QueryItems(request.query).fragmentedForm
        do throws(AssetFileError) {
            guard
                let container = try await converted({ () throws(AssetFileError) in
                    try media.fragmented.container(of: unit.rendition, unit.token, as: form, in: media.store)
                })
            else {
                return QueryItems(request.query).isClear
                    ? await media.clearUnit(request, unit, by: deadline)
                    : await media.unitResponse(request, unit, key: request.path)
            }
            guard let number = try await segment(of: unit, form) else { return media.missing(unit.token) }
            let source = UnitAddress(
                unit.token, rendition: unit.rendition, name: .segment(number), suffix: container.rawValue)
            switch try await fetched(source, for: request, by: deadline) {
            case .stored(let file):
                return try await made(unit, form, of: file.mark, for: request) ?? media.missing(unit.token)
            case .absent(let absent): return MediaResponder.notNow(absent, unit.token)
            case .unknown:
                return try await made(unit, form, of: nil, for: request) ?? media.missing(unit.token)
            }
        } catch {
            return error.problem(unit.token).response
        }
    }

    /// The stored segment that a unit is made of; `nil` if it is not stored.
    private func segment(of unit: UnitAddress, _ form: FragmentedForm) async throws(AssetFileError) -> Int? {
        switch (unit.name, unit.suffix) {
        case (.segment(let number), "m4s"): number
        case (.initialization(let number), "mp4"):
            try await converted { () throws(AssetFileError) in
                try media.fragmented.firstSegment(
                    of: number, unit.rendition, unit.token, as: form, in: media.store)
            }
        default: nil
        }
    }

    /// Looks for a segment, and has it fetched if it is not stored.
    private func fetched(
        _ source: UnitAddress, for request: Request, by deadline: ContinuousClock.Instant
    ) async throws(AssetFileError) -> UnitAnswer {
        do throws(StoreError) {
            let first = try media.look(for: source)
            guard case .absent(let absent) = first else { return first }
            let (store, counts) = (media.store, !request.isHead)
            await media.patient(until: deadline).patiently {
                await store.media.fetch([absent], counts: counts)
            }
            return try media.look(for: source)
        } catch { throw .store(error) }
    }

    /// - Parameter mark: the place of the segment that the answer is made of.
    private func made(
        _ unit: UnitAddress, _ form: FragmentedForm, of mark: PlayMark?, for request: Request
    ) async throws(AssetFileError) -> Response? {
        let made = try await converted { () throws(AssetFileError) -> (bytes: [UInt8], entityTag: String)? in
            switch unit.name {
            case .segment(let number):
                return try media.fragmented.segment(
                    number, of: unit.rendition, unit.token, as: form, in: media.store, counts: !request.isHead
                )
            case .initialization(let number):
                let bytes = try media.fragmented.section(
                    number, of: unit.rendition, unit.token, as: form, in: media.store)
                return bytes.map { ($0, ContentTag.of($0)) }
            }
        }
        guard let made else { return nil }
        let representation = Representation(
            size: UInt64(made.bytes.count), entityTag: EntityTag(strong: made.entityTag))
        if case .segment = unit.name { media.note(mark, representation, request: request) }
        let fields = media.headers(.none, type: MediaType.of(extension: unit.suffix))
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
    /// The requested form of fragmented MP4: which tracks it has, and at which time a segment begins.
    fileprivate var fragmentedForm: FragmentedForm {
        let part = self["tracks"].flatMap { FragmentedForm.Part(rawValue: $0) } ?? .all
        let beginning = self["at"].flatMap { Int64($0) }.flatMap { (0...1 << 50).contains($0) ? $0 : nil }
        return FragmentedForm(part, beginning: beginning)
    }
}
