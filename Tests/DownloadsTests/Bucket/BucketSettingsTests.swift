import Foundation
import ModelTestSupport
import ObjectStorage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite("The settings of a bucket")
struct BucketSettingsTests {
    private let folder: TemporaryDirectory
    private let environment = ["AWS_ACCESS_KEY_ID": "variable", "AWS_SECRET_ACCESS_KEY": "secret"]

    init() throws { folder = try TemporaryDirectory() }

    private func settings(_ change: (inout MediaSettings) -> Void = { _ in }) -> MediaSettings {
        var settings = MediaSettings(url: "s3://media/store", endpoint: "https://s3.test")
        change(&settings)
        return settings
    }

    /// The fault in settings, in its words; `nil` without one.
    private func fault(_ settings: MediaSettings, _ environment: [String: String]) async -> String? {
        await failure { _ = try BucketMedia.Settings(settings, environment: environment) }?.text
    }

    /// Writes a file with an access key, and returns its path.
    private func write(_ key: String, to name: String, permissions: Int = 0o600) throws -> String {
        let text = "[default]\naws_access_key_id = \(key)\naws_secret_access_key = s\n"
        let path = try folder.write(Array(text.utf8), to: name)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        return path
    }

    @Test("have a cache of 64 MB at least, and a usual one and a usual region where none are named")
    func cache() async throws {
        let usual = try BucketMedia.Settings(settings(), environment: environment)
        #expect(usual.cacheSize == MediaSettings.usualCache && usual.place == "s3://media/store/")
        #expect(usual.location.region == "us-east-1" && usual.location.addressing == .path)
        let smallest = settings { $0.cacheSize = 64_000_000 }
        #expect(await fault(smallest, environment) == nil)
        let tooSmall = settings { $0.cacheSize = 63_999_999 }
        #expect(await fault(tooSmall, environment)?.contains("64M or more") == true)
        let other = settings { ($0.region, $0.addressing) = ("eu-west-1", "host") }
        let named = try BucketMedia.Settings(other, environment: environment)
        #expect(named.location.region == "eu-west-1" && named.location.addressing == .host)
    }

    @Test("take the access key from their file, then from a credential of systemd, then from variables")
    func keys() throws {
        let file = try write("file", to: "key")
        let named = settings { $0.credentials = file }
        let given = environment.merging(["CREDENTIALS_DIRECTORY": folder.file("given")]) { $1 }
        let none = try BucketMedia.Settings(settings(), environment: given)
        #expect(none.credentials.accessKey == "variable")
        _ = try write("systemd", to: "given/offline-server.s3-credentials")
        let credential = try BucketMedia.Settings(settings(), environment: given)
        #expect(credential.credentials.accessKey == "systemd")
        let own = try BucketMedia.Settings(named, environment: given)
        #expect(own.credentials.accessKey == "file")
    }

    @Test("are refused without an access key, or with one that others may read")
    func noKeys() async throws {
        #expect(await fault(settings(), [:])?.contains("no S3 access key was found") == true)
        let gone = settings { $0.credentials = folder.file("gone") }
        #expect(await fault(gone, environment)?.contains("does not exist") == true)
        let open = try write("file", to: "open", permissions: 0o644)
        #expect(await fault(settings { $0.credentials = open }, environment)?.contains("chmod 600") == true)
        let empty = try write("", to: "empty")
        #expect(await fault(settings { $0.credentials = empty }, environment)?.contains("write both") == true)
    }

    @Test("are refused without a bucket, or without a URL of its server")
    func places() async {
        let noBucket = settings { $0.url = "media" }
        #expect(await fault(noBucket, environment)?.contains("media is not a bucket") == true)
        let noServer = settings { $0.endpoint = "s3.test" }
        #expect(await fault(noServer, environment)?.contains("endpoint is not a URL") == true)
    }
}
