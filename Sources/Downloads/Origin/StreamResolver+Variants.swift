internal import HLSPlaylist

/// Variants and audio that a multivariant playlist lists and that are not there.
extension StreamResolver {
    /// Reads the streams that a selection chooses. If the playlist of the chosen variant is missing or invalid, the
    /// selection chooses among the other variants, and `lost` gets the first one.
    ///
    /// The asset's present renditions must exist, and every variant if all are selected.
    ///
    /// - Parameter rows: the present renditions of an asset.
    func readChoice(
        from master: MultivariantPlaylist, _ selection: Selection, for rows: [RenditionRecord], base: String,
        lost: (SelectedStream, StoreError) -> Void
    ) async throws(StoreError) -> [ResolvedStream] {
        var absent = try await absentVariants(of: master, selection, base: base)
        let mayPassOver = rows.isEmpty && !selection.allVariants
        let budget = PlaylistBudget()
        var known: [SelectedStream: Result<ResolvedStream, StoreError>] = [:]
        while true {
            let selected = try Self.choice(from: master, selection, for: rows, absent)
            let unread = selected.filter { known[$0] == nil }
            let results = await results(for: unread, of: master, base: base, budget)
            for (stream, result) in zip(unread, results) { known[stream] = result }
            let found = selected.compactMap { known[$0] }
            if mayPassOver, let variant = Self.absentVariant(selected, found) {
                absent.append(variant)
                continue
            }
            let choice = rows.isEmpty ? Self.withOtherAudio(selected, found) : selected
            let mayChange = rows.isEmpty && selection.audio == .automatic
            if mayChange, let audio = Self.absentAudio(choice, results: found, absent: absent) {
                absent.append(audio)
                continue
            }
            let streams = try Self.streams(choice, found, lost: lost)
            for missing in absent { lost(missing.stream, missing.error) }
            return streams
        }
    }

    /// The selection in which other audio replaces required audio that is missing, since players use the first that
    /// exists.
    private static func withOtherAudio(
        _ selected: [SelectedStream], _ results: [Result<ResolvedStream, StoreError>]
    ) -> [SelectedStream] {
        var choice = selected
        for case (let index, (let stream, .failure(let error))) in zip(selected, results).enumerated()
        where stream.kind == .audio && stream.required && error.isOfAbsentPlaylist {
            let other = zip(selected, results).enumerated().first { _, pair in
                guard case .success(let resolved) = pair.1 else { return false }
                return pair.0.kind == .audio && resolved.playlist != nil
                    && pair.0.audioGroup == stream.audioGroup
            }
            guard let other else { continue }
            (choice[index].required, choice[other.offset].required) = (false, true)
        }
        return choice
    }

    /// Required audio that is missing, unless its group has nothing else: then the download fails because of it.
    private static func absentAudio(
        _ selected: [SelectedStream], results: [Result<ResolvedStream, StoreError>],
        absent: [AbsentStream]
    ) -> AbsentStream? {
        for case (let stream, .failure(let error)) in zip(selected, results)
        where stream.kind == .audio && stream.required && error.isOfAbsentPlaylist
            && !absent.contains(where: { $0.stream == stream })
        {
            return AbsentStream(stream: stream, error: error)
        }
        return nil
    }

    /// A variant or audio rendition whose playlist is missing or invalid.
    private struct AbsentStream {
        var stream: SelectedStream
        var error: StoreError
    }

    /// The choice of a selection without missing variants.
    ///
    /// - Throws: the error of the first missing variant, if nothing in its place fits the selection.
    private static func choice(
        from master: MultivariantPlaylist, _ selection: Selection, for rows: [RenditionRecord],
        _ absent: [AbsentStream]
    ) throws(StoreError) -> [SelectedStream] {
        do throws(StoreError) {
            return try StreamSelector.select(
                from: master, selection, for: rows, without: Set(absent.compactMap(\.stream.uri)))
        } catch {
            throw absent.first?.error ?? error
        }
    }

    /// The first variant that has to be there and is not.
    private static func absentVariant(
        _ selected: [SelectedStream], _ results: [Result<ResolvedStream, StoreError>]
    ) -> AbsentStream? {
        for case (let stream, .failure(let error)) in zip(selected, results)
        where stream.kind == .variant && stream.required && stream.uri != nil && error.isOfAbsentPlaylist {
            return AbsentStream(stream: stream, error: error)
        }
        return nil
    }

    /// Variants that a folder lists but lacks, if all of its variants are selected: copies of a stream often have one
    /// variant and the list of all. At least one of them must exist.
    private func absentVariants(
        of master: MultivariantPlaylist, _ selection: Selection, base: String
    ) async throws(StoreError) -> [AbsentStream] {
        guard origin is LocalFolder, selection == .everything else { return [] }
        let variants = try StreamSelector.select(from: master, selection).filter { $0.kind == .variant }
        let budget = PlaylistBudget()
        var absent: [AbsentStream] = []
        for variant in variants {
            guard case .failure(let error) = await attempt(variant, of: master, base: base, budget) else {
                continue
            }
            if case .ineligible(.tooMuch) = error.code { throw error }
            absent.append(AbsentStream(stream: variant, error: error))
        }
        if absent.count == variants.count, let first = absent.first { throw first.error }
        return absent
    }
}

extension SelectedStream {
    fileprivate var audioGroup: String? { listings.first?["GROUP-ID"] }
}

extension StoreError {
    /// Whether a playlist is missing for good, or invalid: a retry would get the same.
    package var isOfAbsentPlaylist: Bool {
        switch code {
        case .status(403, _), .status(404, _), .status(410, _), .playlist: true
        case .ineligible(.empty), .ineligible(.nestedMultivariant): true
        default: false
        }
    }
}
