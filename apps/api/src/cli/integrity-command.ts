import { readConfig } from '../config.ts'
import { checkRecords, readStore } from '../rooms/health/health.ts'
import { listTenants } from '../rooms/identity/identity.ts'
import { migrations } from '../rooms/migrations.ts'
import { requireStore } from '../store/files/enter-store.ts'
import { type Command, dataDirEnvironment, print, readOptions, say, UsageError } from './command.ts'

export const integrityCommand: Command = {
  name: 'integrity check',
  options: '[--tenant <id>]',
  does: 'checks the records of one tenant or of all, which audit verify does not: that do-not-contact marks agree with the active suppressions and with the last event of each record, and stored counts with the records. Names the first disagreement and exits with 1. Changes nothing; takes half a minute per million records',
  givesWay: true,
  run: async (args) => {
    const { tenant } = readOptions(args, { tenant: { type: 'string' } })
    const { dataDir } = readConfig(dataDirEnvironment())
    requireStore(dataDir)
    return readStore({ dataDir, migrations }, async (from) => {
      const tenants = (await listTenants(from.db)).filter(({ id }) => tenant === undefined || id === tenant)
      if (tenant !== undefined && tenants.length === 0) throw new UsageError('There is no tenant with this id.')
      if (tenants.length === 0) say('There is no tenant in this store: nothing was checked.')
      let exitCode = tenants.length === 0 ? 1 : 0
      for (const { id, name } of tenants) {
        const { records, disagreements, first, comparesValues } = await checkRecords(from, id)
        const counts = `${records} records${comparesValues ? '' : ', their values not compared: suppressions await an evaluation by new rules'}`
        print(
          first === null
            ? `${id}\t${name}\tagrees (${counts})`
            : `${id}\t${name}\tdisagrees: ${first} (${disagreements} disagreements, ${counts})`,
        )
        if (first !== null) exitCode = 1
      }
      return exitCode
    })
  },
}
