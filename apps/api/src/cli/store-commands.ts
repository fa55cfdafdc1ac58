import { readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { compactStore } from '../store/files/compact-store.ts'
import { type Command, dataDirEnvironment, print, readOptions, say } from './command.ts'

const mb = (bytes: number) => Math.ceil(bytes / 1_000_000)

export const storeCommands: Command[] = [
  {
    name: 'store compact',
    options: '',
    does: 'writes the store anew without its free space and what its search index was told to forget, with the API stopped; keeps the former files and prints their folder',
    run: async (args) => {
      readOptions(args, {})
      const { dataDir } = readConfig(dataDirEnvironment())
      const { kept, bytesBefore, bytesAfter } = await compactStore(dataDir, systemClock)
      print(kept)
      say(`The store took ${mb(bytesBefore)} MB and takes ${mb(bytesAfter)} MB now.`)
      say(
        'The printed folder holds the former files, erased values in their free space among them: delete it when the store has proven itself.',
      )
      return 0
    },
  },
]
