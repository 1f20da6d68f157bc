import AssetStore
import Foundation

/// Downloads a stream whose content keys come from the app's own back end: a JSON file of content identifiers and
/// keys.
///
///     KeyProvider FOLDER URL KEYS.json
///
/// `KEYS.json` is an object: `{"film-1": "AAECAwQFBgcICQoLDA0ODw=="}`.
@main
struct KeyProviderExample {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let stream = URL(string: arguments[2]) else {
            print("usage: KeyProvider FOLDER URL KEYS.json")
            exit(64)
        }
        let folder = URL(filePath: arguments[1])
        let backEnd = BackEnd(file: URL(filePath: arguments[3]))
        // snippet: key provider
        var configuration = OfflineStore.Configuration()
        configuration.keyProviders = [backEnd]
        let store = try await OfflineStore.open(at: folder, configuration: configuration)

        var request = DownloadRequest(url: stream)
        request.license = .rental(.seconds(48 * 3600))
        let download = try await store.download(request)  // asks the back end for the keys
        for try await _ in download.progress {}
        try await store.renewLicense(of: download.id)  // asks it again
        let license = try await store.asset(download.id).license
        // end
        if case .at(let end) = license.expiry {
            print("the license is \(license.state.rawValue) until \(end.date.formatted(.iso8601))")
        }
        await store.close()
    }
}

// snippet: back end
/// Has the keys of `skd://` addresses, whose last part is the content identifier.
struct BackEnd: KeyProvider {
    let file: URL
    let name = "back-end"

    func answers(for request: ContentKeyRequest) -> Bool { request.uri.hasPrefix("skd://") }

    func contentIdentifier(for request: ContentKeyRequest) -> String {
        request.uri.split(separator: "/").last.map(String.init) ?? ""
    }

    func key(
        for request: ContentKeyRequest, certificate: [UInt8]?
    ) async throws(StoreError) -> ProvidedKey {
        guard let document = try? Data(contentsOf: file),
            let keys = try? JSONDecoder().decode([String: Data].self, from: document),
            let key = keys[contentIdentifier(for: request)]
        else { throw StoreError(.key(.unprovided(name))) }
        return ProvidedKey(Array(key), renewalDate: Date(timeIntervalSinceNow: 24 * 3600))
    }
}
// end
