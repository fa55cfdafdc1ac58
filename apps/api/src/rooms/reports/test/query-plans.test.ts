import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askedOf, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { temporaryStore } from '../../../../test/temporary-store.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { countPart } from '../figures.queries.ts'

test('a report finds the children of a business by that business, without scanning the tenant', async () => {
  const store = temporaryStore()
  const statements = watchStatements()
  const interval = { startsAt: '2026-11-01T00:00:00.000Z', endsAt: '2026-12-01T00:00:00.000Z' }
  const wanted = { tenantId: 'a', ...interval, asOf: '2026-11-30T00:00:00.000Z', filter: {} }
  await countPart(store.backgroundOf(wanted.tenantId), wanted, { after: '', upTo: 'z' })
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const plans = askedOf(statements).map(({ sql }) => planOf(connection, sql))
  connection.close()
  expect(plans).toHaveLength(7)
  const steps = plans.flat().filter((step) => step.startsWith('SEARCH '))
  expect(steps.filter((step) => /\(tenant_id=\?( AND action=\?.*)?\)$/.test(step))).toEqual([])
})
