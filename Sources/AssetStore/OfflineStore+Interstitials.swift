internal import HLSPlaylist
internal import Locking
internal import Logging

/// The asset at a place that interstitials name.
struct FoundInterstitial: Sendable {
    /// An asset that is to be made for it.
    struct Child: Sendable {
        var token: AssetToken
        var url: String
        var findings: StreamFindings
    }

    var place: InterstitialPlace
    /// In the order of the list.
    var children: [Child]
    var list: InterstitialList?

    func record(_ number: Int) -> InterstitialRecord {
        InterstitialRecord(
            number: number, address: place.address, asset: list == nil ? children.first?.token : nil,
            list: list?.json)
    }
}

extension OfflineStore {
    /// Places that are looked into, assets of a list, and bytes of one.
    static let interstitialLimits = (places: 64, assets: 16, bytes: UInt64(1 << 20))

    /// Looks at the interstitials of a stream. What can't be had is left out, and `lost` is told why.
    ///
    /// - Parameter parent: the asset whose stream it is, and what was asked for with it.
    func interstitials(
        at places: [InterstitialPlace], of parent: (token: AssetToken, request: AssetRequest),
        _ origin: Origin,
        lost: (StoreError) -> Void
    ) async -> [FoundInterstitial] {
        var found: [FoundInterstitial] = []
        for place in places.prefix(Self.interstitialLimits.places) {
            do throws(StoreError) {
                found.append(try await interstitial(at: place, of: parent, origin, lost: lost))
            } catch {
                lost(error)
            }
        }
        return found
    }

    private func interstitial(
        at place: InterstitialPlace, of parent: (token: AssetToken, request: AssetRequest), _ origin: Origin,
        lost: (StoreError) -> Void
    ) async throws(StoreError) -> FoundInterstitial {
        guard place.isList else {
            return FoundInterstitial(
                place: place, children: [try await child(at: place.address, of: parent, origin)])
        }
        let bytes = try await origin.small(
            place.address, for: .interstitial, limit: Self.interstitialLimits.bytes)
        guard var list = InterstitialList(bytes) else {
            throw StoreError(
                .integrity(.notAssetList),
                url: URIReference(place.address).redacted)
        }
        var (children, items): ([FoundInterstitial.Child], [InterstitialList.Item]) = ([], [])
        for var item in list.assets.prefix(Self.interstitialLimits.assets) {
            let url = InterstitialPlace.absolute(item.uri, URIReference(place.address))
            do throws(StoreError) {
                let child = try await child(at: url, of: parent, origin)
                item.uri = child.token.description
                children.append(child)
                items.append(item)
            } catch {
                lost(error)
            }
        }
        list.assets = items
        return FoundInterstitial(place: place, children: children, list: list)
    }

    /// The source of an asset that a stream names: it gets no headers that the user gave for another host, and no
    /// private network that the stream is not in.
    private func child(
        at address: String, of parent: (token: AssetToken, request: AssetRequest), _ origin: Origin
    ) async throws(StoreError) -> FoundInterstitial.Child {
        let url = try StreamAddress.checked(address)
        var request = parent.request.forInterstitial(at: url)
        request.name =
            "\(parent.request.name ?? Self.name(from: parent.request.url)): \(Self.name(from: url))"
        request.meta = ["interstitial_of": parent.token.description]
        request.access.isPrivate = origin.access.isPrivate
        let token = AssetToken(at: context.clock.now)
        return FoundInterstitial.Child(
            token: token, url: url,
            findings: try await read(request, url: url, token: token, isNamedByUser: false))
    }

    /// Enters the assets of interstitials. Until what names them is entered, they are `resolving`, and so a crash leaves
    /// none of them.
    func enter(_ interstitials: [FoundInterstitial]) throws(StoreError) {
        for child in interstitials.flatMap(\.children) {
            let found = child.findings
            do throws(StoreError) {
                try enter(
                    found.request, url: child.url, token: child.token, plan: found.plan, keys: found.keys,
                    poster: found.poster, license: found.license, state: .resolving)
            } catch {
                withdraw(interstitials)
                throw error
            }
        }
    }

