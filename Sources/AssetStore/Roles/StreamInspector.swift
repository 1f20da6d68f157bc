internal import HLSPlaylist
internal import Locking
package import SystemPackage
internal import Transfers

/// Reads the variants and renditions of a stream. It stores nothing, and asks no provider for content keys, since
/// each request may cost a license.
public struct StreamInspector: Sendable {
    private let origin: Origin
    private let url: String
    /// The providers that would be asked for keys.
    private let providers: KeyProviders

    /// Makes an inspector for the stream at `url`.
    ///
    /// - Parameters:
    ///   - store: the store whose settings name the key providers.
    ///   - onRetry: is called for every failed try that will be repeated.
    package init(
        url: String, access: OriginAccess = OriginAccess(), store: FilePath? = nil,
        onRetry: @escaping @Sendable (RetryWait) -> Void = { _ in }
    ) throws(StoreError) {
        self.url = try StreamAddress.checked(url)
        let settings = try Self.settings(of: store)
        let loop = try TransferLoop.ofStore()
        let pause = RetryPause.telling(onRetry) { try await Task.sleep(for: .seconds($0)) }
        origin = try Origin(loop: loop, access: access, stream: self.url, pause: pause)
        providers = KeyProviders(
            list: settings.keyProviders.map { ConfiguredKeyProvider(settings: $0, loop: loop) })
    }

    /// Makes an inspector that uses the loop of an engine. Do not call ``close()`` on it: that would stop the
    /// engine's loop.
    init(
        url: String, access: OriginAccess, loop: TransferLoop, providers: KeyProviders
    ) throws(StoreError) {
        self.url = try StreamAddress.checked(url)
        self.providers = providers
        origin = try Origin(loop: loop, access: access, stream: self.url)
    }

    private static func settings(of store: FilePath?) throws(StoreError) -> EngineSettings {
        guard let store else { return EngineSettings() }
        return try EngineSettings.read(StorePaths(root: store).settings)
    }

    /// Reads the multivariant playlist, and the media playlist of the first variant that can be read.
    ///
    /// - Parameter allowsMissingKeys: whether a stream is eligible although its media can't be decrypted.
    public func offer(allowsMissingKeys: Bool = false) async throws(StoreError) -> StreamOffer {
        let (origin, master) = try await StreamResolver.open(url, origin)
        let resolver = StreamResolver(
            origin: origin, allowsMissingKeys: allowsMissingKeys, providers: providers)
        switch master.playlist {
        case .media(let playlist): return Self.offer(of: playlist, url: master.url, resolver)
        case .multivariant(let playlist): return try await offer(of: playlist, url: master.url, resolver)
        }
    }

    private func offer(
        of playlist: MultivariantPlaylist, url: String, _ resolver: StreamResolver
    ) async throws(StoreError) -> StreamOffer {
        var offer = StreamOffer(
            url: URIReference(url).redacted,
            variants: playlist.variants.map { Self.listing("EXT-X-STREAM-INF", $0.attributes, uri: $0.uri) },
            renditions: playlist.renditions.map { Self.listing("EXT-X-MEDIA", $0.attributes) }
                + playlist.iFrameStreams.map { Self.listing("EXT-X-I-FRAME-STREAM-INF", $0.attributes) }
                + playlist.imageStreams.map { Self.listing("EXT-X-IMAGE-STREAM-INF", $0.attributes) },
            keys: playlist.sessionKeys.map { Self.listing("EXT-X-SESSION-KEY", $0.attributes) },
            bitrates: Set(playlist.variants.map(\.bandwidth)).sorted())
        let sole: StreamOffer
        (sole, offer.lost) = try await firstVariant(of: playlist, url: url, resolver)
        (offer.reasons, offer.isLive, offer.duration) = (sole.reasons, sole.isLive, sole.duration)
        offer.keys += sole.keys
        offer.keyProviders = sole.keyProviders
        return offer
    }

    /// The largest number of variant playlists that are requested until one can be read.
    private static let variantsTried = 16

