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
        /// Whether stored segments could not be compared with those at the new address. Only its playlists were
        /// compared then.
        package var isUncompared = false
    }

    /// Reads the stream at `url` and takes its URLs for all missing segments. Later requests use the access settings in
    /// `edit`.
    ///
    /// - Parameter former: where the asset came from when somebody else was asked for the address, since units were
    ///   refused: then what the asset can do without and was refused is left as what was given up, where it is not in
    ///   the stream, and nothing is taken if the asset does not wait for it any more. `nil` when the user gave it.
    /// - Throws: `notSameStream` when something that is missing is not in it; when the user gave it, also why a playlist
    ///   can't be read for the moment of which something is missing.
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
        // What a recording does not see meanwhile, it has not.
        let isAwaited = former == nil || isRecording
        let (origin, master) = try await StreamResolver.open(
            url, origin(of: record, at: url, edit, isAwaited: isAwaited))
        // No key is asked for here: the asset has those that it could have.
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
        // Earlier versions took what has encrypted ranges.
        let others = rows.filter { row in !row.required && untaken.contains { $0.isSource(of: row) } }
        if !isRecording {
            relinked.others = try checkSameness(
                plan, of: record, rows: rows, isRefresh: former != nil, without: others)
        }
        // What has nothing to fetch from there tells nobody later that it is another one.
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

    /// All that a stream lists, wherever its recording began: it may lack any of it.
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
    /// - Parameter unread: of which nothing is known now.
    /// - Returns: what was given up and is not of it.
    private func checkSameness(
        _ plan: DownloadPlan, of record: AssetRecord, rows: [RenditionRecord], isRefresh: Bool,
        without unread: [RenditionRecord]
    ) throws(StoreError) -> [RenditionRecord] {
        let token = record.token
        // Nothing of it comes from there that would be more than what is stored.
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
            // What the stream has no more is not missed while it is whole and the asset is of use without it.
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

    /// The means by which an origin may let an asset in: signed addresses, or cookies.
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