    /// Takes them back, as what names them could not be entered.
    func withdraw(_ interstitials: [FoundInterstitial]) {
        for child in interstitials.flatMap(\.children) {
            try? FileSystem.removeTree(paths.asset(child.token))
            try? catalog.assets.delete(child.token)
        }
    }

    /// Looks at interstitials that came up while an asset is recorded, and enters them.
    func adopt(_ places: [InterstitialPlace], into token: AssetToken) async {
        await turns.take(token)
        defer { turns.release(token) }
        do throws(StoreError) {
            guard let record = try catalog.assets.asset(token), record.state != .removing else { return }
            let known = try catalog.interstitials.all(of: token)
            let addresses = Set(known.map(\.address))
            var request = AssetRequest(url: record.sourceURL)
            (request.name, request.selection, request.priority) = (
                record.name, record.selection, record.priority
            )
            request.access = try vault.access(of: record)
            request.license = try catalog.recordings.recording(of: token)?.terms ?? LicenseTerms()
            let origin = try context.origins.origin(request.access, of: record.sourceURL)
            let found = await interstitials(
                at: places.filter { !addresses.contains($0.address) }, of: (token, request), origin
            ) { [log] in log.warning("left out", metadata: ["token": "\(token)", "error": "\($0)"]) }
            guard !found.isEmpty else { return }
            try enter(found, into: token, behind: known)
            hasGrown(token)
            await engine.sync()
        } catch {
            log.warning("left out", metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Enters interstitials of an asset that has others already.
    private func enter(
        _ found: [FoundInterstitial], into token: AssetToken, behind known: [InterstitialRecord]
    ) throws(StoreError) {
        try enter(found)
        let next = (known.map(\.number).max() ?? -1) + 1
        do throws(StoreError) {
            try catalog.interstitials.add(
                found.enumerated().map { $1.record(next + $0) },
                assets: found.flatMap { $0.children.map(\.token) }, to: token, at: context.clock.now)
        } catch {
            withdraw(found)
            throw error
        }
    }
}

extension AssetRequest {
    /// The request for an asset that an interstitial of the stream names.
    fileprivate func forInterstitial(at url: String) -> AssetRequest {
        var request = AssetRequest(url: url)
        request.selection.maximumBitrate = selection.maximumBitrate
        request.selection.minimumBitrate = selection.minimumBitrate
        request.selection.maximumHeight = selection.maximumHeight
        let isSameHost = URIReference(url).authority == URIReference(self.url).authority
        if isSameHost { request.access = access }
        request.access.hostHeaders = access.hostHeaders
        (request.access.userAgent, request.access.proxy) = (access.userAgent, access.proxy)
        request.access.certificateAuthority = access.certificateAuthority
        request.access.rateLimit = access.rateLimit
        (request.priority, request.schedule, request.isMeteredOK) = (priority, schedule, isMeteredOK)
        (request.isPreload, request.license) = (isPreload, license)
        return request
    }
}

extension StoreReader {
    /// The list of an interstitial's assets, as JSON (RFC 8216bis, appendix D.4); `nil` when there is none.
    ///
    /// - Parameter server: what stands before the path of their addresses.
    package func interstitialList(
        _ token: AssetToken, _ number: Int, server: String
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog,
            let json = try catalog.interstitials.all(of: token).first(where: { $0.number == number })?.list,
            var list = InterstitialList(json)
        else { return nil }
        var items: [InterstitialList.Item] = []
        for var item in list.assets {
            // It may have been removed.
            guard let child = AssetToken(item.uri), try catalog.assets.asset(child) != nil else { continue }
            item.uri = "\(server)/assets/\(child)/\(ServedMultivariantPlaylist.fileName)"
            items.append(item)
        }
        list.assets = items
        return list.json
    }

    /// The assets that were made for the interstitials of another one.
    package func interstitialAssets(of token: AssetToken) throws(StoreError) -> [AssetToken] {
        try catalog?.interstitials.interstitialAssets(of: [token]) ?? []
    }

    /// The interstitials of an asset, for the playlist at an address of the origin.
    func interstitials(
        of token: AssetToken, base: String, query: String = ""
    ) throws(StoreError) -> LocalInterstitials {
        LocalInterstitials(try catalog?.interstitials.all(of: token) ?? [], base: base, query: query)
    }
}
