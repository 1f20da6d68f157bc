internal import Foundation
package import SystemPackage

extension StoreCheckup {
    /// The name of the check of the bucket.
    package static let bucketCheck = "bucket"

    /// Checks whether the bucket of a store's media can be used; `nil` if the media are in the store's folder.
    ///
    /// - Parameter engine: the engine's bucket, in its process; otherwise the settings name the bucket.
    package static func bucket(_ root: FilePath, of engine: BucketMedia? = nil) async -> Finding? {
        let paths = StorePaths(root: root)
        // Other checks report errors of these files.
        let catalog = (try? Catalog(reading: paths.catalog)) ?? nil
        let noted = (try? catalog?.storage.mediaPlace()) ?? nil
        let named = (try? EngineSettings.read(paths.settings))?.media
        guard engine != nil || noted != nil || named != nil else { return nil }
        do throws(StoreError) {
            if let engine { return reached(engine.place, try await engine.check()) }
            guard let named else {
                let place = noted ?? ""
                return Finding(
                    check: bucketCheck, isFine: false,
                    detail: "the settings do not say how to reach \(place); \(Remedy.nameBucket) \(place)")
            }
            let settings = try BucketMedia.Settings(named, environment: ProcessInfo.processInfo.environment)
            if let noted, noted != settings.place { throw StoreError(.mediaElsewhere(noted)) }
            return reached(settings.place, try await BucketMedia.check(settings))
        } catch {
            return Finding(check: bucketCheck, isFine: false, detail: error.message)
        }
    }

    static func reached(_ place: String, _ trouble: String?) -> Finding {
        let detail =
            trouble.map {
                "\(place) can't be used for now: \($0); until then downloads wait, and only what is in the store's folder plays"
            } ?? "\(place) can be reached"
        return Finding(check: bucketCheck, isFine: trouble == nil, detail: detail)
    }
}
