internal import FoundationEssentials
internal import HLSPlaylist
internal import HTTPTypes
internal import Locking
package import Transfers

/// An asset's way to its origin: the transfer loop with the request's headers, cookies and limits applied.
package struct Origin: Sendable {
    package let loop: TransferLoop
    /// The settings of the access; the first request finds out `isPrivate`.
    package let access: OriginAccess
    private let cookies: CookieJar
    /// The address of the stream.
    private let stream: String
    private let rule: HeaderRule
    private let hops = Lock<[String]>([])
    /// The group whose rate limit its transfers keep to.
    private let rateGroup: String?
    private let pause: RetryPause
    /// The cooldowns of hosts.
    package let cooldowns: HostCooldowns

    /// The number of tries if a caller waits.
    package static let usualTries = 3
    /// The number of tries for work in the queue.
    package static let patientTries = 5
    /// The number of tries for a playlist or the beginning of a segment.
    private let tries: Int
    static let playlistLimit = TransferLimits.playlist
    static let keyLimit: UInt64 = 64 << 10
    /// The limit of a segment whose length the origin announces; for others see `UnitJob.unmeasuredLimit`.
    static let segmentLimit = TransferLimits.segment

    /// - Parameters:
    ///   - stream: the address of the stream.
    ///   - rateGroup: the group whose rate limit its transfers share.
    ///   - tries: the number of tries for a playlist.
    ///   - pause: waits between tries.
    ///   - cooldowns: the cooldowns of hosts.
    package init(
        loop: TransferLoop, access: OriginAccess, stream: String, rateGroup: String? = nil,
        tries: Int = usualTries, pause: RetryPause = .usual,
        cooldowns: HostCooldowns = HostCooldowns()
    ) throws(StoreError) {
        self.cooldowns = cooldowns
        self.rateGroup = rateGroup
        self.tries = tries
        self.pause = pause
        self.loop = loop
        self.access = access
        self.stream = stream
        rule = HeaderRule(access, stream: stream)
        do throws(TransferError) {
            cookies = try CookieJar()
        } catch {
            throw StoreError(.transfer(TransferFailure(error)))
        }
        if let text = access.cookies { cookies.add(netscapeFile: text) }
    }

    /// A copy of the origin that may use private networks, if `url` itself is in one: the playlists of a public
    /// origin must not cause requests to the user's private network.
    ///
    /// - Returns: `nil` if `url` itself is not in a private network.
    package func adapted(to url: String) async throws(StoreError) -> Origin? {
        var request = request(url, for: .playlist)
        request.method = .head
        request.maximumRedirects = 0
        do throws(TransferError) {
            _ = try await loop.fetch(request)
            return nil
        } catch {
            guard error.code == .addressRefused else { return nil }
        }
        var access = access
        access.isPrivate = true
        return try Origin(
            loop: loop, access: access, stream: stream, tries: tries, pause: pause, cooldowns: cooldowns)
    }

    /// The addresses of the redirects when the stream's address was read last, without parts that may be secret.
    package var redirects: [String] { hops.withLock(\.self).map { URIReference($0).redacted } }

    /// The access for later requests, with the cookies that the playlists' answers have set.
    package var accessWithCookies: OriginAccess {
        var access = access
        let lines = cookies.netscapeLines
        if !lines.isEmpty { access.cookies = lines.joined(separator: "\n") }
        return access
    }

    /// A request with the user's header fields for this asset.
    package func request(_ url: String, for purpose: HeaderRule.Purpose) -> TransferRequest {
        var request = TransferRequest(url: url)
        request.headerFields = rule.fields(to: url, for: purpose)
        request.fieldsElsewhere = { [rule] hop in rule.fields(to: hop, for: purpose) }
        request.cookieJar = cookies
        if let agent = access.userAgent { request.userAgent = agent }
        request.proxy = access.proxy
        request.certificateAuthorityFile = access.certificateAuthority
        request.allowsPrivateAddresses = access.isPrivate
        request.rateGroup = rateGroup
        // Small resources that come first do not wait behind segments, however slow these are.
        if purpose != .segment { request.priority = .high }
        return request
    }

    /// A playlist's bytes and its address after redirects.
    package func playlist(_ url: String) async throws(StoreError) -> (bytes: [UInt8], url: String) {
        let answer = try await RetryPolicy.retried(tries: tries, pause: pause) {
            () async throws(StoreError) in
            try await playlist(url) { $0.hasEnd }
        }
        return (answer.bytes, answer.url)
    }

    /// A playlist that is loaded again and again: the next load has the lines that this one lacks at its end.
    ///
    /// - Parameter passingCaches: whether caches on the way must not answer from their storage.
    /// - Returns: its bytes, and the seconds for which a cache has kept them, if known.
    func reloadedPlaylist(
        _ url: String, passingCaches: Bool
    ) async throws(StoreError) -> (bytes: [UInt8], age: Double?) {
        let answer = try await playlist(url, passingCaches: passingCaches) { $0.endsWithLine }
        return (answer.bytes, answer.age)
    }

    /// Reads a playlist. If the end of its bytes can't be told from a broken connection, it is requested once more;
    /// if that fails, the first answer counts.
    private func playlist(
        _ url: String, passingCaches: Bool = false, isWhole: (UnmeasuredPlaylist) -> Bool
    ) async throws(StoreError) -> Answer {
        var request = request(url, for: .playlist)
        request.acceptedCoding = .gzip
        request.maximumBodyBytes = Self.playlistLimit
        if passingCaches { request.headerFields[.cacheControl] = "no-cache" }
        let first = try await body(request)
        let unmeasured = UnmeasuredPlaylist(bytes: first.bytes)
        if first.isMeasured || isWhole(unmeasured) { return first }
        do throws(StoreError) {
            let second = try await answer(request)
            let isCut = unmeasured.isFuller(than: UnmeasuredPlaylist(bytes: second.bytes))
            return isCut ? first : second
        } catch {
            if error.isStopped { throw error }
            return first
        }
    }

    /// A small body, such as a key.
    package func small(
        _ url: String, for purpose: HeaderRule.Purpose, limit: UInt64 = Self.keyLimit
    ) async throws(StoreError) -> [UInt8] {
        var request = request(url, for: purpose)
        request.maximumBodyBytes = limit
        return try await body(request).bytes
    }

    /// The first bytes of a resource; an origin that knows no ranges may send more.
    package func beginning(
        of url: String, range: ClosedOffsetRange?, count: UInt64, isNeeded: Bool
    ) async throws(StoreError) -> [UInt8] {
        if !isNeeded, let window = cooldowns.window(for: url) { throw window.refusal(of: redacted(url)) }
        var request = request(url, for: .segment)
        let length = min(count, range?.length ?? count)
        request.range = TransferRange(offset: range?.offset ?? 0, length: length)
        let asked = request
        return try await RetryPolicy.retried(tries: isNeeded ? tries : 1, pause: pause) {
            () async throws(StoreError) in
            let sink = BeginningSink(offset: range?.offset ?? 0, count: Int(length))
            do throws(TransferError) {
                _ = try await loop.perform(asked, into: sink)
            } catch {
                guard sink.isFull else { throw StoreError(error, url: url) }
            }
            return sink.bytes
        }
    }

    /// A host with a cooldown is not asked: the result is the same as its last refusal.
    private func body(_ request: TransferRequest) async throws(StoreError) -> Answer {
        if let window = cooldowns.window(for: request.url) { throw window.refusal(of: redacted(request.url)) }
        do throws(StoreError) {
            return try await answer(request)
        } catch {
            if error.isRetryable, let seconds = error.holdOff {
                cooldowns.begin(request.url, for: error, seconds: seconds)
            }
            throw error
        }
    }

    private typealias Answer = (bytes: [UInt8], url: String, isMeasured: Bool, age: Double?)

    /// One request, regardless of cooldowns.
    private func answer(_ request: TransferRequest) async throws(StoreError) -> Answer {
        let result: TransferResult
        let bytes: [UInt8]
        do throws(TransferError) {
            (result, bytes) = try await loop.fetch(request)
        } catch {
            throw StoreError(error, url: request.url)
        }
        guard (200..<300).contains(result.response.status) else {
            throw StoreError(
                .status(result.response.status, retryAfter: result.response.retryAfter),
                url: redacted(request.url))
        }
        let response = result.response
        if request.url == stream { hops.withLock { $0 = response.redirects } }
        let age = response.headerFields[.age].flatMap(Double.init)
        return (bytes, response.finalURL, response.lengthIsKnown, age)
    }

    private func redacted(_ url: String) -> String { URIReference(url).redacted }
}

