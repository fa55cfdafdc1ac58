import type { Db } from '../../store/database.ts'
import { type HeldRow, readHeld } from '../../store/held-rows.ts'
import { columnOf, factFields, isContactFact } from '../businesses/businesses.ts'
import type { HeldPart } from '../held.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'

type Asked = { db: Db; tenantId: string; businessIds: readonly string[] }
type Value = { fact: string; value: string; normalized: string }

/**
 * Answers where each value of the records is from: the observations that contain it or, without one, the change that entered it first. `isMeant`: only
 * values for which it is true.
 */
export async function findProvenance(asked: Asked, isMeant: (text: string) => boolean): Promise<HeldPart> {
  const rows: HeldRow[] = []
  for (const businessId of asked.businessIds) {
    const values = (await valuesOf(asked, businessId)).filter(({ value }) => isMeant(value))
    if (values.length === 0) continue
    const observed = await observationsOf(asked, businessId)
    const unobserved: Value[] = []
    for (const value of values) {
      const found = observed.filter((one) => one.fact === value.fact && one.normalized === value.normalized)
      if (found.length === 0) unobserved.push(value)
      for (const { row } of found)
        rows.push({ record: businessId, fact: value.fact, value: value.value, from: 'evidence', ...row })
    }
    rows.push(...(await entriesOf(asked, businessId, unobserved)))
  }
  return {
    key: 'provenance',
    title: 'Where each value is from',
    permission: 'evidence.read',
    columns: {
      record: 'Record',
      fact: 'Fact',
      value: 'Value',
      from: 'From',
      source_label: 'Source',
      source_reference: 'Reference',
      url: 'Address of the page',
      captured_at: 'Captured at',
      confidence: 'Confidence',
      created_at: 'Entered at',
      created_by: 'Entered by',
      evidence_id: 'Evidence',
      event_id: 'Audit event',
    },
    rows,
  }
}

async function valuesOf({ db, tenantId }: Asked, businessId: string): Promise<Value[]> {
  const identifiers = await db
    .selectFrom('business_identifiers')
    .select(['kind', 'original', 'region'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .orderBy('kind')
    .orderBy('position')
    .execute()
  const business = await db
    .selectFrom('businesses')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
  return [
    ...identifiers.map(({ kind, original, region }) => claimOf(kind, original, region)),
    ...factFields.flatMap((field) => {
      if (isContactFact(field)) return []
      const value = business[columnOf(field)]
      return value === null ? [] : [claimOf(field, String(value))]
    }),
  ]
}

function claimOf(field: string, value: string, region: string | null = null): Value {
  const contact = field === 'email' || field === 'phone' || field === 'domain' ? field : undefined
  const normalized = contact === undefined ? null : normalizeIdentifier(contact, value, region).normalized
  return { fact: field, value, normalized: normalized ?? value.trim().toLowerCase() }
}

async function observationsOf({ db, tenantId }: Asked, businessId: string) {
  const rows = await db
    .selectFrom('evidence')
    .select(['id', 'field', 'value', 'source_label', 'source_reference', 'url', 'captured_at', 'confidence'])
    .select(['created_at', 'created_by'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('field', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, field, value, ...row }) =>
    field === null || value === null ? [] : [{ ...claimOf(field, value), row: { ...row, evidence_id: id } }],
  )
}

const events = {
  title: 'Audit events',
  permission: 'audit.read',
  along: 'audit_events_by_business',
  order: 'sequence',
} as const
const columns = { id: '', at: '', actor: '', action: '', after_json: '' }

/** Returns, for values without an observation, the first change whose event contains the value. */
async function entriesOf({ db, tenantId }: Asked, businessId: string, values: readonly Value[]): Promise<HeldRow[]> {
  const waiting = new Map(values.map((value) => [`${value.fact} ${value.value}`, value]))
  const found: HeldRow[] = []
  const wanted = { tenantId, businessIds: [businessId], table: 'audit_events', rule: { ...events, columns } }
  if (waiting.size > 0)
    for await (const part of readHeld(db, wanted))
      for (const { id, at, actor, after_json: after } of part) {
        if (typeof after !== 'string') continue
        for (const [key, { fact, value }] of waiting) {
          if (!after.includes(JSON.stringify(value).slice(1, -1))) continue
          waiting.delete(key)
          found.push({
            record: businessId,
            fact,
            value,
            from: 'entry',
            created_at: at,
            created_by: actor,
            event_id: id,
          })
        }
      }
  return [
    ...found,
    ...[...waiting.values()].map(({ fact, value }) => ({ record: businessId, fact, value, from: 'unknown' })),
  ]
}
