import { createTenant, DEFAULT_COUNTRY, type Locale, listTenants, localeSchema } from '../rooms/identity/identity.ts'
import { markEvaluatedWhenEmpty } from '../rooms/suppression/suppression.ts'
import { type Command, print, readOptions, required, UsageError, withStore } from './command.ts'

const DEFAULT_TIME_ZONE = 'Africa/Johannesburg'

export const tenantCommands: Command[] = [
  {
    name: 'tenant create',
    options: '--name <name> [--time-zone <zone>] [--country <code>] [--locale <code>]',
    does: `creates a tenant (default: in ${DEFAULT_TIME_ZONE} and ${DEFAULT_COUNTRY}, with the locale of the country) and prints its id`,
    run: async (args) => {
      const options = readOptions(args, {
        name: { type: 'string' },
        'time-zone': { type: 'string' },
        country: { type: 'string' },
        locale: { type: 'string' },
      })
      const name = required(options.name, '--name')
      const locale = options.locale === undefined ? {} : { locale: localeOf(options.locale) }
      const { 'time-zone': timeZone = DEFAULT_TIME_ZONE, country = DEFAULT_COUNTRY } = options
      const id = await withStore(
        async (store) => {
          const created = await createTenant(store, 'command line', { name, timeZone, country, ...locale })
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

function localeOf(typed: string): Locale {
  const locale = localeSchema.safeParse(typed)
  if (!locale.success) throw new UsageError(`--locale is one of ${localeSchema.options.join(', ')}.`)
  return locale.data
}
