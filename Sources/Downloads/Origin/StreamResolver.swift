internal import FoundationEssentials
package import HLSPlaylist
internal import Transfers

/// The playlist that a URL leads to.
package struct ResolvedMaster: Sendable {
    /// The address after redirects.
    package var url: String
    package var playlist: Playlist
}

/// Reads the playlists of a stream, and makes the plan of its download.
package struct StreamResolver: Sendable {
    package let origin: any StreamSource
    /// Whether to accept streams that are encrypted for key systems only.
    package let allowsMissingKeys: Bool
    /// The providers of keys of key systems.
    package let providers: KeyProviders
    /// Whether live streams are accepted.
    private var allowsLive = false
    static let sniffLength: UInt64 = 1024

    /// - Parameters:
    ///   - allowsMissingKeys: whether to accept streams that are encrypted for key systems only.
    ///   - providers: the providers of keys of key systems.
    package init(
        origin: any StreamSource, allowsMissingKeys: Bool = false, providers: KeyProviders = KeyProviders()
    ) {
        self.origin = origin
        self.allowsMissingKeys = allowsMissingKeys
        self.providers = providers
    }

    /// Reads the playlist that a user named. If its host turns out to be on a private network, the origin is adapted to
    /// that.
    package static func open(
        _ url: String, _ origin: Origin
    ) async throws(StoreError) -> (origin: Origin, master: ResolvedMaster) {
        do throws(StoreError) {
            return (origin, try await StreamResolver(origin: origin).read(url))
        } catch {
            guard case .transfer(let failure) = error.code, failure.cause.code == .addressRefused,
                let near = try await origin.adapted(to: url)
            else { throw error }
            return (near, try await StreamResolver(origin: near).read(url))
        }
    }

    /// Reads the playlist at an address from the user.
    ///
    /// - Parameter variables: the variables of the multivariant playlist, if this is one of its media playlists.
    package func read(_ url: String, variables: [String: String]? = nil) async throws(StoreError)
        -> ResolvedMaster
    {
        let (bytes, final) = try await origin.playlist(url)
        do throws(PlaylistError) {
            let context = VariableContext(imported: variables, playlistURL: final)
            return ResolvedMaster(url: final, playlist: try Playlist(parsing: bytes, context: context))
        } catch {
            throw StoreError(.playlist(error), url: URIReference(final).redacted)
        }
    }

    /// Reads all playlists that `selection` chooses.
    ///
    /// An optional rendition that can't be read is left out; `lost` gets the reason.
    ///
    /// - Parameter rows: the present renditions of the asset.
    package func plan(
        _ master: ResolvedMaster, _ selection: Selection, for rows: [RenditionRecord] = [],
        lost: (SelectedStream, StoreError) -> Void
    ) async throws(StoreError) -> DownloadPlan {
        Trace.pass(.resolver, URIReference(master.url).redacted)
        var resolver = self
        resolver.allowsLive = selection.recording != nil
        switch master.playlist {
        case .media(let playlist):
            let stream = try await resolver.resolved(Self.soleStream(playlist), playlist, url: master.url)
            var plan = try Self.partPlan([stream], sources: [], selection, lost: lost)
            plan.leftOut = try LeftOut.all(of: selection, in: master.playlist)
            return plan
        case .multivariant(let playlist):
            var missing: Set<String> = []
            let whole = try await resolver.readChoice(from: playlist, selection, for: rows, base: master.url)
            {
                if $0.kind == .variant, let uri = $0.uri { missing.insert(uri) }
                lost($0, $1)
            }
            let source = SourcePlaylist(rendition: "", url: master.url, body: playlist.serialized)
            var plan = try Self.partPlan(whole, sources: [source], selection, lost: lost)
            plan.leftOut = try LeftOut.all(of: selection, in: master.playlist, without: missing)
            return plan
        }
    }

    /// The plan of the selected part of the presentation.
    private static func partPlan(
        _ whole: [ResolvedStream], sources: [SourcePlaylist], _ selection: Selection,
        lost: (SelectedStream, StoreError) -> Void
    ) throws(StoreError) -> DownloadPlan {
        let cut = TimeCut(selection)
        let streams = try cut?.cut(whole) ?? whole
        var plan = try LiveStart.plan(streams, sources: sources, selection.recording, lost: lost)
        plan.partStart = try cut?.start(in: whole)
        return plan
    }

    /// The stream of a media playlist that no multivariant one lists, with the bit rate that it tells, if it does.
    package static func soleStream(_ playlist: MediaPlaylist) -> SelectedStream {
        let declared = playlist.segments.lazy.compactMap(\.bitrate).max().map {
            Int64(bytes: Double($0) * 1000)
        }
        let ranged = playlist.segments.lazy.compactMap { segment in
            segment.byteRange.map { Double($0.length) * 8 / max(segment.duration, 0.1) }
        }.max().map { Int64(bytes: $0) }
        var attributes = AttributeList()
        if let told = declared ?? ranged { attributes = attributes.setting("BANDWIDTH", plain: "\(told)") }
        return SelectedStream(kind: .variant, uri: nil, required: true, listings: [attributes])
    }

    /// Reads the media playlists of streams. Optional ones that can't be read are left out, and `lost` gets the
    /// reasons.
    package func readAll(
        _ selected: [SelectedStream], of master: MultivariantPlaylist, base: String,
        lost: (SelectedStream, StoreError) -> Void
    ) async throws(StoreError) -> [ResolvedStream] {
        let results = await results(for: selected, of: master, base: base, PlaylistBudget())
        return try Self.streams(selected, results, lost: lost)
    }

    /// The results of reading the media playlists of streams, in their order.
    package func results(
        for selected: [SelectedStream], of master: MultivariantPlaylist, base: String,
        _ budget: PlaylistBudget
    ) async -> [Result<ResolvedStream, StoreError>] {
        await withTaskGroup(of: (Int, Result<ResolvedStream, StoreError>).self) { group in
            var results = [Result<ResolvedStream, StoreError>?](repeating: nil, count: selected.count)
            for (index, stream) in selected.enumerated() {
                if index >= PlaylistBudget.atOnce, let (read, result) = await group.next() {
                    results[read] = result
                }
                group.addTask { (index, await self.attempt(stream, of: master, base: base, budget)) }
            }
            for await (index, result) in group { results[index] = result }
            return results.compactMap(\.self)
        }
    }

    /// The streams that could be read; `lost` gets the optional ones that could not.
    package static func streams(
        _ selected: [SelectedStream], _ results: [Result<ResolvedStream, StoreError>],
        lost: (SelectedStream, StoreError) -> Void
    ) throws(StoreError) -> [ResolvedStream] {
        var streams: [ResolvedStream] = []
        for (stream, result) in zip(selected, results) {
            switch result {
            case .success(var resolved):
                resolved.selected.required = stream.required
                streams.append(resolved)
            case .failure(let error) where stream.required: throw error
            case .failure(let error): lost(stream, error)
            }
        }
        return streams
    }

    package func attempt(
        _ stream: SelectedStream, of master: MultivariantPlaylist, base: String, _ budget: PlaylistBudget
    ) async -> Result<ResolvedStream, StoreError> {
        guard let uri = stream.uri else {
            return .success(ResolvedStream(selected: stream, url: "", playlist: nil, container: .ts))
        }
        let url = URIReference(uri).resolved(against: URIReference(base)).description
        do throws(StoreError) {
            try budget.enter()
            return .success(try await read(stream, at: url, of: master, budget))
        } catch {
            if case .ineligible(.tooMuch) = error.code { return .failure(error) }
            // Redundant variants and other pathways have the same media.
            for other in AlternativeStreams(master, base: base).urls(of: stream) where other != url {
                guard (try? budget.enter()) != nil else { break }
                if let found = try? await read(stream, at: other, of: master, budget) {
                    return .success(found)
                }
            }
            return .failure(error)
        }
    }

    private func read(
        _ stream: SelectedStream, at url: String, of master: MultivariantPlaylist, _ budget: PlaylistBudget
    ) async throws(StoreError) -> ResolvedStream {
        let (bytes, final) = try await origin.playlist(url)
        try budget.take(bytes.count)
        return try await resolved(stream, try Self.media(bytes, url: final, master: master), url: final)
    }

    private static func media(
        _ bytes: [UInt8], url: String, master: MultivariantPlaylist
    ) throws(StoreError) -> MediaPlaylist {
        let parsed: Playlist
        do throws(PlaylistError) {
            let context = VariableContext(imported: master.variables, playlistURL: url)
            parsed = try Playlist(parsing: bytes, context: context)
        } catch {
            throw StoreError(.playlist(error), url: URIReference(url).redacted)
        }
        guard case .media(let playlist) = parsed else {
            throw StoreError(.ineligible(.nestedMultivariant), url: URIReference(url).redacted)
        }
        return playlist
    }

    private func resolved(
        _ stream: SelectedStream, _ playlist: MediaPlaylist, url: String
    ) async throws(StoreError) -> ResolvedStream {
        if let reason = ineligibility(playlist, at: url) ?? unsupportedScheme(playlist) {
            throw StoreError(.ineligible(reason), url: URIReference(url).redacted)
        }
        let container = try await container(of: playlist, kind: stream.kind, base: url)
        return ResolvedStream(
            selected: stream, url: url,
            playlist: container == .ts ? IFrameSections.added(to: playlist) : playlist, container: container)
    }

    /// Why a media playlist can't be downloaded here; `nil` when it can.
    package func ineligibility(_ playlist: MediaPlaylist, at url: String) -> Ineligibility? {
        let reason = Self.ineligibility(playlist, allowsLive: allowsLive)
        if case .drm = reason, allowsMissingKeys || providers.canOpen(playlist, at: url) { return nil }
        return reason
    }

    private static func ineligibility(_ playlist: MediaPlaylist, allowsLive: Bool) -> Ineligibility? {
        if playlist.segments.isEmpty { return .empty }
        if playlist.isLive && !allowsLive { return .live }
        if playlist.hasEncryptedRanges { return .encryptedRanges }
        let foreign = playlist.segments.lazy.filter { !$0.isGap }.map(\.keys).first { keys in
            !keys.isEmpty && ServedKeys.identity(keys) == nil && keys.contains { $0.method != .none }
        }
        return foreign.map { keys in .drm(Array(Set(keys.map { DRMSystem.name(of: $0.keyFormat) })).sorted())
        }
    }

    private func unsupportedScheme(_ playlist: MediaPlaylist) -> Ineligibility? {
        // For an imported folder, missing files are found one by one later.
        origin is LocalFolder ? nil : Self.unsupportedScheme(playlist)
    }

    /// Why the media that a playlist names can't be fetched; `nil` when it can, as far as URLs show.
    package static func unsupportedScheme(_ playlist: MediaPlaylist) -> Ineligibility? {
        let media = playlist.segments.lazy.filter { !$0.isGap }.map(\.uri)
        let sections = playlist.neededSections.sorted().map { playlist.initializationSections[$0].uri }
        let schemes = (sections + media).compactMap { URIReference($0).scheme }
        return schemes.first { !Origin.schemes.contains($0) }.map { .unsupportedScheme($0) }
    }

    private func container(
        of playlist: MediaPlaylist, kind: RenditionKind, base: String
    ) async throws(StoreError) -> ContainerFormat {
        guard let first = playlist.segments.first(where: { !$0.isGap }) else { return .ts }
        let address = URIReference(first.uri).resolved(against: URIReference(base))
        let hasInitialization = first.initializationSection != nil
        let named = ContainerFormat(
            pathExtension: address.lastPathExtension, hasInitialization: hasInitialization, kind: kind)
        if let named, named.fits(hasInitialization: hasInitialization) { return named }
        // AES-128 hides the first bytes; such streams nearly always carry MPEG-2 TS.
        guard ServedKeys.identity(first.keys) == nil else { return named ?? .ts }
        do throws(StoreError) {
            let bytes = try await origin.beginning(
                of: address.description, range: first.byteRange.flatMap(ClosedOffsetRange.init),
                count: Self.sniffLength, isNeeded: named == nil)
            let format = ContainerFormat(sniffing: bytes) ?? named ?? .ts
            return format == .mp4 && hasInitialization ? .m4s : format
        } catch {
            if error.isStopped { throw error }
            guard let named else { throw error }
            return named
        }
    }
}

extension MediaPlaylist {
    /// Whether I-frames are byte ranges of segments that are encrypted as a whole.
    fileprivate var hasEncryptedRanges: Bool {
        iFramesOnly
            && segments.contains { segment in
                !segment.isGap && segment.byteRange != nil
                    && segment.keys.contains(where: \.method.encryptsWholeSegments)
            }
    }
}

/// Names of key systems, by KEYFORMAT.
package enum DRMSystem {
    package static func name(of keyFormat: String) -> String {
        switch keyFormat.lowercased() {
        case "com.apple.streamingkeydelivery": "FairPlay"
        case "com.microsoft.playready": "PlayReady"
        case "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "com.widevine": "Widevine"
        case "urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95": "PlayReady"
        case "urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e", "org.w3.clearkey": "ClearKey"
        default: keyFormat
        }
    }
}
