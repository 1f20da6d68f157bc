import CCurl

/// One `CURL*`, used by one transfer after the other.
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    init?() {
        CurlLibrary.initialize()
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = pointer
        unsafe headerList = nil
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headerList)
    }

    /// Forgets every option; connections, which belong to the loop, stay.
    func reset() {
        // curl_easy_reset forgets the list of cookie files without freeing it.
        unsafe _ = ccurl_set_string(pointer, CURLOPT_COOKIEFILE, nil)
        unsafe setShare(nil)
        unsafe curl_easy_reset(pointer)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
    }

    func set(_ option: CURLoption, _ value: Int) { unsafe _ = ccurl_set_long(pointer, option, value) }

    func set(_ option: CURLoption, _ value: String) { unsafe _ = ccurl_set_string(pointer, option, value) }

    /// Takes back a text that libcurl has by default.
    func clear(_ option: CURLoption) { unsafe _ = ccurl_set_string(pointer, option, nil) }

    func set(_ option: CURLoption, bytes value: UInt64) {
        unsafe _ = ccurl_set_offset(pointer, option, curl_off_t(clamping: value))
    }

    /// A copy of the body to send.
    func setBody(_ body: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE_LARGE, bytes: UInt64(body.count))
        unsafe body.withUnsafeBytes { bytes in
            let copy = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            unsafe _ = ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, copy)
        }
    }

    /// Header lines without line ends; the list lives until the next `reset`.
    func setHeaders(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { unsafe list = curl_slist_append(list, line) ?? list }
        unsafe _ = ccurl_set_headers(pointer, list)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = list
    }

    func setShare(_ share: UnsafeMutableRawPointer?) { unsafe _ = ccurl_set_share(pointer, share) }

    /// Stops reading from the connection.
    func pause() { unsafe _ = curl_easy_pause(pointer, CURLPAUSE_RECV) }

    /// Resumes a paused transfer; during this call libcurl passes on the data that it kept.
    func resume() { unsafe _ = curl_easy_pause(pointer, CURLPAUSE_CONT) }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe _ = ccurl_get_long(pointer, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> UInt64 {
        var value: curl_off_t = 0
        unsafe _ = ccurl_get_offset(pointer, info, &value)
        return UInt64(clamping: value)
    }

    /// A time in microseconds.
    func duration(_ info: CURLINFO) -> Duration { .microseconds(Int64(clamping: offset(info))) }

    func list(_ info: CURLINFO) -> [String] {
        var head: UnsafeMutablePointer<curl_slist>?
        unsafe _ = ccurl_get_list(pointer, info, &head)
        defer { unsafe curl_slist_free_all(head) }
        var lines: [String] = []
        var next = unsafe head
        while let node = unsafe next {
            if let data = unsafe node.pointee.data { unsafe lines.append(String(cString: data)) }
            unsafe next = node.pointee.next
        }
        return lines
    }
}
