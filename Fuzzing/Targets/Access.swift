#if DEBUG || FUZZING
    internal import HTTPDaemon
    internal import HTTPTypes
    @testable internal import APIDocuments
    @testable internal import OfflineServer

    extension FuzzTarget {
        static let access = [
            FuzzTarget("access", tokens: accessTokens) { bytes throws(Finding) in
                let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
                let head = RawHead(
                    method: "POST", target: Array(parts[0]), minorVersion: 1,
                    fields: parts.count > 1 ? Array(parts[1]) : [])
                guard let request = try? RequestGuard(bodyLimit: 1000).admit(head, peer: "127.0.0.1") else {
                    return
                }
                try checkGate(request)
                try checkPolicy(request)
            }
        ]

        private static let secret = "store-token"
        private static let page = "https://page.test"
        private static let accessTokens = [
            "/t/\(secret)", "/t/", "/assets/", "/healthz", "?", "//", "%2e", "\n", "Host\0localhost:8090\0\0",
            "Host\0evil.test\0\0", "Origin\0\(page)\0\0", "Origin\0http://127.0.0.1:8090\0\0",
            "Origin\0null\0\0",
            "Referer\0\(page)/a\0\0", "Sec-Fetch-Site\0cross-site\0\0", "Sec-Fetch-Mode\0navigate\0\0",
            "Sec-Fetch-Dest\0document\0\0", "Authorization\0Bearer \(secret)\0\0", "\0\0", "\0",
        ]

        /// Checks that requests without the token are refused, and that the path behind the token's prefix stays.
        private static func checkGate(_ request: Request) throws(Finding) {
            guard let admitted = TokenGate(token: secret, isClosed: true).admit(request) else { return }
            try Finding.expect(
                admitted.prefix == "/t/\(secret)" || request.bearer == secret, "the token is shown")
            try Finding.expect(
                admitted.prefix + admitted.path == request.path, "nothing of the path is lost")
            _ = Route(path: admitted.path)
        }

        /// Checks that pages of other origins change nothing, and that those that are not allowed read nothing.
        private static func checkPolicy(_ request: Request) throws(Finding) {
            let policy = AccessPolicy(address: "127.0.0.1", port: 8090, allowedOrigins: [page])
            if case .permitted(let reader) = policy.judge(request, changesState: true) {
                let origin = request.header(.origin)?.lowercased()
                try Finding.expect(
                    reader == nil && (origin.map(policy.ownOrigins.contains) ?? true),
                    "no page of others changes anything")
                try Finding.expect(policy.hosts.permits(request.authority), "a request names us")
            }
            if case .permitted(let reader?) = policy.judge(request, changesState: false) {
                try Finding.expect(reader.lowercased() == page, "only pages that are named read media")
            }
        }
    }
#else
    extension FuzzTarget {
        static let access: [FuzzTarget] = []
    }
#endif
