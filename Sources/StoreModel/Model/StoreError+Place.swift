/// The sentences about the place of a store.
extension StoreError {
    /// The event, about a store's place.
    var placeText: String {
        switch code {
        case .storeTooNew: "the store was made by a newer version of offline-server"
        case .noStore(let path): "there is no store in \(path)"
        case .mediaElsewhere(let place): "media of this store are in \(place)"
        case .catalogElsewhere(let place): "the catalog of this store is in \(place)"
        case .foreignSecret(let file): "\(file) is missing, or differs from that of the store's other nodes"
        case .migrationUnfinished(let place): "the migration of \(place) into this store is not finished"
        case .moved(let place, let isFinished, _):
            isFinished
                ? "this store was moved to \(place)"
                : "this store is being moved to \(place), and it is unknown whether that is finished"
        case .storeActive(let url): "the node at \(url) is active, so that the store can't be moved"
        case .notEmpty(let place): "\(place) is not empty, so that no store is moved there"
        case .storeTakenOver:
            "this node did not renew its lease in time, so another node may own the store"
        case .bucket(let sentence, _): sentence
        default: ""
        }
    }

    /// The advice, about a store's place.
    var placeAdvice: String? {
        switch code {
        case .mediaElsewhere(let place): "\(Remedy.nameBucket) \(place)"
        case .catalogElsewhere(let place): "\(Remedy.nameCatalog) \(place), and run the command while it runs"
        case .foreignSecret: "copy the file from another node, or set the credential that has its content"
        case .storeTakenOver: "ask the node that is active; nothing that was acknowledged is lost"
        case .noStore: "\(Remedy.existingStore)"
        case .migrationUnfinished, .moved(_, isFinished: false, _): "run the same command again"
        case .moved(_, isFinished: true, let undo):
            "serve that one; to use this one again without what has changed there, \(undo)"
        case .storeActive:
            "stop all nodes, and run the command again; a node that died counts as active for 10 s"
        case .notEmpty: "name an empty place"
        default: nil
        }
    }
}
