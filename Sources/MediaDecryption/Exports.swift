// Exports the modules below, whose types are part of this module's interface.
@_exported public import StoreFiles
@_exported public import StoreModel
@_exported public import StorePlanning
