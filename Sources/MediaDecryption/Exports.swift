// Whoever imports this module has the modules below it, whose types its interface is made of.
@_exported public import StoreFiles
@_exported public import StoreModel
