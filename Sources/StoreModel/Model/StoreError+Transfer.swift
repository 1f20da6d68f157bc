internal import FoundationEssentials
internal import HLSPlaylist
internal import HTTPTypes
internal import Locking
package import Transfers

extension StoreError {
    /// The store's error for a failed transfer: the sink's own where it refused.
    package init(_ error: TransferError, url: String) {
        if let own = error.underlying as? StoreError {
            self = own
        } else if case .cancelled = error.code {
            self.init(.stopped(.cancelled))
        } else if case .wrongContentRange = error.code {
            self.init(.integrity(.wrongRange), url: URIReference(url).redacted)
        } else {
            self.init(.transfer(TransferFailure(error)), url: URIReference(url).redacted)
        }
    }
}
