import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withholdingActions } from '../../src/rooms/facts.ts'
import { ask, freshClient, seenVersion } from '../asking.ts'
import type { TestApp } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { operations } from '../operations.ts'

/*
 * A download of an export is not recorded if, since the check of the file, an action happened after which a record or value may have to be withheld.
 * Rooms declare these actions (`withholding`). This test sends every request and finds an undeclared one by its effect. Actions of jobs are not tested.
 */

/** Returns the records that exports withhold, the entries that match values, and the last event of the audit. */
async function withheld({ store: { reader }, tenants }: TestApp) {
  const { rows: records } = await sql<{ subject: string }>`
    SELECT id AS subject FROM businesses WHERE do_not_contact = 1 OR (status = 'inactive' AND deactivated_at IS NULL)
    UNION SELECT suppression_id FROM suppression_keys WHERE live = 1`.execute(reader)
  const { rows: newest } = await sql<{ sequence: number }>`
    SELECT max(sequence) AS sequence FROM audit_events WHERE tenant_id = ${tenants.home.id}`.execute(reader)
  return { subjects: records.map(({ subject }) => subject), sequence: newest[0]?.sequence ?? 0 }
}

/** The erasure comes last, because the other requests need the record. */
const changing = operations
  .filter(({ isOpen, method }) => !isOpen && method !== 'get')
  .toSorted((a, b) => Number(a.id === 'eraseBusiness') - Number(b.id === 'eraseBusiness'))

test('every request that withholds a record or a value from exports records an action about it that is declared so', async () => {
  const { t, place } = await furnishedApp()
  const withholding: string[] = []
  const undeclared: unknown[] = []
  for (const operation of changing) {
    const client = await freshClient(t, 'administrator')
    const before = await withheld(t)
    await ask(operation, place, { client, headers: await seenVersion(operation, place, client) })
    const { subjects } = await withheld(t)
    const added = subjects.filter((one) => !before.subjects.includes(one))
    if (added.length === 0) continue
    withholding.push(operation.id)
    const events = await t.store.reader
      .selectFrom('audit_events')
      .select(['action', 'subject_id'])
      .where('tenant_id', '=', t.tenants.home.id)
      .where('sequence', '>', before.sequence)
      .execute()
    // A suppression has one event, although it withholds several records.
    const about = [events, ...added.map((subject) => events.filter(({ subject_id }) => subject_id === subject))]
    for (const actions of about.map((some) => some.map(({ action }) => action)))
      if (actions.length > 0 && !actions.some((action) => withholdingActions.some((one) => one === action)))
        undeclared.push([operation.id, actions])
  }
  expect(undeclared).toEqual([])
  expect(withholding).toEqual(expect.arrayContaining(['addSuppression', 'blockBusiness', 'eraseBusiness']))
})
