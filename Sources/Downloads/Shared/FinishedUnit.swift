package import SystemPackage

/// A unit whose bytes are all in its partial file.
package struct FinishedUnit: Sendable {
    package var file: PartialFile
    package let destination: FilePath
    package let folder: FilePath
    package var unit: StoredUnit

    package init(file: PartialFile, destination: FilePath, unit: StoredUnit) {
        self.file = file
        self.destination = destination
        self.unit = unit
        folder = destination.parent
    }
}
