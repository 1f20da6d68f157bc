internal import AssetStore
internal import OfflineServer

extension StoreReader {
    /// The part in front of the paths of players' addresses, from the server that runs on the store; with the API
    /// token if the server demands one. It is for the user and players, not for logs. `nil` without a server.
    var playerAddress: String? {
        guard let engine, let url = engine.url else { return nil }
        guard engine.requiresToken == true, let token = APIToken.existing(paths.apiToken) else { return url }
        return "\(url)/t/\(token)"
    }
}
