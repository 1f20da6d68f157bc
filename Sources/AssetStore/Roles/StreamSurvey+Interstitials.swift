internal import HLSPlaylist

/// The assets of an interstitial: the single asset or those of its asset list.
struct FoundInterstitial: Sendable {
    /// An asset to be made for an interstitial.
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

extension StreamSurvey {
    /// The largest numbers of places that are read and of assets that are taken from an asset list, and the largest
    /// size of an asset list.
    static let interstitialLimits = (places: 64, assets: 16, bytes: UInt64(1 << 20))

    /// Reads the interstitials of a stream. Those that can't be read are left out, and `lost` gets the reasons.
    ///
    /// - Parameter parent: the asset with the stream, and its request.
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

    /// Reads an asset that a stream names. Its host gets no header fields that are for another host. The asset may be
    /// in a private network only if the stream is.
    private func child(
        at address: String, of parent: (token: AssetToken, request: AssetRequest), _ origin: Origin
    ) async throws(StoreError) -> FoundInterstitial.Child {
        let url = try StreamAddress.checked(address)
        var request = parent.request.forInterstitial(at: url)
        request.name =
            "\(parent.request.name ?? StreamName.ofAddress(parent.request.url)): \(StreamName.ofAddress(url))"
        request.meta = ["interstitial_of": parent.token.description]
        request.access.isPrivate = origin.access.isPrivate
        let token = AssetToken(at: context.clock.now)
        return FoundInterstitial.Child(
            token: token, url: url,
            findings: try await read(request, url: url, token: token, isNamedByUser: false))
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
