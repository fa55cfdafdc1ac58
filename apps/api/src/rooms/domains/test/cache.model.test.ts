import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { systemActor } from '../../identity/identity.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import { MANUAL_SOURCE_ID } from '../../sources/sources.table.ts'
import type { CacheKey } from '../dns/cache.queries.ts'
import { findCached, putCached } from '../dns/cache.ts'
import { insertObservation } from '../dns/observations.queries.ts'
import type { DnsObservationTable } from '../domains.table.ts'

/* Tests the cache against a model: a list of entries with their expiry times, whose last entry is the most recently used one. */

const MAX = 3
const names = ['a.co.za', 'b.co.za', 'c.co.za', 'd.co.za', 'e.co.za'] as const
const policies = ['one', 'two'] as const

type Entry = { key: string; id: string; until: number }
const keyOf = (name: string, policy: string) => `${name} ${policy}`

const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    name: fc.constantFrom(...names),
    policy: fc.constantFrom(...policies),
    status: fc.constantFrom('resolved' as const, 'nxdomain' as const, 'servfail' as const),
    ttl: fc.constantFrom(null, 0, 1, 60),
    isPartial: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('find' as const),
    name: fc.constantFrom(...names),
    policy: fc.constantFrom(...policies),
  }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 59, 60) }),
)

test('the cache answers as its model, whatever is stored, asked and waited', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const t = await buildTestApp()
      const { id: tenantId } = t.tenants.home
      const inChange = async <T>(work: (tx: Tx) => Promise<T>) =>
        (
          await change(
            t.store,
            systemActor('domains', tenantId),
            { permission: null, action: 'dns_check.request' },
            async (tx) => {
              const value = await work(tx)
              await tx.record({ subject: { type: 'tenant', id: tenantId } })
              return value
            },
          )
        ).value
      let model: Entry[] = []
      for (const one of steps) {
        const now = t.clock().getTime()
        if (one.kind === 'wait') {
          t.clock.advance(one.seconds * 1_000)
          continue
        }
        const key = keyOf(one.name, one.policy)
        if (one.kind === 'put') {
          const row = observation(tenantId, one, new Date(now).toISOString())
          await inChange(async (tx) => {
            await insertObservation(tx.db, row)
            await putCached(tx, row, MAX)
          })
          const isKept = one.status !== 'servfail' && !one.isPartial && one.ttl !== null && one.ttl > 0
          if (isKept) {
            model = [
              ...model.filter((entry) => entry.key !== key),
              { key, id: row.id, until: now + (one.ttl ?? 0) * 1_000 },
            ]
            model = model.slice(-MAX)
          }
          continue
        }
        const asked: CacheKey = { name: one.name, kind: 'MX', policyVersion: one.policy }
        const found = await inChange((tx) => findCached(tx, asked))
        const known = model.find((entry) => entry.key === key)
        const isFresh = known !== undefined && known.until > now
        expect(found).toBe(isFresh ? known.id : undefined)
        model = model.filter((entry) => entry.key !== key)
        if (isFresh) model.push(known)
      }
      const rows = await t.store.reader.selectFrom('dns_cache').select('observation_id').orderBy('used').execute()
      expect(rows.map(({ observation_id: id }) => id)).toEqual(model.map(({ id }) => id))
    }),
    { numRuns: 15 },
  )
})

type Put = {
  name: string
  policy: string
  status: DnsObservationTable['status']
  ttl: number | null
  isPartial: boolean
}

function observation(tenantId: string, { name, policy, status, ttl, isPartial }: Put, at: string): DnsObservationTable {
  return {
    tenant_id: tenantId,
    id: newId(),
    name,
    domain: name,
    kind: 'MX',
    status,
    records: '[]',
    aliases: '[]',
    resolver: 'office',
    origin: 'adapter',
    observed_at: at,
    ttl,
    is_truncated: 0,
    is_partial: isPartial ? 1 : 0,
    reason: null,
    policy_version: policy,
    normalization_version: NORMALIZATION_VERSION,
    suffix_list_version: SUFFIX_LIST_VERSION,
    source_id: MANUAL_SOURCE_ID,
    query_id: null,
    job_id: null,
    raw: null,
    raw_sha256: null,
    raw_delete_after: null,
    raw_deleted_at: null,
    erased_at: null,
    created_at: at,
    created_by: 'domains',
  }
}
