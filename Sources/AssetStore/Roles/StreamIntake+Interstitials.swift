internal import HLSPlaylist
internal import Logging

/// The assets of interstitials.
extension StreamIntake {
    /// Enters the assets of interstitials. They are `resolving` until the asset that names them is entered, so that a
    /// crash leaves none of them.
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

    /// Removes the assets of interstitials after the asset that names them could not be entered.
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
            let origin = try survey.origin(request.access, of: record.sourceURL)
            let found = await survey.interstitials(
                at: places.filter { !addresses.contains($0.address) }, of: (token, request), origin
            ) { [log] in log.warning("left out", metadata: ["token": "\(token)", "error": "\($0)"]) }
            guard !found.isEmpty else { return }
            try enter(found, into: token, behind: known)
            notices.served.forgetEnd(of: token)
            await engine.sync()
        } catch {
            log.warning("left out", metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Adds interstitials to those that an asset already has.
    private func enter(
        _ found: [FoundInterstitial], into token: AssetToken, behind known: [InterstitialRecord]
    ) throws(StoreError) {
        try enter(found)
        let next = (known.map(\.number).max() ?? -1) + 1
        do throws(StoreError) {
            try catalog.interstitials.add(
                found.enumerated().map { $1.record(next + $0) },
                assets: found.flatMap { $0.children.map(\.token) }, to: token, at: wall.now)
        } catch {
            withdraw(found)
            throw error
        }
    }
}
