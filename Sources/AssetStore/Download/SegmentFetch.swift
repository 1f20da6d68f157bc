internal import HLSPlaylist
internal import SystemPackage
internal import Transfers

/// Fetches one unit into a partial file, resuming within it after a failure, until it is whole.
struct SegmentFetch: Sendable {
    let origin: Origin
    let unit: UnitRecord
    let file: PartialFile
    let meter: ByteMeter
    /// Media that is not encrypted as a whole can be checked by its container.
    let checksContainer: Bool
    let leash: TransferLeash
    let habits: OriginHabits
    static let moment = 0.25
    /// Tries without progress after which it gives up.
    var tries = RetryPolicy.usualTries
    var sleep: RetryPause = { try await Task.sleep(for: .seconds($0.seconds)) }
    /// Whether a 404 may be one of a cache that is late.
    var retriesMissing = false
    /// Whether it is of subtitles, which may be text.
    var isSubtitles = false
    /// Whether it need not end where a box of MP4 does.
    var mayEndInBox = false
    /// What a segment without bytes is stored as; `nil` where there is no such thing.
    var blank: [UInt8]?
    /// Bytes that it may have when the origin does not tell how many.
    var limit = Origin.segmentLimit

    /// Fetches until the unit is whole.
    ///
    /// - Parameter known: the version of what is there already.
    func run(goingOnWith known: Validator? = nil) async throws(StoreError) {
        let keeping = Task { await keepHead() }
        defer { keeping.cancel() }
        var patience = Patience(policy: RetryPolicy(tries: tries, retriesMissing: retriesMissing))
        var course = Course(validator: known)
        while true {
            do throws(StoreError) {
                if try await proceed(&course) { return }
            } catch {
                if case .stopped = error.code, leash.takeInterruption(), !Task.isCancelled { continue }
                let seconds = patience.failed(error, watermark: file.watermark)
                guard let seconds else { throw error }
                let window = error.holdOff.flatMap { origin.holds.hold(unit.url, for: error, seconds: $0) }
                if let window {
                    patience.left(try await rest(for: window))
                } else {
                    patience.left(try await rest(RetryWait(reason: error, seconds: seconds)))
                }
            }
        }
    }

    /// When a unit that failed is tried again.
    private struct Patience {
        var policy: RetryPolicy
        private var furthest: UInt64 = 0
        /// When the last rest would have ended.
        private var restEnd = 0.0

        init(policy: RetryPolicy) { self.policy = policy }

        /// So many seconds of the last rest were left, since a player wants the unit.
        mutating func left(_ seconds: Double) { restEnd = SteadyClock.seconds + seconds }

        /// Seconds to rest after a failure; `nil` gives up. What was tried before its time, for a player, counts for
        /// nothing.
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

    /// What is known of a unit that is on its way.
    private struct Course {
        /// Of what is there.
        var validator: Validator?
        /// The hash of bytes that don't look whole.
        var doubtful: [UInt8]?
        /// Whether the origin was asked if there is more than it announced.
        var hasAskedOn = false
        /// Parts that were not those that were asked for.
        var wrongRanges = 0

        /// Whether the whole resource is asked for, and what is too much of it is left out.
        var asksForAll: Bool { wrongRanges >= 2 }
    }

    /// Goes on by one request.
    ///
    /// - Returns: whether the unit is whole.
    private func proceed(_ course: inout Course) async throws(StoreError) -> Bool {
        let isTrial = try await waitForHost()
        defer { if isTrial { origin.holds.finished(unit.url) } }
        let arrival = try await attempt(&course)
        guard file.expectedLength.map({ file.watermark >= $0 }) ?? true else { return false }
        guard let problem = try problem(of: arrival) else {
            if arrival.isOpenEnded, asksOn(&course) { return false }
            if file.watermark == 0, let blank { try unsafe file.append(blank.span.bytes) }
            return true
        }
        // The same bytes twice are how the origin has them; a web page never is media.
        let hash = file.sha256
        if case .integrity(.container) = problem, course.doubtful == hash, file.watermark > 0 { return true }
        course.doubtful = hash
        if isCutOff(problem), asksOn(&course) { return false }
        course.validator = nil
        try file.restart()
        throw StoreError(problem, url: URIReference(unit.url).redacted)
    }

