import {
  type AuditVerification,
  type ChainCopy,
  isServed,
  missingChainSentence,
  missingChains,
  restartCheckpoints,
  verifyTenants,
} from '../rooms/audit/audit.ts'
import { readManifestFile } from '../rooms/backup/backup.ts'
import { listTenants, systemActor } from '../rooms/identity/identity.ts'
import type { Keys } from '../store/files/keys.ts'
import { type Command, print, readOptions, required, say, tellWarning, UsageError, withStore } from './command.ts'

export const auditCommands: Command[] = [
  {
    name: 'audit verify',
    options: '[--tenant <id>] [--manifest <file>]',
    does: 'verifies the audit chain and its signed checkpoints, of one tenant or of all; with the manifest of a backup, also that nothing in that backup is missing here. Names the first broken event, each missing chain, and everything that the checkpoints do not prove. Exits with 0 only when all is proven; integrity check verifies records',
    run: async (args) => {
      const options = readOptions(args, { tenant: { type: 'string' }, manifest: { type: 'string' } })
      return withStore(async (store) => {
        const tenants = (await listTenants(store.reader)).filter(
          ({ id }) => options.tenant === undefined || id === options.tenant,
        )
        if (options.tenant !== undefined && tenants.length === 0)
          throw new UsageError('There is no tenant with this id.')
        const copy = options.manifest === undefined ? null : copyIn(options.manifest, store.keys)
        const verified = await verifyTenants(
          store,
          tenants.map(({ id }) => id),
          { copy, isServed: isServed(store.dataDir) },
        )
        let exitCode = 0
        for (const { tenantId, verification } of verified) {
          const name = tenants.find(({ id }) => id === tenantId)?.name ?? ''
          print(`${tenantId}\t${name}\t${sentenceOf(tenantId, verification, copy)} ${countsOf(verification)}`)
          if (verification.status !== 'intact') exitCode = 1
        }
        if (options.tenant !== undefined) return exitCode
        const gone = await missingChains({ ...store, db: store.reader })
        for (const checkpoint of gone) print(`${checkpoint.tenantId}\t\tbroken: ${missingChainSentence(checkpoint)}`)
        const known = new Set([...tenants.map(({ id }) => id), ...gone.map(({ tenantId }) => tenantId)])
        const lost = copy?.ends.filter(({ tenantId }) => !known.has(tenantId)) ?? []
        for (const { tenantId, sequence } of lost)
          print(
            `${tenantId}\t\tbroken: The whole chain is missing; the copy of ${copy?.takenAt} has ${sequence} events of it.`,
          )
        if (tenants.length === 0) say('There is no tenant in this store: nothing was verified.')
        return gone.length > 0 || lost.length > 0 || tenants.length === 0 ? 1 : exitCode
      })
    },
  },
  {
    name: 'audit restart-checkpoints',
    options: '--reason <text>',
    does: 'starts a new file of checkpoints, after the file was lost or its signing key was changed; the API must be stopped. Moves the former file aside and prints its place, and records the reason in the audit of every tenant',
    run: async (args) => {
      const options = readOptions(args, { reason: { type: 'string' } })
      const reason = required(options.reason, '--reason')
      return withStore(async (store) => {
        const actors = (await listTenants(store.reader)).map(({ id }) => systemActor('command line', id))
        const kept = await restartCheckpoints(store, { warn: tellWarning }, { actors, reason })
        if (kept === undefined) say('There was no file of checkpoints.')
        else print(kept)
        return 0
      })
    },
  },
]

function copyIn(file: string, keys: Keys): ChainCopy {
  const { takenAt, chains } = readManifestFile(file, keys)
  const checkpoints = chains.flatMap(({ tenantId, checkpoint }) =>
    checkpoint === undefined
      ? []
      : [{ tenantId, sequence: checkpoint.sequence, number: checkpoint.number, hash: checkpoint.lineHash }],
  )
  return { takenAt, ends: chains, checkpoints }
}

function sentenceOf(
  tenantId: string,
  { status, firstBroken, unproven, provenTo }: AuditVerification,
  copy: ChainCopy | null,
): string {
  if (firstBroken !== null) {
    const place = firstBroken.sequence === 0 ? '' : ` at event ${firstBroken.sequence}`
    return `${status}${place}: ${firstBroken.reason}`
  }
  if (unproven !== null) return `${status}: ${unproven}`
  const end = copy?.ends.find((one) => one.tenantId === tenantId)
  const compared =
    copy === null || end === undefined
      ? 'not compared with a copy'
      : `compared with the copy of ${copy.takenAt}, which ends at ${end.sequence}`
  return `intact up to ${provenTo}, ${compared}`
}

function countsOf({ checkedEvents, checkpoints, status, provenTo }: AuditVerification): string {
  const waiting = status === 'intact' ? checkedEvents - provenTo : 0
  const rest = waiting > 0 ? `, ${waiting} newer events not covered yet` : ''
  return `(${checkedEvents} events, ${checkpoints.checked} checkpoints checked${rest})`
}
