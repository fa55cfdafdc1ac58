import { createTenant, DEFAULT_COUNTRY, listTenants } from '../rooms/identity/identity.ts'
import { markEvaluatedWhenEmpty } from '../rooms/suppression/suppression.ts'
import { type Command, print, readOptions, required, withStore } from './command.ts'

const DEFAULT_TIME_ZONE = 'Africa/Johannesburg'

export const tenantCommands: Command[] = [
  {
    name: 'tenant create',
    options: '--name <name> [--time-zone <zone>] [--country <code>]',
    does: `creates a tenant (default: in ${DEFAULT_TIME_ZONE} and ${DEFAULT_COUNTRY}) and prints its id`,
    run: async (args) => {
      const options = readOptions(args, {
        name: { type: 'string' },
        'time-zone': { type: 'string' },
        country: { type: 'string' },
      })
      const name = required(options.name, '--name')
      const { 'time-zone': timeZone = DEFAULT_TIME_ZONE, country = DEFAULT_COUNTRY } = options
      const id = await withStore(
        async (store) => {
          const created = await createTenant(store, 'command line', { name, timeZone, country })
          await markEvaluatedWhenEmpty(store, created)
          return created
        },
        { mayBeNew: true },
      )
      print(id)
      return 0
    },
  },
  {
    name: 'tenant list',
    options: '',
    does: 'prints id, time zone and name of each tenant',
    run: async (args) => {
      readOptions(args, {})
      const tenants = await withStore((store) => listTenants(store.reader))
      for (const { id, timeZone, name } of tenants) print([id, timeZone, name].join('\t'))
      return 0
    },
  },
]