    /// Nobody notices what comes after too small a Content-Length, or is lost where there is none. Is there more?
    ///
    /// - Returns: whether to ask; once, and only where the answer can't be of another version.
    private func asksOn(_ course: inout Course) -> Bool {
        guard !course.hasAskedOn, unit.range == nil, course.validator?.ifRange != nil else { return false }
        course.hasAskedOn = true
        course.validator?.total = nil
        file.forgetLength()
        return true
    }

    /// Waits, but no longer than until a player wants the unit.
    ///
    /// - Returns: the seconds that are left of the wait.
    @discardableResult
    private func rest(_ wait: RetryWait) async throws(StoreError) -> Double {
        // One that waits already has seen it fail.
        let (begin, calls) = (SteadyClock.seconds, leash.calls)
        file.isResting = true
        defer { file.isResting = false }
        let isWaitedFor = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { [sleep] in (try? await sleep(wait)).map { false } }
            group.addTask { [leash] in await leash.untilWaitedFor(after: calls) }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let isWaitedFor else { throw StoreError(.stopped) }
        return isWaitedFor ? max(0, wait.seconds - (SteadyClock.seconds - begin)) : 0
    }

    /// Leaves a host alone for as long as it has asked for. Other assets need not wait meanwhile.
    @discardableResult
    private func rest(for window: HostHolds.Window) async throws(StoreError) -> Double {
        let isLong = window.seconds > DownloadEngine.reservation
        if isLong { meter.beginWait() }
        defer { if isLong { meter.endWait() } }
        let left = try await rest(window.wait)
        if left == 0 { origin.holds.waited(window) }
        return left
    }

    /// A host that has asked for a while is left alone, but for what somebody waits for.
    ///
    /// - Returns: whether this is one of the few requests that try it afterwards.
    private func waitForHost() async throws(StoreError) -> Bool {
        while !leash.control.isUrgent {
            switch origin.holds.enter(unit.url) {
            case .free: return false
            case .trial: return true
            case .window(let window):
                try await rest(for: window)
            case .others:
                do { try await Task.sleep(for: .seconds(Self.moment)) } catch { throw StoreError(.stopped) }
            }
        }
        return false
    }

    /// What takes longer than a moment is worth going on with, should the process be killed.
    private func keepHead() async {
        while (try? await Task.sleep(for: .seconds(Self.moment))) != nil { file.keepHead() }
    }

    /// What came.
    private struct Arrival {
        /// Whether the origin says that it is a web page.
        var isLabelledPage = false
        /// Whether only the end of the connection told where it ends.
        var isUnmeasured = false
        /// Whether only the end of the connection told where it ends, of an origin that knows parts.
        var isOpenEnded = false
    }

