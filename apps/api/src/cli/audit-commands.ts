import { createWriteStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type AuditVerification,
  type ChainCopy,
  exportChain,
  type Head,
  isServed,
  missingChainSentence,
  missingChains,
  readHeads,
  restartCheckpoints,
  verifyTenants,
} from '../rooms/audit/audit.ts'
import { readManifestFile } from '../rooms/backup/backup.ts'
import { listTenants, systemActor } from '../rooms/identity/identity.ts'
import type { Keys } from '../store/files/keys.ts'
import type { Store } from '../store/store.ts'
import {
  type Command,
  print,
  readOptions,
  required,
  say,
  tellWarning,
  tenantOf,
  UsageError,
  withStore,
} from './command.ts'

export const auditCommands: Command[] = [
  {
    name: 'audit verify',
    options: '[--tenant <id>] [--manifest <file>] [--heads <file>]',
    does: 'verifies the audit chain and its signed checkpoints, of one tenant or of all; with the manifest of a backup, also that nothing in that backup is missing here; with a file of kept heads, also that the chains contain each of them. Names the first broken event, each missing chain, and everything that the checkpoints do not prove. Exits with 0 only when all is proven; integrity check verifies records',
    run: async (args) => {
      const options = readOptions(args, {
        tenant: { type: 'string' },
        manifest: { type: 'string' },
        heads: { type: 'string' },
      })
      return withStore(async (store) => {
        const tenants = (await listTenants(store.reader)).filter(
          ({ id }) => options.tenant === undefined || id === options.tenant,
        )
        if (options.tenant !== undefined && tenants.length === 0)
          throw new UsageError('There is no tenant with this id.')
        const copy = options.manifest === undefined ? null : copyIn(options.manifest, store.keys)
        const heads = options.heads === undefined ? [] : await readHeads(store, options.heads)
        const verified = await verifyTenants(
          store,
          tenants.map(({ id }) => id),
          { copy, heads, isServed: isServed(store.dataDir) },
        )
        let exitCode = 0
        for (const { tenantId, verification } of verified) {
          const name = tenants.find(({ id }) => id === tenantId)?.name ?? ''
          print(
            `${tenantId}\t${name}\t${sentenceOf(tenantId, verification, { copy, heads })} ${countsOf(verification)}`,
          )
          if (verification.status !== 'intact') exitCode = 1
        }
        if (options.tenant !== undefined) return exitCode
        const gone = await missingChains({ ...store, db: store.reader })
        for (const checkpoint of gone) print(`${checkpoint.tenantId}\t\tbroken: ${missingChainSentence(checkpoint)}`)
        const known = new Set([...tenants.map(({ id }) => id), ...gone.map(({ tenantId }) => tenantId)])
        const lost = copy?.ends.filter(({ tenantId }) => !known.has(tenantId)) ?? []
        for (const { tenantId } of lost) known.add(tenantId)
        const unknown = newestOfTenants(heads.filter(({ tenant }) => !known.has(tenant)))
        for (const { tenant, sequence, at } of unknown)
          print(`${tenant}\t\tbroken: The whole chain is missing; the head of ${at} has ${sequence} events of it.`)
        for (const { tenantId, sequence } of lost)
          print(
            `${tenantId}\t\tbroken: The whole chain is missing; the copy of ${copy?.takenAt} has ${sequence} events of it.`,
          )
        if (tenants.length === 0) say('There is no tenant in this store: nothing was verified.')
        return gone.length > 0 || lost.length > 0 || unknown.length > 0 || tenants.length === 0 ? 1 : exitCode
      })
    },
  },
  {
    name: 'audit export',
    options: '--to <file> [--tenant <id>]',
    does: 'writes the whole audit chain of a tenant with its signed checkpoints to a new file, which proof/verify.mjs verifies without the platform. The file contains the content of all events, also contact values: store it like a backup',
    run: async (args) => {
      const options = readOptions(args, { to: { type: 'string' }, tenant: { type: 'string' } })
      const file = required(options.to, '--to')
      return withStore(async (store) => {
        const tenantId = await tenantOf(store, options.tenant)
        if (existsSync(file)) throw new UsageError(`${file} exists already; name a new file.`)
        await writeChain(store, tenantId, file)
        print(file)
        return 0
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

/** Writes the file, or leaves none. */
async function writeChain(store: Store, tenantId: string, file: string): Promise<void> {
  const text = Readable.from(exportChain(store, tenantId)).map((lines: string[]) => `${lines.join('\n')}\n`)
  try {
    await pipeline(text, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

function copyIn(file: string, keys: Keys): ChainCopy {
  const { takenAt, chains } = readManifestFile(file, keys)
  const checkpoints = chains.flatMap(({ tenantId, checkpoint }) =>
    checkpoint === undefined
      ? []
      : [{ tenantId, sequence: checkpoint.sequence, number: checkpoint.number, hash: checkpoint.lineHash }],
  )
  return { takenAt, ends: chains, checkpoints }
}

/** Returns the head with the most events of each tenant. */
function newestOfTenants(heads: readonly Head[]): Head[] {
  const newest = new Map<string, Head>()
  for (const head of heads) if (head.sequence > (newest.get(head.tenant)?.sequence ?? 0)) newest.set(head.tenant, head)
  return [...newest.values()]
}

function sentenceOf(
  tenantId: string,
  { status, firstBroken, unproven, provenTo }: AuditVerification,
  { copy, heads }: { copy: ChainCopy | null; heads: readonly Head[] },
): string {
  if (firstBroken !== null) {
    const place = firstBroken.sequence === 0 ? '' : ` at event ${firstBroken.sequence}`
    return `${status}${place}: ${firstBroken.reason}`
  }
  if (unproven !== null) return `${status}: ${unproven}`
  const end = copy?.ends.find((one) => one.tenantId === tenantId)
  const own = heads.filter(({ tenant }) => tenant === tenantId)
  const [newest] = newestOfTenants(own)
  const compared = [
    ...(copy === null || end === undefined
      ? []
      : [`compared with the copy of ${copy.takenAt}, which ends at ${end.sequence}`]),
    ...(newest === undefined ? [] : [`contains ${own.length} kept heads, the newest of event ${newest.sequence}`]),
  ]
  return `intact up to ${provenTo}, ${compared.join(', ') || 'not compared with a copy'}`
}

function countsOf({ checkedEvents, checkpoints, status, provenTo }: AuditVerification): string {
  const waiting = status === 'intact' ? checkedEvents - provenTo : 0
  const rest = waiting > 0 ? `, ${waiting} newer events not covered yet` : ''
  return `(${checkedEvents} events, ${checkpoints.checked} checkpoints checked${rest})`
}
