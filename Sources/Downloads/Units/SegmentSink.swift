internal import HLSPlaylist
internal import HTTPTypes
internal import Locking
package import Transfers

/// Writes one answer of the origin into a partial file, after checking that it has the requested byte range.
///
/// Used on the transfer loop's thread only, one attempt at a time; the lock is for the reader afterwards.
package final class SegmentSink: TransferSink {
    /// The bytes that this attempt asks for.
    package struct Expectation: Sendable {
        /// The unit's own range in the resource (EXT-X-BYTERANGE).
        package var range: ClosedOffsetRange?
        /// The validator of the answer that the partial file began with.
        package var validator: Validator?
        /// Whether the request asks for less than is missing. Then the answer must announce the length of the
        /// resource.
        var isPiece: Bool
        /// The largest number of bytes that an answer without Content-Length may have.
        package var limit = UInt64.max
    }

    private struct State {
        /// The limit for an answer without Content-Length, and the URL for the error.
        var limit: (bytes: UInt64, url: String)?
        var validator: Validator?
        var toSkip: UInt64 = 0
        var remaining: UInt64?
        var isDelimited = false
        var isUnmeasured = false
        var isLabelledPage = false
        var isPart = false
    }

    private struct Enough: Error {}

    private let file: PartialFile
    private let expectation: Expectation
    private let state: Lock<State>
    private let meter: ByteMeter
    private let habits: OriginHabits
    private let unveils: Bool
    private let onAcceptance: @Sendable () -> Void

    /// - Parameters:
    ///   - unveils: whether players get the bytes as they arrive, whatever they begin with.
    ///   - onAcceptance: a closure that is called when the header section was accepted, before the body comes.
    package init(
        into file: PartialFile, _ expectation: Expectation, meter: ByteMeter, habits: OriginHabits,
        unveils: Bool, onAcceptance: @escaping @Sendable () -> Void = {}
    ) {
        self.onAcceptance = onAcceptance
        self.habits = habits
        self.unveils = unveils
        self.file = file
        self.expectation = expectation
        self.meter = meter
        state = Lock(State(validator: expectation.validator))
    }

    /// The validator to resume with.
    package var validator: Validator? { state.withLock { $0.validator } }

    /// Whether all requested bytes have arrived, although the origin sends more.
    var isSatisfied: Bool { state.withLock { $0.remaining == 0 } }

    /// Whether the origin announced the length.
    var isDelimited: Bool { state.withLock { $0.isDelimited } }

    /// Whether only the end of the connection marks the end of the body.
    var isUnmeasured: Bool { state.withLock { $0.isUnmeasured } }

    /// Whether the answer was a 206 with the requested range.
    package var isPart: Bool { state.withLock { $0.isPart } }

    /// Whether the Content-Type is that of a web page.
    var isLabelledPage: Bool { state.withLock { $0.isLabelledPage } }

    package func begin(_ head: TransferResponse) -> TransferDecision {
        Trace.pass(.answer, file.path.traced)
        do throws(StoreError) {
            try judge(head)
            onAcceptance()
            return .accept
        } catch {
            return .refuse(error)
        }
    }

    private func judge(_ head: TransferResponse) throws(StoreError) {
        let url = URIReference(head.finalURL).redacted
        switch head.status {
        case 206: try judgePart(head, url)
        case 200: try judgeWhole(head, url)
        case 416 where endsHere(head):
            // All bytes have come. The length that the origin announced was too large.
            tellLength(file.watermark)
            state.withLock {
                $0.remaining = 0
                $0.isDelimited = true
            }
            throw StoreError(.status(416, retryAfter: nil), url: url)
        case 416 where file.watermark > 0:
            try file.restart()
            throw StoreError(.integrity(.changed), url: url)
        default: throw StoreError(.status(head.status, retryAfter: head.retryAfter), url: url)
        }
    }

    /// Whether the resource ends at the watermark, in the requested version (RFC 9110, section 15.5.17).
    private func endsHere(_ head: TransferResponse) -> Bool {
        guard expectation.range == nil, let range = head.contentRange else { return false }
        return range.positions == nil && range.total == file.watermark
    }

    /// Judges a 206: it must begin at the watermark and be of the same version.
    private func judgePart(_ head: TransferResponse, _ url: String) throws(StoreError) {
        let wanted = (expectation.range?.offset ?? 0) + file.watermark
        guard head.contentEncoding == nil, let range = head.contentRange, let positions = range.positions,
            positions.lowerBound == wanted
        else {
            throw StoreError(.integrity(.wrongRange), url: url)
        }
        let fresh = Validator(head)
        if file.watermark > 0, let known = expectation.validator, !known.isSameVersion(as: fresh) {
            try file.restart()
            throw StoreError(.integrity(.changed), url: url)
        }
        let last = expectation.isPiece ? nil : positions.upperBound + 1
        guard let end = expectation.range.map({ $0.offset + $0.length }) ?? range.total ?? last else {
            throw StoreError(.integrity(.wrongRange), url: url)
        }
        if file.validator == nil { file.validator = fresh }
        if fresh.ifRange != nil { habits.sawRanges() }
        file.expectedLength = end - (expectation.range?.offset ?? 0)
        state.withLock {
            $0.validator = fresh
            $0.isPart = true
            $0.remaining = expectation.range == nil ? nil : end - wanted
            $0.isDelimited = true
        }
    }

    /// Judges a 200: it has the whole resource. The file is emptied, and bytes outside the unit's range are skipped.
    private func judgeWhole(_ head: TransferResponse, _ url: String) throws(StoreError) {
        if file.watermark > 0 { try file.restart() }
        // A compressed answer (Content-Encoding) has another length after decoding, and can't be resumed in the middle.
        let isCoded = head.contentEncoding != nil
        let validator = isCoded ? nil : Validator(head)
        if validator?.ifRange != nil, head.headerFields[.acceptRanges] == "bytes" { habits.sawRanges() }
        file.validator = validator
        tellLength(expectation.range?.length ?? (isCoded ? nil : head.contentLength))
        let hasLength = file.expectedLength != nil
        state.withLock {
            $0.validator = validator
            $0.limit = hasLength ? nil : (bytes: expectation.limit, url: url)
            $0.toSkip = expectation.range?.offset ?? 0
            $0.remaining = expectation.range?.length
            $0.isDelimited = head.lengthIsKnown && !isCoded
            $0.isUnmeasured = !head.lengthIsKnown && expectation.range == nil
            $0.isLabelledPage = head.contentType?.lowercased().hasPrefix("text/html") == true
        }
    }

    /// Sets the expected length. Zero means an unknown length, since an empty unit is never stored.
    private func tellLength(_ length: UInt64?) {
        file.expectedLength = length == 0 ? nil : length
    }

    package func receive(_ bytes: RawSpan) throws {
        meter.add(UInt64(bytes.byteCount))
        let (skipped, wanted) = state.withLock { state in
            let skipped = min(state.toSkip, UInt64(bytes.byteCount))
            state.toSkip -= skipped
            let rest = UInt64(bytes.byteCount) - skipped
            let wanted = min(rest, state.remaining ?? rest)
            if let remaining = state.remaining { state.remaining = remaining - wanted }
            return (Int(skipped), Int(wanted))
        }
        try checkLimit(with: UInt64(wanted))
        if wanted > 0, !unveils, file.watermark == 0 { veil(bytes.extracting(droppingFirst: skipped)) }
        if wanted > 0 { try file.append(bytes.extracting(droppingFirst: skipped).extracting(first: wanted)) }
        if skipped + wanted < bytes.byteCount { throw Enough() }
    }

    /// Hides the bytes from players if they do not begin like media, until the whole unit was checked.
    private func veil(_ bytes: RawSpan) {
        if MediaHead.mayHideMedia(MediaHead.head(of: bytes)) { file.veil() }
    }

    /// Checks the limit: an answer without a length may have no end.
    private func checkLimit(with count: UInt64) throws(StoreError) {
        guard let (limit, url) = state.withLock(\.limit), file.watermark + count > limit else { return }
        let failure = TransferError(.tooLarge(limit: limit), url: url)
        throw StoreError(.transfer(TransferFailure(failure)), url: url)
    }
}

