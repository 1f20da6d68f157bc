internal import FoundationEssentials
internal import HLSPlaylist
internal import Transfers

/// Gives an asset fresh URLs when the old ones have expired. Stored media stay: segments are identified by media
/// sequence number and byte range, never by URL.
package struct Relinker: Sendable {
    private let store: StoreAccess
    private let vault: KeyVault
    private let origins: OriginFactory
    private let links: LinkRequests
    private var catalog: Catalog { store.catalog }

    package init(store: StoreAccess, vault: KeyVault, origins: OriginFactory, links: LinkRequests) {
        (self.store, self.vault, self.origins, self.links) = (store, vault, origins, links)
    }

    /// The outcome of a fresh address.
    package struct Relinked {
        /// The renditions that stay given up and keep their URLs: the new stream lacks them, has other media for them,
        /// or their playlists could not be read.
        package var others: [RenditionRecord] = []
        /// The error of an optional rendition that lacks segments and whose playlist could not be read for the moment.
        package var unread: StoreError?
        /// Whether stored segments could not be compared with those at the new address. In that case only playlists
        /// were compared.
        package var isUncompared = false
    }

    /// Reads the stream at `url` and takes its URLs for all missing segments. Later requests use the access settings in
    /// `edit`.
    ///
    /// - Parameter former: the address before, if the fresh one did not come from the user: then optional renditions
    ///   that were refused stay given up if the stream lacks them, and nothing changes if the asset no longer waits
    ///   for an address. `nil` if the user gave the address.
    /// - Throws: `notSameStream` if the stream lacks a missing segment; for a user's address also the error of a
    ///   playlist with missing segments that can't be read for the moment.
    package func relink(
        _ token: AssetToken, to url: String, former: String? = nil, _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) -> Relinked {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard record.state != .removing, record.state != .resolving else {
            throw StoreError(.wrongState(record.state, wanted: "linked anew"))
        }
        let url = try StreamAddress.checked(url)
        if try catalog.queue.isUnresolved(token) {
            try readdress(record, to: url, former: former, edit)
            return Relinked()
        }
        let isRecording = try catalog.recordings.recording(of: token) != nil
        // A recording would lose segments during long retries.
        let isAwaited = former == nil || isRecording
        let (origin, master) = try await StreamResolver.open(
            url, origin(of: record, at: url, edit, isAwaited: isAwaited))
        // No key is fetched here: the asset has all the keys that it could get.
        let resolver = StreamResolver(origin: origin, allowsMissingKeys: true)
        let selection = isRecording ? Self.allListed(record.selection) : record.selection
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        var untaken: [SelectedStream] = []
        var relinked = Relinked()
        let plan = try await resolver.plan(master, selection, for: rows) { stream, error in
            if case .ineligible(.encryptedRanges) = error.code { untaken.append(stream) }
            guard error.isRetryable, !isRecording else { return }
            untaken.append(stream)
            let isMissed = rows.contains { $0.failure == nil && !$0.isComplete && stream.isSource(of: $0) }
            if isMissed { relinked.unread = relinked.unread ?? error }
        }
        if former == nil, let reason = relinked.unread { throw reason }
        // Earlier versions accepted renditions with encrypted byte ranges.
        let others = rows.filter { row in !row.required && untaken.contains { $0.isSource(of: row) } }
        if !isRecording {
            relinked.others = try checkSameness(
                plan, of: record, rows: rows, isRefresh: former != nil, without: others)
        }
        // A complete asset fetches nothing from the new address, so a difference must be found now.
        if former == nil, !isRecording, record.state == .complete {
            relinked.isUncompared = try await !compare(plan, with: rows, of: record, origin)
        }
        relinked.others += others
        let link = FreshLink(
            url: url, access: try vault.sealed(origin.accessWithCookies, token), isOfRecording: isRecording,
            others: Set(relinked.others.map(\.id)), former: former, redirects: origin.redirects)
        try catalog.addresses.relink(token, plan, through: link, at: store.now)
        return relinked
    }

    /// The selection of all that a stream lists, for a recording, which may lack any part of it.
    private static func allListed(_ selection: Selection) -> Selection {
        var selection = selection
        selection.recording = Selection.Recording()
        selection.recording?.fromStart = true
        return selection
    }

    private func readdress(
        _ record: AssetRecord, to url: String, former: String?, _ edit: AccessEdit
    ) throws(StoreError) {
        try catalog.queue.readdress(record.token, url: url, former: former, at: store.now)
        try vault.setAccess(of: record, edit, in: catalog)
    }

    private func origin(
        of record: AssetRecord, at url: String, _ edit: AccessEdit, isAwaited: Bool
    ) throws(StoreError) -> Origin {
        let tries = isAwaited ? Origin.usualTries : Origin.patientTries
        var access = try vault.access(of: record)
        access.apply(edit)
        return try origins.origin(access, of: url, tries: tries)
    }

    /// Compares the first and the last stored segment of a complete asset with those of a stream.
    ///
    /// - Returns: whether any of them could be fetched.
    private func compare(
        _ plan: DownloadPlan, with rows: [RenditionRecord], of record: AssetRecord, _ origin: Origin
    ) async throws(StoreError) -> Bool {
        let check = DriftCheck(
            token: record.token, catalog: catalog, origin: origin, now: { [store] in store.now })
        let main = rows.first { $0.kind == .variant && $0.sourceFile == nil && $0.storedSegments > 0 }
        guard let main, main.disguise == nil, let planned = plan.rendition(like: main) else { return false }
        let evidence = try await check.evidence(of: main, in: planned.listedUnits)
        guard evidence.different == 0 else { throw StoreError(.notSameStream(main.name)) }
        return evidence.same > 0
    }

    /// Checks that the stored media and those at the fresh address are of the same stream, even if no segment is
    /// missing.
    ///
    /// - Parameter unread: renditions whose playlists can't be read now.
    /// - Returns: renditions that were given up and are not in the stream.
    private func checkSameness(
        _ plan: DownloadPlan, of record: AssetRecord, rows: [RenditionRecord], isRefresh: Bool,
        without unread: [RenditionRecord]
    ) throws(StoreError) -> [RenditionRecord] {
        let token = record.token
        // A complete asset gets nothing more from the new address.
        let isWhole = record.state == .complete && !isRefresh
        let isPart = record.selection.start != nil || record.selection.end != nil
        var others: [RenditionRecord] = []
        for row in rows where row.sourceFile == nil && !unread.contains(where: { $0.id == row.id }) {
            guard let stored = try catalog.renditions.mediaPlaylist(token, row.name) else { continue }
            let stream = plan.rendition(like: row)?.stream
            let isSame = stream?.playlist.map { playlist in
                isWhole
                    ? playlist.isSameStream(as: stored.playlist, isPart: isPart)
                    : playlist.continues(stored.playlist) && ServedKeys.isAlike(playlist, stored.playlist)
            }
            let isRefused = isRefresh && !row.required && links.isRefused(token, row.name)
            if row.failure != nil || isRefused {
                if isSame != true { others.append(row) }
                continue
            }
            // A rendition that the stream no longer has is no difference if it is complete and optional.
            guard isSame ?? !row.required else { throw StoreError(.notSameStream(row.name)) }
        }
        return others
    }

    /// Asks the link resolver for a fresh address and uses it. Without a link resolver, it reads the playlists again:
    /// they may have freshly signed URLs, or set fresh cookies.
    ///
    /// - Returns: `Relinked.unread`.
    /// - Throws: a temporary error if that is why there is no fresh address; otherwise usually `failure`.
    package func refresh(_ token: AssetToken, after failure: StoreError) async throws(StoreError)
        -> StoreError?
    {
        guard let record = try catalog.assets.asset(token) else { throw failure }
        guard let service = links.resolver else { return try await readAgain(record, after: failure) }
        let question = Question(
            token: token.description, url: record.sourceURL, name: record.name, meta: record.meta,
            error: failure.message)
        guard let document = try? JSONText.encode(question) else { throw failure }
        let answer = try await service.ask(
            Array(document.utf8), environment: ["OFFLINE_SERVER_TOKEN": token.description], loop: origins.loop
        )
        return try await relink(token, to: Self.url(in: answer), former: record.sourceURL).unread
    }

    private func readAgain(
        _ record: AssetRecord, after failure: StoreError
    ) async throws(StoreError) -> StoreError? {
        guard try !catalog.queue.isUnresolved(record.token) else { throw failure }
        let before = try admission(to: record)
        let unread: StoreError?
        do throws(StoreError) {
            unread = try await relink(record.token, to: record.sourceURL, former: record.sourceURL).unread
        } catch {
            if error.isStopped { throw error }
            throw error.isRetryable ? error : failure
        }
        guard let record = try catalog.assets.asset(record.token), try admission(to: record) != before else {
            throw unread ?? failure
        }
        return unread
    }

    /// The facts by which an origin may grant access: signed addresses, or cookies.
    private struct Admission: Equatable {
        var urls: [String]
        /// Lines of cookie files, in no order.
        var cookies: Set<Substring>
    }

    private func admission(to record: AssetRecord) throws(StoreError) -> Admission {
        let cookies = try vault.access(of: record).cookies ?? ""
        return Admission(
            urls: try missingURLs(of: record.token), cookies: Set(cookies.split(whereSeparator: \.isNewline)))
    }

    private func missingURLs(of token: AssetToken) throws(StoreError) -> [String] {
        var urls: [String] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] {
            urls += try catalog.units.all(of: row.id, states: [.missing, .lost]).map(\.url)
        }
        return urls
    }

    /// The question to the service.
    private struct Question: Encodable {
        var token: String
        /// The address that was given, whole: the service must know it.
        var url: String
        var name: String
        var meta: [String: String]
        var error: String
    }

    private struct Answer: Decodable {
        var url: String
    }

    /// `{"url": …}`, or the address alone in the first line.
    package static func url(in answer: [UInt8]) -> String {
        if let answer = try? JSONDecoder().decode(Answer.self, from: Data(answer)) { return answer.url }
        let text = String(decoding: answer, as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }
}
