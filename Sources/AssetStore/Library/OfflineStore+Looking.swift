extension OfflineStore {
    /// Reads the variants, renditions and keys of a stream, and whether it can be downloaded. Nothing is stored, and
    /// no provider is asked for a key.
    ///
    /// - Throws: `StoreError` when the playlists can't be read.
    public func offer(for request: DownloadRequest) async throws(StoreError) -> StreamOffer {
        try await Self.onOwnThread { () throws(StoreError) in
            let request = AssetRequest(request)
            return try await inspector(url: request.url, access: request.access)
                .offer(allowsMissingKeys: request.allowsMissingKeys)
        }
    }

    /// Tells what a download would store, and how many bytes that takes. Nothing is stored.
    ///
    /// ```swift
    /// let preview = try await store.preview(request)
    /// print("\(preview.size.likely / 1_000_000) MB, \(preview.renditions.count) renditions")
    /// ```
    ///
    /// - Throws: `StoreError` if the playlists can't be read, or if the request selects nothing of the stream.
    public func preview(_ request: DownloadRequest) async throws(StoreError) -> StreamPreview {
        try await Self.onOwnThread { () throws(StoreError) in
            let request = AssetRequest(request)
            return try await inspector(url: request.url, access: request.access).preview(
                request.selection, license: request.license, allowsMissingKeys: request.allowsMissingKeys,
                isStrict: request.isStrict ?? false)
        }
    }
}
