internal import FoundationEssentials

extension AssetRequest {
    /// The request as the store keeps it.
    init(_ request: DownloadRequest) {
        self.init(url: request.url.absoluteString)
        name = request.title
        selection = Selection(request)
        access = OriginAccess(request)
        (meta, clientID) = (request.metadata, request.identifier)
        (priority, schedule) = (request.priority, request.schedule)
        (isMeteredOK, isPreload) = (request.allowsMeteredConnection, request.startsPaused)
        (license, allowsMissingKeys) = (request.license, request.allowsMissingKeys)
        subtitleFiles = request.subtitleFiles
        artwork = request.artwork?.pathOrAddress
        isStrict = request.isStrict ? true : nil
    }
}

extension Selection {
    fileprivate init(_ request: DownloadRequest) {
        self.init()
        maximumHeight = request.video.maximumHeight
        maximumBitrate = request.video.maximumBitrate
        minimumBitrate = request.video.minimumBitrate
        allVariants = request.video.includesAllVariants
        (audio, subtitles) = (request.audio, request.subtitles)
        (trickPlay, interstitials) = (request.includesTrickPlay, request.interstitials)
        (start, end) = (request.start?.inSeconds, request.end?.inSeconds)
        recording = request.recording
    }
}

extension OriginAccess {
    fileprivate init(_ request: DownloadRequest) {
        self.init()
        headers = request.headers.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        hostHeaders = request.hostHeaders.isEmpty ? nil : request.hostHeaders
        (cookies, userAgent) = (request.cookies, request.userAgent)
        proxy = request.proxy?.absoluteString
        certificateAuthority = request.certificateAuthorities?.pathOrAddress
        rateLimit = request.maximumBytesPerSecond
    }
}

extension URL {
    /// The path of a file URL, else the whole address.
    fileprivate var pathOrAddress: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