    /// - Parameter course: its validator is that of what came, also after a failure.
    private func attempt(_ course: inout Course) async throws(StoreError) -> Arrival {
        course.validator = try resumable(course.validator)
        // It may have been killed between the last byte and the commit.
        if let length = unit.range?.length, file.watermark >= length { return Arrival() }
        let piece = await leash.turn(mayBePiece: habits.allowPieces).map(evened)
        defer { leash.rest() }
        let start = file.watermark
        let sink = SegmentSink(
            into: file,
            .init(
                range: unit.range, validator: course.validator, isPiece: piece != nil, limit: limit),
            meter: meter, habits: habits
        ) { [holds = origin.holds, unit] in holds.answered(unit.url) }
        defer { course.validator = sink.validator }
        do throws(TransferError) {
            _ = try await origin.loop.perform(request(course, piece: piece), into: sink)
        } catch {
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

    /// A small rest is not worth a request of its own.
    private func evened(_ piece: UInt64) -> UInt64 {
        guard let length = unit.range?.length ?? file.expectedLength, length > file.watermark else {
            return piece
        }
        let left = length - file.watermark
        return left <= piece + piece / 2 ? left : piece
    }

    /// After anything but a broken connection, parts are not asked for again.
    private func noteTrouble(_ error: TransferError) {
        switch error.code {
        case .cancelled, .stopped, .connectionLost, .truncated, .connect, .resolve, .timeout, .stalled: break
        default: habits.sawTrouble()
        }
    }

    /// An origin that gets ranges wrong is asked from the beginning, and for all in the end. When it was asked whether
    /// there is more, a part with too small a Content-Length says yes.
    private func prepare(for error: TransferError, _ course: inout Course) throws(StoreError) {
        switch (error.code, (error.underlying as? StoreError)?.code) {
        case (.lengthMismatch, _) where course.hasAskedOn: return
        case (.lengthMismatch, _): break
        case (.wrongContentRange, _), (_, .integrity(.wrongRange)): course.wrongRanges += 1
        default: return
        }
        try file.restart()
    }

    /// A partial file without a validator is not worth the risk of mixing two versions.
    private func resumable(_ validator: Validator?) throws(StoreError) -> Validator? {
        guard file.watermark > 0, validator?.ifRange == nil else { return validator }
        try file.restart()
        return nil
    }

    private func request(_ course: Course, piece: UInt64?) -> TransferRequest {
        var request = origin.request(unit.url)
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

    /// The bytes decide: some origins label media as web pages, and some send web pages as media.
    private func problem(of arrival: Arrival) throws(StoreError) -> StoreError.Code? {
        let head = try file.read(at: 0, count: 512)
        let isUnknown = checksContainer && ContainerFormat(sniffing: head) == nil
        if Self.isWebPage(head) || (arrival.isLabelledPage && isUnknown) { return .integrity(.html) }
        if head.isEmpty, blank != nil, !arrival.isUnmeasured { return nil }
        if isSubtitles ? checksContainer && Self.isObject(head) : Self.isText(head) {
            // What has never sent anything else may mean it as media.
            if isSubtitles || habits.haveBroughtMedia { return .integrity(.text) }
            return .integrity(.container(IntegrityProblem.text.sentence))
        }
        if !isSubtitles, !head.isEmpty { habits.sawMedia() }
        let check = ContainerCheck(file, mayEndInBox: mayEndInBox)
        let sentence = try checksContainer ? check.problem() : encryptionProblem
        if let sentence { return .integrity(.container(sentence)) }
        guard arrival.isUnmeasured, !(checksContainer && ContainerCheck.knowsEnd(of: head)) else {
            return nil
        }
        return .integrity(.container("nothing tells whether all of the segment has come"))
    }

    /// Padding makes it one block at least; what is not padded may have any length.
    private var encryptionProblem: String? {
        let isWhole = file.watermark % 16 == 0 || unit.encryption == .other
        return file.watermark > 0 && isWhole ? nil : "an encrypted segment is cut off"
    }

    /// Whether it is media, as far as it goes.
    private func isCutOff(_ problem: StoreError.Code) -> Bool {
        guard case .integrity(.container(let sentence)) = problem else { return false }
        return sentence != IntegrityProblem.text.sentence
    }

    /// Some origins send a message with status 200; no subtitles are a JSON object.
    private static func isObject(_ head: [UInt8]) -> Bool {
        String(decoding: head, as: UTF8.self).first { !$0.isWhitespace } == "{"
    }

    /// Media, encrypted or not, soon have bytes that no text has.
    private static func isText(_ head: [UInt8]) -> Bool {
        let isPlain = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        // The last character may be cut off.
        let text = String(decoding: head, as: UTF8.self).unicodeScalars.dropLast(3)
        return isPlain && !head.isEmpty && !text.contains("\u{FFFD}")
    }

    private static func isWebPage(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head.prefix(256), as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }
}

extension StoreError {
    /// Whether what has come so far is as good as before, so that a later transfer can go on from it.
    var isWorthGoingOn: Bool {
        switch code {
        case .transfer(let error): !error.isOfSize
        case .stopped, .status: true
        default: false
        }
    }

    /// Whether it is no failure, but somebody's wish.
    var isStopped: Bool { if case .stopped = code { true } else { false } }
}
