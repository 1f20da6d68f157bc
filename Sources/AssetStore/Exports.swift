// Exports the modules below, whose types are part of this module's interface.
@_exported public import Downloads
@_exported public import Licensing
@_exported public import LivePlaylists
@_exported public import MediaDecryption
@_exported public import StoreCatalog
@_exported public import StoreFiles
@_exported public import StoreModel
@_exported public import StorePlanning
@_exported public import StoreReading
