import CCurl

/// The state of a transfer loop. Only the loop's thread uses it.
final class LoopCore {
    private var configuration: TransferLoopConfiguration
    private let multi: MultiHandle
    private let mailbox: LoopMailbox
    private let share = CurlShare(cookies: false)
    private let limiter: RateLimiter
    private var refusedLocalPorts: Set<UInt16>
    private var queue: AdmissionQueue<Transfer>
    private var running: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    private var isStopping = false

    init(_ configuration: TransferLoopConfiguration, multi: MultiHandle, mailbox: LoopMailbox) {
        self.configuration = configuration
        self.multi = multi
        self.mailbox = mailbox
        limiter = RateLimiter(configuration.rateLimits)
        refusedLocalPorts = configuration.refusedLocalPorts
        queue = AdmissionQueue(
            limit: configuration.maximumTransfers, limitPerHost: configuration.maximumTransfersPerHost,
            reserve: configuration.urgentReserve)
    }

    /// Runs until stopped; then every transfer has ended.
    func run() {
        while !isStopping {
            mailbox.drain().forEach(obey)
            resumePaused()
            multi.perform()
            while let (transfer, result) = multi.nextEnded() { ended(transfer, result) }
            beginWaiting()
            // Returns at once for a transfer that has just begun.
            if !isStopping { multi.poll(milliseconds: limiter.wait ?? 60_000) }
        }
        endAll()
    }

    private func obey(_ command: LoopMailbox.Command) {
        switch command {
        case .add(let transfer): add(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .adjust(let transfer): adjust(transfer)
        case .setRateLimits(let limits): setRateLimits(limits)
        case .setRefusedLocalPorts(let ports): refusedLocalPorts = ports
        case .setTransfersPerHost(let count): setTransfersPerHost(count)
        case .stop: isStopping = true
        }
    }

    private func add(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.finish(.cancelled) }
        queue.add(transfer, host: transfer.queueHost, isHigh: transfer.isUrgent)
    }

    /// Applies the transfer's control: pauses, resumes, or moves a waiting transfer to the front when it has become
    /// urgent. (It is queued a second time; the first entry is skipped later.)
    private func adjust(_ transfer: Transfer) {
        guard !transfer.isFinished else { return }
        guard let handle = transfer.handle else {
            if transfer.isUrgent { queue.add(transfer, host: transfer.queueHost, isHigh: true) }
            return
        }
        if transfer.isHeld { handle.pause() } else { handle.resume() }
    }

    private func cancel(_ transfer: Transfer) {
        if running[ObjectIdentifier(transfer)] != nil { release(transfer, isAbandoned: true) }
        transfer.finish(.cancelled)
    }

    private func setRateLimits(_ limits: RateLimits) {
        limiter.setLimits(limits)
        for transfer in running.values {
            if let handle = transfer.handle { transfer.setStallRate(handle, limiter.rate(for: transfer)) }
        }
    }

    private func setTransfersPerHost(_ count: Int) {
        configuration.maximumTransfersPerHost = count
        configuration.maximumTransfers = max(configuration.maximumTransfers, count)
        queue.setLimits(all: configuration.maximumTransfers, perHost: count)
    }

    /// Begins waiting transfers while there is room.
    private func beginWaiting() {
        while let transfer = queue.next() {
            if transfer.isFinished || transfer.handle != nil {
                queue.finished(host: transfer.queueHost)
            } else {
                begin(transfer)
            }
        }
    }

    private func begin(_ transfer: Transfer) {
        guard let handle = idleHandles.popLast() ?? EasyHandle() else {
            queue.finished(host: transfer.queueHost)
            return transfer.finish(.other)
        }
        transfer.handle = handle
        transfer.rateLimiter = limiter
        running[ObjectIdentifier(transfer)] = transfer
        start(transfer, on: handle)
    }

    /// Starts the current hop of a transfer.
    private func start(_ transfer: Transfer, on handle: EasyHandle) {
        transfer.policy = AddressPolicy(
            allowsPrivateAddresses: transfer.request.allowsPrivateAddresses,
            refusedLocalPorts: refusedLocalPorts)
        transfer.configure(
            handle, userAgent: configuration.userAgent, share: share, rate: limiter.rate(for: transfer))
        multi.limitConnections(perHost: connectionsPerHost)
        if transfer.failure != nil || !transfer.allowsProxiedHost || !multi.add(handle) {
            let code = transfer.failure?.code ?? .other
            release(transfer)
            transfer.finish(code)
        }
    }

    /// The largest number of connections to a host: the number of transfers that may run there, so that idle
    /// connections are closed for new ones. Urgent transfers may exceed it by the reserve.
    private var connectionsPerHost: Int {
        let limit = max(1, configuration.maximumTransfersPerHost)
        guard running.values.contains(where: \.isUrgent) else { return limit }
        return min(limit + max(0, configuration.urgentReserve), max(limit, running.count))
    }

    private func ended(_ transfer: Transfer, _ result: CURLcode) {
        guard let handle = transfer.handle else { return }
        if let redirect = transfer.redirect {
            multi.remove(handle)
            handle.reset()
            transfer.follow(redirect)
            guard let next = EasyHandle() else {
                release(transfer)
                return transfer.finish(.other)
            }
            transfer.handle = next
            return start(transfer, on: next)
        }
        if transfer.response?.version == .http2 {
            queue.raiseLimit(host: transfer.queueHost, to: configuration.maximumStreamsPerHost)
        }
        transfer.conclude(result)
        release(transfer, isReusable: result == CURLE_OK)
    }

    /// Takes the handle from a transfer, and frees its place in the queue.
    ///
    /// - Parameters:
    ///   - isAbandoned: whether it is still running, and must be aborted.
    ///   - isReusable: whether it ended well. Otherwise the handle is not used again: libcurl would keep a smaller
    ///     buffer, assume the usual size after a reset, and write beyond the buffer.
    private func release(_ transfer: Transfer, isAbandoned: Bool = false, isReusable: Bool = false) {
        guard let handle = transfer.handle else { return }
        if isAbandoned { multi.abandon(handle) } else { multi.remove(handle) }
        handle.reset()
        transfer.handle = nil
        limiter.forget(transfer)
        running[ObjectIdentifier(transfer)] = nil
        queue.finished(host: transfer.queueHost)
        if isReusable { idleHandles.append(handle) }
    }

    private func resumePaused() {
        for transfer in limiter.resumable() where !transfer.isHeld {
            if let handle = transfer.handle { handle.resume() }
        }
    }

    private func endAll() {
        let unread = mailbox.close()
        for case .add(let transfer) in unread { transfer.finish(.stopped) }
        for transfer in queue.removeAll() { transfer.finish(.stopped) }
        for transfer in running.values {
            release(transfer)
            transfer.finish(.stopped)
        }
        idleHandles = []
        multi.close()
    }
}
