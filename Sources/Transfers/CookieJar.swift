import CCurl
import Glibc

/// Cookies (RFC 6265) that the transfers of one asset share: segments' requests send the cookies that playlists'
/// responses set. Domain, path, `Secure` and expiry are observed.
public final class CookieJar: Sendable {
    let share: CurlShare

    /// An empty jar. Throws `other` when libcurl has no memory for it.
    public init() throws(TransferError) {
        guard let share = CurlShare(cookies: true) else { throw TransferError(.other, url: "") }
        self.share = share
    }

    /// Adds cookies in the Netscape file format, one a line; comments and malformed lines are passed over.
    /// `#HttpOnly_` lines count as cookies.
    public func add(netscapeFile text: String) {
        guard let handle = EasyHandle() else { return }
        handle.attach(share)
        for line in text.split(whereSeparator: \.isNewline) {
            let isCookie = !line.hasPrefix("#") || line.hasPrefix("#HttpOnly_")
            guard isCookie, line.split(separator: "\t", omittingEmptySubsequences: false).count == 7 else {
                continue
            }
            handle.set(CURLOPT_COOKIELIST, String(line))
        }
        handle.attach(nil)
    }

    /// The cookies in the Netscape file format, one per line. They are secret.
    public var netscapeLines: [String] {
        guard let handle = EasyHandle() else { return [] }
        handle.attach(share)
        defer { handle.attach(nil) }
        return handle.list(CURLINFO_COOKIELIST)
    }
}

/// One `CURLSH`: TLS sessions, and optionally cookies, for several transfers. Sendable because libcurl uses shared
/// data only between the lock calls below.
@safe
final class CurlShare: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutableRawPointer
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init?(cookies: Bool) {
        CurlLibrary.initialize()
        guard let pointer = unsafe curl_share_init() else { return nil }
        unsafe self.pointer = pointer
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe ccurl_share_set_locks(pointer, lockShare, unlockShare, mutex)
        unsafe ccurl_share_set_data(pointer, CURL_LOCK_DATA_SSL_SESSION)
        if cookies { unsafe ccurl_share_set_data(pointer, CURL_LOCK_DATA_COOKIE) }
    }

    deinit {
        unsafe curl_share_cleanup(pointer)
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }
}

private func lockShare(
    _ easy: UnsafeMutableRawPointer?, _ data: curl_lock_data, access: curl_lock_access,
    context: UnsafeMutableRawPointer?
) {
    guard let mutex = unsafe context?.assumingMemoryBound(to: pthread_mutex_t.self) else { return }
    unsafe pthread_mutex_lock(mutex)
}

private func unlockShare(
    _ easy: UnsafeMutableRawPointer?, _ data: curl_lock_data, context: UnsafeMutableRawPointer?
) {
    guard let mutex = unsafe context?.assumingMemoryBound(to: pthread_mutex_t.self) else { return }
    unsafe pthread_mutex_unlock(mutex)
}

extension EasyHandle {
    /// Gives the handle a share's cookies and TLS sessions, or takes them away.
    func attach(_ share: CurlShare?) { unsafe setShare(share?.pointer) }
}
