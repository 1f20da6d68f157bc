internal import APIDocuments
internal import HTTPDaemon

extension AssetDocument {
    /// The entity tag of the object. It is the same at all addresses of the server, because an address tells nothing of
    /// the asset: `If-Match` means the same everywhere.
    var entityTag: EntityTag? {
        var common = self
        common.server = ""
        return EntityTag(strong: ContentTag.of(common.json.bytes))
    }
}
