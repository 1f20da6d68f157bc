extension Product {
    /// Downloads `stream`, stops its origin, and runs `body` with the playlist's URL while the product serves it.
    static func playing(
        _ stream: Stream, allowing page: String? = nil, _ body: (String) async throws -> Void
    ) async throws {
        let product = try Product()
        let token = try await withOrigin(stream.folder) { origin in
            try await product.download("\(origin.url)/\(stream.entry)")
        }
        try await product.serving(page.map { ["--allow-origin", $0] } ?? []) { base in
            try await body("\(base)/assets/\(token)/master.m3u8")
        }
    }
}
