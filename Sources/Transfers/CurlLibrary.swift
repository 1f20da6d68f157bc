import CCurl

/// libcurl's process-wide set-up.
enum CurlLibrary {
    private static let result = curl_global_init(Int(CURL_GLOBAL_ALL))

    /// Sets libcurl up once; true when that worked.
    @discardableResult
    static func initialize() -> Bool { result == CURLE_OK }
}
