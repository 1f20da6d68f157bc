internal import OfflineServerCommands

await RootCommand.main()
