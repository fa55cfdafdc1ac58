import { readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { compactStore } from '../store/files/compact-store.ts'
import { type Command, dataDirEnvironment, print, readOptions, say } from './command.ts'

const mb = (bytes: number) => Math.ceil(bytes / 1_000_000)

export const storeCommands: Command[] = [
  {
    name: 'store compact',
    options: '',
    does: 'rewrites the store without its free space and without deleted text in its search index; the API must be stopped. Keeps the former files and prints their folder',
    run: async (args) => {
      readOptions(args, {})
      const { dataDir } = readConfig(dataDirEnvironment())
      const { kept, bytesBefore, bytesAfter } = await compactStore(dataDir, systemClock)
      print(kept)
      say(`The store took ${mb(bytesBefore)} MB and takes ${mb(bytesAfter)} MB now.`)
      say(
        'The printed folder contains the former files, with erased values in their free space: delete it after the store has run without problems.',
      )
      return 0
    },
  },
]
