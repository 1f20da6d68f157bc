#if DEBUG || FUZZING
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel
    internal import Foundation
    @testable internal import Transfers

    extension FuzzTarget {
        static let answers = [
            FuzzTarget("response-head", tokens: headTokens) { bytes throws(Finding) in
                var head = ResponseHead()
                for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                    _ = head.take(line)
                }
                let response = head.response(
                    finalURL: "https://origin.test/", isHead: false, now: 1_795_000_000)
                guard let response else { return }
                try Finding.expect(
                    (0...3600).contains(response.retryAfter ?? 0),
                    "an origin is left alone for an hour at most")
                try Finding.expect(
                    response.contentLength == nil || response.lengthIsKnown, "a length that is told is known")
            },
            FuzzTarget("address", tokens: addressTokens) { bytes throws(Finding) in
                let text = String(decoding: bytes, as: UTF8.self)
                let redacted = TransferURL.redact(text)
                try Finding.expect(
                    redacted.utf8.allSatisfy { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") },
                    "an error names no query")
                guard let url = try? TransferURL("https://origin.test/a/b?c=d").resolving(text) else {
                    return
                }
                try Finding.expect(
                    ["http", "https"].contains(url.scheme) && !url.host.isEmpty,
                    "a redirect leads to a web host")
            },
            FuzzTarget("key-answer", tokens: keyTokens) { bytes throws(Finding) in
                let text = String(decoding: bytes, as: UTF8.self)
                for kind in ["data:,", "data:text/plain;base64,"] {
                    try Finding.expect(
                        KeyFetcher.decode(kind + text).count <= text.utf8.count,
                        "no more comes out than went in")
                }
                let answer = KeyProviderAnswer(
                    nil, provider: "p", now: Timestamp(milliseconds: 1_795_000_000_000), keyLength: 16)
                guard let key = try? answer.key(in: bytes) else { return }
                try Finding.expect(
                    key.contentType != nil || key.bytes.count == 16, "a key that is used has its length")
            },
            FuzzTarget("cookie-file", tokens: cookieTokens) { bytes throws(Finding) in
                guard let jar = try? CookieJar() else { return }
                jar.add(netscapeFile: String(decoding: bytes, as: UTF8.self))
                try Finding.expect(
                    jar.netscapeLines.count <= 1 + bytes.count { $0 <= 0x0D || $0 >= 0x80 },
                    "a line is one cookie at most")
            },
            FuzzTarget("document", tokens: documentTokens) { bytes throws(Finding) in
                try checkDocuments(bytes)
            },
        ]

        /// Checks JSON other than request bodies: lists of interstitials, a link resolver's answer, the store's
        /// settings, and the file beside an unfinished one.
        private static func checkDocuments(_ bytes: [UInt8]) throws(Finding) {
            if let list = InterstitialList(bytes), !list.json.isEmpty {
                let again = InterstitialList(list.json)
                try Finding.expect(
                    again?.assets.map(\.uri) == list.assets.map(\.uri), "a list reads as it was written")
            }
            _ = Relinker.url(in: bytes)
            _ = try? JSONDecoder().decode(EngineSettings.self, from: Data(bytes))
            let fault = SettingsShape.fault(in: bytes)
            try Finding.expect(
                fault.map { (0...bytes.count).contains($0.offset) } != false, "a fault is in the text")
            _ = try? JSONDecoder().decode(PartHead.self, from: Data(bytes))
        }

        private static let headTokens = [
            "HTTP/1.1 200 OK\r\n", "HTTP/2 206\r\n", "HTTP/1.0 503 x\r\n", "\r\n", "Content-Length: ", "12",
            "Content-Range: bytes 0-9/10\r\n", "Retry-After: ", "120\r\n",
            "Fri, 31 Dec 1999 23:59:59 GMT\r\n",
            "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n", " folded", "18446744073709551616",
            "\0",
        ]
        private static let addressTokens = [
            "http://", "https://u:p@", "//", "..", "?token=s", "#f", "\u{301}", "@", "%2F", "[::1]", ":65536",
            "\\",
            "file:///", "host.test", "/", " ",
        ]
        private static let keyTokens = [
            "{\"key\":\"", "\",", "\"}", "0123456789abcdef", "0x", "AAAAAAAAAAAAAAAAAAAAAA==", "%4", "%00",
            "+", "-_",
            "\"renewal_date\":", "1e11", "\"9999-12-31T23:59:59Z\"", "\"content_type\":\"a/b\"", "\u{665}",
        ]
        private static let cookieTokens = [
            ".origin.test\tTRUE\t/\tFALSE\t0\tname\tvalue\n", "#HttpOnly_", "# comment\n", "\t", "\r\n",
            "TRUE",
            "9223372036854775808", "__Secure-", "ALL", "\0", "\u{2028}",
        ]
        private static let documentTokens = [
            "{", "}", "[", "]", ",", ":", "\"ASSETS\":", "{\"URI\":\"a\",\"DURATION\":1}",
            "\"SKIP-CONTROL\":", "1e999",
            "{\"url\":\"https://a.test/\"}", "\"hooks\":", "\"on\":", "\"command\":[\"a\"]",
            "\"link_resolver\":",
            "\"storage\":", "\"limit\":\"20GB\"", "\"key_providers\":", "\"name\":\"p\"",
            "\"hosts\":[\"*.a.test\"]",
            "\"url\":\"https://k.test/{content_id}\"", "\"headers\":{\"X-A\":{\"file\":\"/f\"}}",
            "\"schedule\":",
            "\"22:00-06:00\"", "\"validator\":{\"etag\":\"\\\"a\\\"\",\"total\":9}", "\"length\":",
            "\"boot\":\"b\"",
        ]
    }
#else
    extension FuzzTarget {
        static let answers: [FuzzTarget] = []
    }
#endif
