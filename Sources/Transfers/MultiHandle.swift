import CCurl

/// One `CURLM*`. `wake` may be called from any thread, everything else on the loop's. Sendable because of that rule,
/// which `LoopMailbox` (the only caller elsewhere) and `LoopCore` observe.
@safe
final class MultiHandle: @unchecked Sendable {
    private var pointer: UnsafeMutableRawPointer?
    private var connectionsPerHost: Int?

    init?(_ configuration: TransferLoopConfiguration) {
        CurlLibrary.initialize()
        guard let pointer = unsafe curl_multi_init() else { return nil }
        unsafe self.pointer = pointer
        let reserve = max(0, configuration.urgentReserve)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, max(1, configuration.maximumTransfers) + reserve)
        set(CURLMOPT_MAXCONNECTS, max(1, configuration.maximumTransfers))
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    deinit { close() }

    /// Closes every connection. The mailbox is closed before, so that no thread wakes the handle any more.
    func close() {
        unsafe _ = pointer.map { unsafe curl_multi_cleanup($0) }
        unsafe pointer = nil
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        unsafe _ = ccurl_multi_set_long(pointer, option, value)
    }

    /// Limits the connections to a host: a new one beyond the limit replaces an idle one.
    func limitConnections(perHost limit: Int) {
        guard limit != connectionsPerHost else { return }
        connectionsPerHost = limit
        set(CURLMOPT_MAX_HOST_CONNECTIONS, limit)
    }

    func add(_ handle: EasyHandle) -> Bool {
        unsafe curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func remove(_ handle: EasyHandle) { unsafe _ = curl_multi_remove_handle(pointer, handle.pointer) }

    /// Removes a running transfer that is no longer needed, so that its origin stops at once.
    func abandon(_ handle: EasyHandle) { unsafe _ = ccurl_multi_abandon_handle(pointer, handle.pointer) }

    func perform() {
        var running: Int32 = 0
        unsafe _ = curl_multi_perform(pointer, &running)
    }

    /// Waits for sockets, libcurl's own timers, a wake-up, or the time in milliseconds.
    func poll(milliseconds: Int32) { unsafe _ = curl_multi_poll(pointer, nil, 0, milliseconds, nil) }

    func wake() { unsafe _ = curl_multi_wakeup(pointer) }

    /// The next transfer libcurl has ended, with its result.
    func nextEnded() -> (Transfer, CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            var context: UnsafeMutableRawPointer?
            unsafe _ = ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            if let ended = unsafe transfer(context) { return unsafe (ended, ccurl_message_result(message)) }
        }
        return nil
    }
}
