import { missingChainSentence, missingChains, verifyTenant } from '../rooms/audit/audit.ts'
import { listTenants } from '../rooms/identity/identity.ts'
import { type Command, print, readOptions, say, UsageError, withStore } from './command.ts'

export const auditCommands: Command[] = [
  {
    name: 'audit verify',
    options: '[--tenant <id>]',
    does: 'verifies the audit chain and its signed checkpoints, of one tenant or of all; names the first broken event, and of all also each chain that is missing whole, and ends with 1',
    run: async (args) => {
      const { tenant } = readOptions(args, { tenant: { type: 'string' } })
      return withStore(async (store) => {
        const tenants = (await listTenants(store.reader)).filter(({ id }) => tenant === undefined || id === tenant)
        if (tenant !== undefined && tenants.length === 0) throw new UsageError('There is no tenant with this id.')
        let exitCode = 0
        for (const { id, name } of tenants) {
          const { status, checkedEvents, checkpoints, firstBroken } = await verifyTenant(store, id)
          const found = firstBroken === null ? '' : ` at event ${firstBroken.sequence}: ${firstBroken.reason}`
          print(
            `${id}\t${name}\t${status}${found} (${checkedEvents} events, ${checkpoints.checked} checkpoints checked)`,
          )
          if (status !== 'intact') exitCode = 1
        }
        if (tenant !== undefined) return exitCode
        const missing = await missingChains({ ...store, db: store.reader })
        for (const checkpoint of missing) print(`${checkpoint.tenantId}\t\tbroken: ${missingChainSentence(checkpoint)}`)
        if (tenants.length === 0) say('There is no tenant in this store: nothing was verified.')
        return missing.length > 0 || tenants.length === 0 ? 1 : exitCode
      })
    },
  },
]
