package import AssetStore
package import MediaContainers

/// The reason for which an asset, or a part of it, can't be converted to another container.
package enum AssetFileError: Error, Sendable {
    /// A rendition is not completely stored.
    case incomplete(rendition: String, Completion)
    /// No segment of a rendition can be used: none is stored, or their initialization sections are missing.
    case nothingStored(rendition: String, Completion)
    /// A rendition has no segment for some time.
    case gap(rendition: String, at: Double)
    /// The samples of a segment can't be read.
    case unreadable(rendition: String, segment: Int, SampleError)
    /// The codec of a rendition changes at this second: between segments, or within one, which no file can hold.
    case codecChanges(rendition: String, at: Double, from: String, to: String, within: Int? = nil)
    /// There are fewer stretches without a change of codecs.
    case noSuchPart(Int, of: Int)
    /// The asset has no such track.
    case noSuchTrack(String)
    /// The asset has nothing that such a file could hold.
    case nothingFor(AssetFileFormat)
    /// A file of a format can't hold the codec of a rendition.
    case unsupportedCodec(rendition: String, codec: String, AssetFileFormat)
    /// It is more than a file can hold.
    case tooLarge
    /// A stored segment is gone, or differs from the indexed one.
    case changed(rendition: String, segment: Int)
    /// The error of the store.
    case store(StoreError)
}

/// How an asset gets the segments that it lacks.
package enum Completion: Sendable {
    /// It is being downloaded, or waits for that.
    case arriving
    /// The download stopped before its end.
    case resumable
    /// It was complete, and has lost units.
    case repairable

    init(_ state: AssetState?) {
        self =
            switch state {
            case .resolving, .queued, .downloading: .arriving
            case .complete: .repairable
            case .paused, .cancelled, .failed, .removing, nil: .resumable
            }
    }
}
