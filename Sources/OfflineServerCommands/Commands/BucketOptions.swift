internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import ObjectStorage

/// The options for media that lie in a bucket of an S3 store.
struct BucketOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep media in a bucket of an S3 store, s3://BUCKET/PREFIX; the store's folder keeps the catalog and recently used media.",
            valueName: "url"))
    var media: String?

    @Option(help: ArgumentHelp("URL of the S3 store, such as https://s3.example.org.", valueName: "url"))
    var s3Endpoint: String?

    @Option(help: ArgumentHelp("Region of the bucket (default: us-east-1).", valueName: "name"))
    var s3Region: String?

    @Option(
        help: ArgumentHelp(
            "Where a request has the bucket: path (https://HOST/BUCKET, the default) or host (https://BUCKET.HOST).",
            valueName: "form"))
    var s3Addressing: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with the certificate authorities to trust for the S3 store, in place of the system's.",
            valueName: "file"))
    var s3Ca: String?

    @Option(
        help: ArgumentHelp(
            "File with aws_access_key_id and aws_secret_access_key (default: the systemd credential offline-server.s3-credentials, else AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).",
            valueName: "file"))
    var s3Credentials: String?

    @Option(
        help: ArgumentHelp(
            "Size limit for the bucket's media that the store's folder keeps, such as 200G (default: 50G).",
            valueName: "size"))
    var cacheSize: ByteCount?

    func validate() throws {
        guard let media else {
            guard s3Endpoint == nil, s3Region == nil, s3Addressing == nil, s3Ca == nil, s3Credentials == nil,
                cacheSize == nil
            else { throw ValidationError("--s3-… and --cache-size need --media s3://BUCKET/PREFIX.") }
            return
        }
        guard media.hasPrefix("s3://") else {
            throw ValidationError("--media wants s3://BUCKET or s3://BUCKET/PREFIX.")
        }
        guard s3Endpoint != nil else {
            throw ValidationError(
                "--media wants --s3-endpoint, such as https://s3.eu-central-1.amazonaws.com.")
        }
        guard s3Addressing.map({ S3Location.Addressing(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--s3-addressing wants path or host.")
        }
    }

    /// The settings that the options give; `nil` without a bucket.
    func settings() throws(StoreError) -> BucketMedia.Settings? {
        guard let media, let s3Endpoint else { return nil }
        var settings = MediaSettings(url: media, endpoint: s3Endpoint)
        (settings.region, settings.addressing, settings.authority) = (s3Region, s3Addressing, s3Ca)
        (settings.credentials, settings.cacheSize) = (s3Credentials, cacheSize?.bytes)
        return try BucketMedia.Settings(settings, environment: ProcessInfo.processInfo.environment)
    }
}