/// Collects the first bytes of a resource, then ends the transfer.
private final class BeginningSink: TransferSink {
    private struct Enough: Error {}
    private let collected: Lock<[UInt8]>
    private let toSkip: Lock<UInt64>
    private let offset: UInt64
    private let count: Int

    init(offset: UInt64, count: Int) {
        self.offset = offset
        self.count = count
        collected = Lock([])
        toSkip = Lock(0)
    }

    var bytes: [UInt8] { collected.withLock { $0 } }
    var isFull: Bool { collected.withLock { $0.count >= count } }

    func begin(_ head: TransferResponse) -> TransferDecision {
        guard (200..<300).contains(head.status) else {
            return .refuse(
                StoreError(
                    .status(head.status, retryAfter: head.retryAfter),
                    url: URIReference(head.finalURL).redacted))
        }
        toSkip.withLock { $0 = head.status == 206 ? 0 : offset }
        return .accept
    }

    func receive(_ bytes: RawSpan) throws {
        let skipped = toSkip.withLock { skip in
            let now = min(skip, UInt64(bytes.byteCount))
            skip -= now
            return Int(now)
        }
        let isFull = collected.withLock { list in
            for index in skipped..<bytes.byteCount where list.count < count {
                unsafe list.append(bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self))
            }
            return list.count >= count
        }
        if isFull { throw Enough() }
    }
}
