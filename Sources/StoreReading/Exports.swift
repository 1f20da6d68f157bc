// Exports the module below, whose types are part of this module's interface.
@_exported public import Downloads
