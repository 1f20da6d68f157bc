internal import ObjectStorage
internal import SystemPackage
internal import Transfers

extension BucketMedia.Settings {
    /// Makes the bucket of the settings, with the access key from the place that they name.
    ///
    /// - Parameter environment: may have the key in variables, and the folder of systemd's credentials.
    /// - Throws: `bucket` with the fault in the settings.
    package init(_ settings: MediaSettings, environment: [String: String]) throws(StoreError) {
        self.init(
            try Self.location(settings), credentials: try Self.credentials(settings, environment),
            authority: settings.authority, cacheSize: settings.cacheSize ?? MediaSettings.usualCache)
        guard cacheSize >= MediaSettings.smallestCache else {
            throw Self.fault("the cache of a bucket's media is too small; give it 64M or more")
        }
    }

    /// A client of the bucket with a transfer loop of its own.
    ///
    /// - Parameter retries: replaces those of the settings.
    func makeClient(retries: S3Retries? = nil) throws(StoreError) -> S3Client {
        do throws(TransferError) {
            return S3Client(
                location, credentials: credentials, authority: authority, loop: try S3Client.makeLoop(),
                retries: retries ?? self.retries)
        } catch {
            throw Self.fault(error.sentence)
        }
    }

    private static func location(_ settings: MediaSettings) throws(StoreError) -> S3Location {
        do throws(S3Location.Problem) {
            return try S3Location(
                settings.url, endpoint: settings.endpoint, region: settings.region ?? "us-east-1",
                addressing: settings.addressing.flatMap(S3Location.Addressing.init) ?? .path)
        } catch {
            switch error {
            case .address(let text):
                throw fault("\(text) is not a bucket; write it as s3://BUCKET or s3://BUCKET/PREFIX")
            case .endpoint: throw fault("the S3 endpoint is not a URL; write it like https://s3.example.org")
            }
        }
    }

    private static func credentials(
        _ settings: MediaSettings, _ environment: [String: String]
    ) throws(StoreError) -> S3Credentials {
        if let file = settings.credentials { return try credentials(FilePath(file)) }
        if let folder = environment["CREDENTIALS_DIRECTORY"] {
            let file = FilePath(folder).appending("offline-server.s3-credentials")
            if FileSystem.isThere(file) { return try credentials(file) }
        }
        guard let found = S3Credentials(environment: environment) else {
            throw fault(
                "no S3 access key was found; name its file with --s3-credentials, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        }
        return found
    }

    private static func credentials(_ file: FilePath) throws(StoreError) -> S3Credentials {
        guard let bytes = try DurableWrite.read(file, limit: 1 << 20) else {
            throw fault("the file \(file) with the S3 access key does not exist; name another file")
        }
        guard !FileSystem.isOpenToOthers(file) else {
            throw fault("others may read the S3 access key in \(file); `chmod 600` it")
        }
        guard let found = S3Credentials(file: String(decoding: bytes, as: UTF8.self)) else {
            throw fault("\(file) has no aws_access_key_id and aws_secret_access_key; write both into it")
        }
        return found
    }

    private static func fault(_ sentence: String) -> StoreError {
        StoreError(.bucket(sentence, isTemporary: false))
    }
}
