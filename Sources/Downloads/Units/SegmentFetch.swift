internal import HLSPlaylist
internal import SystemPackage
internal import Transfers

/// Fetches one unit into a partial file, resuming within it after a failure, until it is whole.
package struct SegmentFetch: Sendable {
    package let origin: Origin
    package let unit: UnitRecord
    package let file: PartialFile
    let meter: ByteMeter
    /// The check of the unit's bytes when all of them have come.
    package let inspector: UnitInspector
    let leash: TransferLeash
    let habits: OriginHabits
    package static let moment = 0.25
    /// The length of a pause in seconds after which other assets need not wait for this one.
    static let longRest = 1.0
    /// The number of tries without progress after which the fetch fails.
    package var tries = RetryPolicy.usualTries
    package var sleep = RetryPause.usual
    /// Whether a 404 is tried again, since it may come from a cache that lags behind the origin.
    var retriesMissing = false
    /// The bytes that are stored in place of an empty segment; `nil` when an empty segment is an error.
    package var blank: [UInt8]?
    /// The largest number of bytes that a unit without Content-Length may have.
    package var limit = Origin.segmentLimit
    /// Reports failures and recoveries to the activity board.
    var reporter: ActivityReporter?

    /// Fetches until the unit is whole and its bytes have passed the check.
    ///
    /// - Parameter known: the validator (ETag, Last-Modified) of the bytes that the file already has.
    package func run(goingOnWith known: Validator? = nil) async throws(StoreError) -> FetchedUnit {
        Trace.pass(.transfer, file.path.traced)
        let keeping = Task(executorPreference: WorkThreads.runs) { await keepHead() }
        defer { keeping.cancel() }
        defer { reporter?.recovered() }
        var patience = Patience(policy: RetryPolicy(tries: tries, retriesMissing: retriesMissing))
        var course = Course(validator: known)
        while true {
            do throws(StoreError) {
                if let fetched = try await proceed(&course) { return fetched }
            } catch {
                if case .stopped(.interrupted) = error.code { continue }
                let seconds = patience.failed(error, watermark: file.watermark)
                guard let seconds, !course.isHopeless else { throw error }
                var wait = patience.policy.wait(error, seconds)
                wait.asset = reporter?.token
                let window = error.holdOff.flatMap {
                    origin.cooldowns.begin(unit.url, for: error, seconds: $0)
                }
                if let window {
                    wait.seconds = window.seconds
                    reporter?.failed(wait, isCoolingDown: true)
                    patience.left(try await rest(for: window, wait))
                } else {
                    reporter?.failed(wait, isCoolingDown: false)
                    let isLong = seconds > Self.longRest
                    if isLong { meter.beginRest() }
                    defer { if isLong { meter.endRest() } }
                    patience.left(try await rest(wait))
                }
            }
        }
    }

    /// The waits before the retries of a unit.
    private struct Patience {
        var policy: RetryPolicy
        private var furthest: UInt64 = 0
        /// The time at which the last wait would have ended if a player had not ended it.
        private var restEnd = 0.0

        init(policy: RetryPolicy) { self.policy = policy }

        /// Notes that a wait ended early by a number of seconds, because a player waits for the unit.
        mutating func left(_ seconds: Double) { restEnd = SteadyClock.seconds + seconds }

        /// The seconds to wait after a failure; `nil` gives up. A try that came early, because a player waits, does not
        /// count.
        mutating func failed(_ error: StoreError, watermark: UInt64) -> Double? {
            let left = restEnd - SteadyClock.seconds
            if left > 0, error.isRetryable, watermark <= furthest { return left }
            let verdict = policy.failed(
                error, madeProgress: watermark > furthest, chance: .random(in: 0..<1))
            furthest = max(furthest, watermark)
            guard case .retry(let seconds) = verdict else { return nil }
            return seconds
        }
    }

    /// The state of a unit in transfer.
    private struct Course {
        /// The validator of the bytes in the file.
        var validator: Validator?
        /// The hash of bytes that are doubtful or no media.
        var doubtful: [UInt8]?
        /// Whether the origin has sent the same bytes twice, and they are not media.
        var isHopeless = false
        /// Whether the origin was asked for bytes beyond the announced length.
        var hasAskedOn = false
        /// The number of answers with another byte range than the requested one.
        var wrongRanges = 0

        /// Whether to request the whole resource, and to drop the bytes outside the unit's range.
        var asksForAll: Bool { wrongRanges >= 2 }
    }

    /// Makes one request, and judges the unit if it is whole then.
    ///
    /// - Returns: the unit, when it is whole.
    private func proceed(_ course: inout Course) async throws(StoreError) -> FetchedUnit? {
        let isTrial = try await waitForHost()
        defer { if isTrial { origin.cooldowns.finished(unit.url) } }
        let arrival = try await attempt(&course)
        guard file.expectedLength.map({ file.watermark >= $0 }) ?? true else { return nil }
        if file.isVeiled, let fetched = try noted(inspector.decompressed(file)) { return fetched }
        switch try verdict(of: arrival) {
        case .sound(let finding):
            if arrival.isOpenEnded, asksOn(&course) { return nil }
            if finding == .unknown, let fetched = try noted(inspector.unwrapped(file)) { return fetched }
            if file.watermark == 0, let blank { try unsafe file.append(blank.span.bytes) }
            return FetchedUnit(finding: finding)
        case .doubtful(let problem, let finding):
            // The origin has sent the same bytes twice: it has no others. A segment that is only unlike its neighbors
            // is requested again once.
            let isEnough = course.doubtful != nil && finding.oddity != nil
            if isSameAgain(&course) || isEnough { return FetchedUnit(finding: finding) }
            if asksOn(&course) { return nil }
            throw try startOver(problem, &course)
        case .bad(let problem):
            if arrival.isOpenEnded, asksOn(&course) { return nil }
            if let fetched = try noted(inspector.unwrapped(file)) { return fetched }
            course.isHopeless = isSameAgain(&course) && !problem.isMessage
            if problem.mayBeCutOff, asksOn(&course) { return nil }
            throw try startOver(problem, &course)
        }
    }

    /// Whether the bytes are the same as in the try before.
    private func isSameAgain(_ course: inout Course) -> Bool {
        let hash = file.sha256
        defer { course.doubtful = hash }
        return course.doubtful == hash && file.watermark > 0
    }

    /// Deletes the received bytes, and returns the error for `problem`.
    private func startOver(_ problem: IntegrityProblem, _ course: inout Course) throws(StoreError)
        -> StoreError
    {
        course.validator = nil
        try file.restart()
        return StoreError(.integrity(problem), url: URIReference(unit.url).redacted)
    }

    /// Decides whether to request bytes after the end of the received file. A Content-Length that is too small would
    /// hide them. Without a Content-Length, a connection that broke looks like the end.
    ///
    /// - Returns: whether to request them. It is true once at most, and only with a validator, so that the answer can't
    ///   be of another version.
    private func asksOn(_ course: inout Course) -> Bool {
        guard !course.hasAskedOn, unit.range == nil, course.validator?.ifRange != nil else { return false }
        course.hasAskedOn = true
        course.validator?.total = nil
        file.forgetLength()
        return true
    }

    /// Waits before a retry. The wait ends early when a player begins to wait for the unit.
    ///
    /// - Returns: the seconds that are left of the wait.
    @discardableResult
    private func rest(_ wait: RetryWait) async throws(StoreError) -> Double {
        // A player that was waiting before the failure does not end the wait: only one that comes later does.
        let (begin, calls) = (SteadyClock.seconds, leash.calls)
        (file.isResting, file.trouble) = (true, wait.reason)
        defer { file.isResting = false }
        let isWaitedFor = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { [sleep] in (try? await sleep(wait)).map { false } }
            group.addTask { [leash] in await leash.untilWaitedFor(after: calls) }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let isWaitedFor else { throw StoreError(.stopped(.cancelled)) }
        return isWaitedFor ? max(0, wait.seconds - (SteadyClock.seconds - begin)) : 0
    }

    /// Waits until a host's cooldown has ended. During a long wait the asset gives its slot to others.
    @discardableResult
    private func rest(for window: HostCooldowns.Window, _ wait: RetryWait) async throws(StoreError) -> Double
    {
        let isLong = window.seconds > ByteMeter.reservation
        if isLong { meter.beginWait() }
        defer { if isLong { meter.endWait() } }
        let left = try await rest(wait)
        if left == 0 { origin.cooldowns.waited(window) }
        return left
    }

    /// Waits while a host cools down (Retry-After), unless a player waits for the unit.
    ///
    /// - Returns: `true` when this request tests the host after its cooldown; only a few may.
    private func waitForHost() async throws(StoreError) -> Bool {
        while !leash.control.isUrgent {
            switch origin.cooldowns.enter(unit.url) {
            case .free: return false
            case .trial: return true
            case .window(let window):
                let wait = RetryWait(
                    reason: window.refusalOfHost(of: unit.url), seconds: window.seconds, attempt: 1,
                    tries: tries, asset: reporter?.token)
                reporter?.failed(wait, isCoolingDown: true)
                try await rest(for: window, wait)
            case .others:
                do { try await Task.sleep(for: .seconds(Self.moment)) } catch {
                    throw StoreError(.stopped(.cancelled))
                }
            }
        }
        return false
    }

    /// Writes the validator of a transfer that takes longer than `moment` beside its file, so that a killed process can
    /// resume it.
    private func keepHead() async {
        while (try? await Task.sleep(for: .seconds(Self.moment))) != nil { file.keepHead() }
    }

    /// The facts of an answer that has ended.
    package struct Arrival {
        /// Whether the Content-Type is that of a web page.
        var isLabelledPage = false
        /// Whether only the end of the connection marks the end of the body.
        var isUnmeasured = false
        /// Whether only the end of the connection marks the end of the body, although the origin supports byte
        /// ranges.
        var isOpenEnded = false
    }

    /// - Parameter course: its validator is set to that of the bytes in the file, also after a failure.
    private func attempt(_ course: inout Course) async throws(StoreError) -> Arrival {
        course.validator = try resumable(course.validator)
        // The process may have been killed between the last byte and the commit.
        if let length = unit.range?.length, file.watermark >= length { return Arrival() }
        if habits.areDisguised, inspector.mayBeDisguised { file.veil() }
        let piece = await leash.turn(mayBePiece: habits.allowPieces).map(evened)
        defer { leash.rest() }
        let start = file.watermark
        let sink = SegmentSink(
            into: file,
            .init(
                range: unit.range, validator: course.validator, isPiece: piece != nil, limit: limit),
            meter: meter, habits: habits, unveils: !inspector.mayBeDisguised
        ) { [cooldowns = origin.cooldowns, unit, reporter] in
            cooldowns.answered(unit.url)
            reporter?.goesOn()
        }
        defer { course.validator = sink.validator }
        meter.beginTransfer()
        defer { meter.endTransfer() }
        do throws(TransferError) {
            _ = try await origin.loop.perform(request(course, piece: piece), into: sink)
        } catch {
            if case .cancelled = error.code, leash.takeInterruption(), !Task.isCancelled, !sink.isSatisfied {
                throw StoreError(.stopped(.interrupted))
            }
            if case .invalidResponse = error.code { habits.sawNonsense() }
            if piece != nil, !sink.isSatisfied { noteTrouble(error) }
            guard sink.isSatisfied else {
                if file.watermark == start { try prepare(for: error, &course) }
                throw StoreError(error, url: unit.url)
            }
        }
        let isPiece = piece != nil && sink.isPart && file.watermark > start
        if !isPiece, let expected = file.expectedLength, file.watermark != expected {
            throw StoreError(
                .integrity(.length(expected: expected, actual: file.watermark)),
                url: URIReference(unit.url).redacted)
        }
        return Arrival(
            isLabelledPage: sink.isLabelledPage, isUnmeasured: sink.isUnmeasured,
            isOpenEnded: !sink.isDelimited && habits.allowPieces)
    }

    /// Enlarges a piece to the end of the unit if the remainder would be too small for a request of its own.
    private func evened(_ piece: UInt64) -> UInt64 {
        guard let length = unit.range?.length ?? file.expectedLength, length > file.watermark else {
            return piece
        }
        let left = length - file.watermark
        return left <= piece + piece / 2 ? left : piece
    }

    /// Stops byte-range requests to the origin after an error other than a broken connection.
    private func noteTrouble(_ error: TransferError) {
        switch error.code {
        case .cancelled, .stopped, .connectionLost, .truncated, .connect, .resolve, .timeout, .stalled: break
        default: habits.sawTrouble()
        }
    }

    /// Prepares the next try after an error about ranges: it begins at the first byte, and after two such errors
    /// requests the whole resource. A length mismatch after the request for bytes beyond the end means that the file
    /// has more bytes. Then the received bytes are kept.
    private func prepare(for error: TransferError, _ course: inout Course) throws(StoreError) {
        switch (error.code, (error.underlying as? StoreError)?.code) {
        case (.lengthMismatch, _) where course.hasAskedOn: return
        case (.lengthMismatch, _): break
        case (.wrongContentRange, _), (_, .integrity(.wrongRange)): course.wrongRanges += 1
        default: return
        }
        try file.restart()
    }

    /// Empties a partial file without a validator, since resuming it could mix two versions.
    private func resumable(_ validator: Validator?) throws(StoreError) -> Validator? {
        guard file.watermark > 0, validator?.ifRange == nil else { return validator }
        try file.restart()
        return nil
    }

    private func request(_ course: Course, piece: UInt64?) -> TransferRequest {
        var request = origin.request(unit.url, for: .segment)
        request.maximumBodyBytes = Origin.segmentLimit
        request.control = leash.control
        request.hasOwnConnection = habits.breakConnections
        let start = (unit.range?.offset ?? 0) + file.watermark
        if course.asksForAll { return request }
        if let range = unit.range {
            let left = range.length - file.watermark
            request.range = TransferRange(offset: start, length: min(left, piece ?? left))
        } else if file.watermark > 0 || piece != nil {
            request.range = TransferRange(offset: start, length: piece)
        }
        if file.watermark > 0 { request.ifRange = course.validator?.ifRange }
        return request
    }
}

extension StoreError {
    /// Whether a later transfer can resume after the received bytes.
    var isWorthGoingOn: Bool {
        switch code {
        case .transfer(let failure): !failure.cause.isOfSize
        case .stopped, .status: true
        default: false
        }
    }
}