    /// The offer of the first variant whose playlist is there, and the variants whose playlists are not.
    private func firstVariant(
        of master: MultivariantPlaylist, url: String, _ resolver: StreamResolver
    ) async throws(StoreError) -> (StreamOffer, lost: [String]) {
        var (seen, lost): (Set<String>, [String]) = ([], [])
        var first: StoreError?
        let variants = master.variants.filter { seen.insert($0.uri).inserted }
        for variant in variants.prefix(Self.variantsTried) {
            let address = URIReference(variant.uri).resolved(against: URIReference(url)).description
            do throws(StoreError) {
                let read = try await resolver.read(address, variables: master.variables)
                guard case .media(let media) = read.playlist else {
                    throw StoreError(.ineligible(.nestedMultivariant), url: URIReference(read.url).redacted)
                }
                return (Self.offer(of: media, url: read.url, resolver), lost)
            } catch {
                guard error.isOfAbsentPlaylist else { throw error }
                first = first ?? error
                let stream = SelectedStream(
                    kind: .variant, uri: variant.uri, required: true, listings: [variant.attributes])
                lost.append(LostStream(stream, error).sentence)
            }
        }
        guard let first else { return (Self.unusable(.empty, url), lost) }
        guard case .ineligible(let reason) = first.code else { throw first }
        return (Self.unusable(reason, url), lost)
    }

    /// A stream that can't be downloaded at all.
    private static func unusable(_ reason: Ineligibility, _ url: String) -> StreamOffer {
        StreamOffer(url: URIReference(url).redacted, reasons: [self.reason(reason)])
    }

    private static func offer(
        of playlist: MediaPlaylist, url: String, _ resolver: StreamResolver
    ) -> StreamOffer {
        var seen: Set<EncryptionKey> = []
        var keys: [EncryptionKey] = []
        for segment in playlist.segments { keys += segment.keys.filter { seen.insert($0).inserted } }
        let isLive = !playlist.hasEndList && playlist.playlistType != .vod
        let reasons = [
            resolver.ineligibility(playlist, at: url), StreamResolver.unsupportedScheme(playlist),
        ]
        let needed = playlist.segments.lazy.filter { !$0.isGap }.map(\.keys)
        let sources = KeySource.all(of: needed, base: URIReference(url))
        return StreamOffer(
            url: URIReference(url).redacted,
            reasons: reasons.compactMap(\.self).map(reason), isLive: isLive,
            duration: playlist.duration, keys: keys.map { listing("EXT-X-KEY", $0.attributes) },
            keyProviders: resolver.providers.names(for: sources))
    }

    private static func reason(_ reason: Ineligibility) -> (name: String, sentence: String) {
        (reason.name, reason.sentence)
    }

    /// Makes a listing whose URIs lack the parts that may be secret.
    private static func listing(
        _ tag: String, _ attributes: AttributeList, uri: String? = nil
    ) -> StreamOffer.Listing {
        let shown = attributes.pairs.map { pair in
            let isURI = pair.name == "URI"
            return (name: pair.name, value: isURI ? redacted(pair.value.text) : pair.value.text)
        }
        return StreamOffer.Listing(tag: tag, attributes: shown, uri: uri.map(redacted))
    }

    private static func redacted(_ uri: String) -> String {
        uri.hasPrefix("data:") ? "data:" : URIReference(uri).redacted
    }

    /// Reads the playlists that a selection needs, and returns what a download would store.
    ///
    /// - Parameters:
    ///   - selection: the renditions that would be stored.
    ///   - license: the requested terms.
    ///   - allowsMissingKeys: whether media that can't be decrypted are included.
    ///   - isStrict: whether the call fails if the stream lacks a rendition that the selection names.
    /// - Throws: `leftOut` if `isStrict` is true, and a rendition is missing or a part of the request does not apply.
    public func preview(
        _ selection: Selection, license: LicenseTerms = LicenseTerms(), allowsMissingKeys: Bool = false,
        isStrict: Bool = false
    ) async throws(StoreError) -> StreamPreview {
        let (origin, master) = try await StreamResolver.open(url, origin)
        let resolver = StreamResolver(
            origin: origin, allowsMissingKeys: allowsMissingKeys, providers: providers)
        let lost = Lock<[LostStream]>([])
        let plan = try await resolver.plan(master, selection) { stream, error in
            lost.withLock { $0.append(LostStream(stream, error)) }
        }
        let leftOut = plan.leftOut + LeftOut.unfitting(license, selection.recording, for: plan)
        if isStrict, !leftOut.isEmpty { throw StoreError(.leftOut(leftOut)) }
        let size = try await SizeEstimator(origin: origin).estimate(plan)
        return StreamPreview(
            renditions: plan.renditions.enumerated().map { AssetRendition($1.record(at: $0)) },
            lost: lost.withLock { $0.map(\.sentence) }, duration: plan.duration, size: size,
            keyProviders: providers.names(for: plan.keys), leftOut: leftOut)
    }

    /// Ends running requests.
    public func close() async { await origin.loop.stop() }
}