/// Counts the received bytes of an asset, including those that were thrown away, and its waiting transfers. It knows
/// whether any media were kept.
package final class ByteMeter: Sendable {
    /// The seconds for which a waiting asset keeps its slot.
    static let reservation = 5.0
    private let count = Lock(SpeedWindow(now: SteadyClock.seconds))
    private struct Doings {
        /// The number of transfers that wait for a host that cools down (Retry-After).
        var waits = 0
        /// The number of failed units that wait longer than a second for their retry.
        var rests = 0
        var transfers = 0
        /// The time at which the first of the transfers began.
        var since = 0.0
    }

    private let doings = Lock(Doings())
    private let kept = Lock(false)
    package var total: UInt64 { count.withLock { $0.total } }
    package func add(_ bytes: UInt64) {
        let now = SteadyClock.seconds
        count.withLock { $0.add(bytes, now: now) }
    }

    /// Bytes per second in the last seconds; `nil` if none came, and in the first second.
    package var speed: Double? {
        let now = SteadyClock.seconds
        return count.withLock { $0.speed(now: now) }
    }

    /// The seconds since the last byte of any transfer; `nil` when no transfer runs, or when they are fewer than the
    /// span of the speed measurement.
    ///
    /// - Parameter now: seconds of the steady clock.
    package func stalled(now: Double = SteadyClock.seconds) -> Double? {
        let doings = doings.withLock(\.self)
        guard doings.transfers > 0 else { return nil }
        let quiet = now - max(doings.since, count.withLock(\.last))
        return quiet >= SpeedWindow.span ? quiet : nil
    }

    /// Whether a unit was stored, or a part of one was kept for a resume.
    var hasKept: Bool { kept.withLock(\.self) }
    func noteKept() { kept.withLock { $0 = true } }

    /// Whether the asset needs no slot for now: a transfer waits for a host that cools down, or only units that wait
    /// for a retry are left.
    var isHeldUp: Bool { doings.withLock { $0.waits > 0 || $0.rests > 0 && $0.transfers == 0 } }
    func beginWait() { doings.withLock { $0.waits += 1 } }
    func endWait() { doings.withLock { $0.waits -= 1 } }
    func beginRest() { doings.withLock { $0.rests += 1 } }
    func endRest() { doings.withLock { $0.rests -= 1 } }
    func beginTransfer() {
        let now = SteadyClock.seconds
        doings.withLock { doings in
            if doings.transfers == 0 { doings.since = now }
            doings.transfers += 1
        }
    }
    func endTransfer() { doings.withLock { $0.transfers -= 1 } }
}
