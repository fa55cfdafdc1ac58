import { sql } from 'kysely'
import { actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { slicesOf } from '../../lib/slices.ts'
import type { Db } from '../../store/database.ts'
import { elementsOf, inList, thenJoin } from '../../store/engine/dialect.ts'
import { prepared } from '../../store/engine/prepared.ts'
import { readTexts } from '../../store/json-column.ts'
import { countryOfPhone, type IdentifierKind, placeDoubts } from '../normalization/normalization.ts'
import type { Business } from './businesses.schema.ts'
import type { BlockedThrough, BusinessIdentifierTable, BusinessTable } from './businesses.table.ts'
import { MAX_FAMILY } from './family/max-family.ts'
import { addressOf, ownFactsOf } from './record/facts.ts'

type Key = { tenantId: string; id: string }

function rowsOfBusinesses(db: Db) {
  return db
    .selectFrom('businesses as b')
    .leftJoin('users as creator', 'creator.id', 'b.created_by')
    .leftJoin('users as assignee', 'assignee.id', 'b.assignee_id')
    .leftJoin('users as blocker', 'blocker.id', 'b.blocked_by')
    .leftJoin('erasures as x', (join) =>
      join.onRef('x.tenant_id', '=', 'b.tenant_id').onRef('x.business_id', '=', 'b.id'),
    )
    .selectAll('b')
    .select('x.at as erased_at')
    .select(['creator.name as creator_name', 'assignee.name as assignee_name', 'blocker.name as blocker_name'])
}

const businessRow = prepared<Key>()((db, param) =>
  rowsOfBusinesses(db).where('b.tenant_id', '=', param('tenantId')).where('b.id', '=', param('id')),
)

const identifierRows = prepared<Key>()((db, param) =>
  db
    .selectFrom('business_identifiers')
    .select(['kind', 'original', 'label', 'region', 'normalized', 'uncertainty'])
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', '=', param('id'))
    .orderBy('kind')
    .orderBy('position'),
)

type IdentifierRow = Pick<
  BusinessIdentifierTable,
  'kind' | 'original' | 'label' | 'region' | 'normalized' | 'uncertainty'
>

/** Returns one business of the tenant in the form of a response; undefined if it does not exist or belongs to another tenant. */
async function findBusiness(db: Db, tenantId: string, id: string): Promise<Business | undefined> {
  const [row] = await businessRow(db, { tenantId, id })
  if (row === undefined) return undefined
  const business = toBusiness(row, await identifierRows(db, { tenantId, id }))
  const { merged_into: into, do_not_contact: blocked } = row
  if (into === null || blocked === 1 || !(await isBlockedAbove(db, tenantId, into))) return business
  return { ...business, survivorDoNotContact: true }
}

const businessRows = prepared<{ tenantId: string; ids: string }>()((db, param) =>
  rowsOfBusinesses(db)
    .where('b.tenant_id', '=', param('tenantId'))
    .where('b.id', 'in', inList(param('ids'))),
)

const identifiersOfAll = prepared<{ tenantId: string; ids: string }>()((db, param) =>
  db
    .selectFrom('business_identifiers')
    .select(['business_id', 'kind', 'original', 'label', 'region', 'normalized', 'uncertainty'])
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', 'in', inList(param('ids')))
    .orderBy('business_id')
    .orderBy('kind')
    .orderBy('position'),
)

/** Returns the businesses of the tenant with these ids, by id: `getBusiness` for a page of records in three statements. */
export async function findBusinesses(
  db: Db,
  tenantId: string,
  businessIds: Iterable<string>,
): Promise<ReadonlyMap<string, Business>> {
  const ids = JSON.stringify([...new Set(businessIds)])
  const rows = await businessRows(db, { tenantId, ids })
  const identifiers = Map.groupBy(await identifiersOfAll(db, { tenantId, ids }), ({ business_id: id }) => id)
  const merged = rows.filter(({ merged_into: into, do_not_contact: blocked }) => into !== null && blocked === 0)
  const blockedAbove = await findBlockedAbove(
    db,
    tenantId,
    merged.map(({ id }) => id),
  )
  return new Map(
    rows.map((row) => {
      const business = toBusiness(row, identifiers.get(row.id) ?? [])
      return [row.id, blockedAbove.has(row.id) ? { ...business, survivorDoNotContact: true } : business]
    }),
  )
}

const survivorOf = prepared<Key>()((db, param) =>
  db
    .selectFrom('businesses')
    .select(['merged_into', 'do_not_contact'])
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('id')),
)

/** Returns true if this business, or any record that it was merged into, is do not contact. */
export async function isBlockedAbove(db: Db, tenantId: string, businessId: string): Promise<boolean> {
  let id: string | null = businessId
  for (let step = 0; id !== null && step < MAX_FAMILY; step++) {
    const [row]: { merged_into: string | null; do_not_contact: number }[] = await survivorOf(db, { tenantId, id })
    if (row?.do_not_contact === 1) return true
    id = row?.merged_into ?? null
  }
  return id !== null
}

/** Businesses of one statement of `findBlockedAbove`. They take about a millisecond. */
const ASKED_AT_ONCE = 200

const blockedRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ id: string }>`
    WITH RECURSIVE family (asked, id) AS (
      SELECT value, value FROM ${elementsOf(param('ids'), 'wanted')}
      UNION
      SELECT family.asked, m.merged_into FROM family ${thenJoin} businesses m ON m.tenant_id = ${param('tenantId')} AND m.id = family.id
      WHERE m.merged_into IS NOT NULL)
    SELECT family.asked AS id FROM family
      ${thenJoin} businesses m ON m.tenant_id = ${param('tenantId')} AND m.id = family.id AND m.do_not_contact = 1`,
)

/**
 * Returns those of these businesses that are do not contact, by themselves or by a record that they were merged into: `isBlockedAbove` for a page of
 * records in one statement.
 */
export async function findBlockedAbove(
  db: Db,
  tenantId: string,
  businessIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const breathe = createBreather()
  const blocked = new Set<string>()
  for (const part of slicesOf([...new Set(businessIds)], ASKED_AT_ONCE)) {
    for (const { id } of await blockedRows(db, { tenantId, ids: JSON.stringify(part) })) blocked.add(id)
    await breathe()
  }
  return blocked
}

type BusinessRow = BusinessTable & {
  creator_name: string | null
  assignee_name: string | null
  blocker_name: string | null
  erased_at: string | null
}

/** Converts a row to the form of a response. */
function toBusiness(row: BusinessRow, identifiers: readonly IdentifierRow[]): Business {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    name: row.name,
    isNameKnown: isNameKnown(row),
    ...ownFactsOf(row),
    emails: identifiersOf('email', identifiers),
    phones: identifiersOf('phone', identifiers),
    domains: identifiersOf('domain', identifiers),
    address: addressOf(row),
    provinceCode: row.province_code,
    placeDoubts: placeDoubtsOf(row),
    tags: readTexts(row.tags),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    status: row.status,
    mergedInto: row.merged_into,
    deactivatedAt: row.deactivated_at,
    pipelineState: row.pipeline_state,
    stateBeforePause: row.state_before_pause,
    doNotContact: row.do_not_contact === 1 ? blockOf(row) : null,
    callCountry: callCountryOf(row),
    lastInteractionAt: row.last_interaction_at,
    followUpOn: row.follow_up_on,
    valuesHidden: false,
    erasedAt: row.erased_at,
    normalizationVersion: row.normalization_version,
  }
}

/** Returns the country whose contact hours apply to a call of the first number. A prospect that is do not contact has none. */
export const callCountryOf = (
  row: Pick<BusinessTable, 'do_not_contact' | 'primary_phone_normalized'>,
): Business['callCountry'] =>
  row.do_not_contact === 1 || row.primary_phone_normalized === null
    ? null
    : countryOfPhone(row.primary_phone_normalized)

/** Returns the doubts about the address of a row, by the current rules. */
export const placeDoubtsOf = (
  row: Pick<BusinessTable, 'street' | 'city' | 'province' | 'postal_code' | 'country'>,
): Business['placeDoubts'] => [...placeDoubts({ ...row, postalCode: row.postal_code })]

/** Returns false if the registered name is unknown and `name` is the trading name. It becomes true when a merge or an edit changes the name. */
export const isNameKnown = (row: Pick<BusinessTable, 'name' | 'trading_name' | 'name_stands_in'>): boolean =>
  row.name_stands_in === 0 || row.name !== row.trading_name

/** Returns one business. Errors: `not_found`. */
export async function getBusiness(db: Db, tenantId: string, id: string): Promise<Business> {
  const business = await findBusiness(db, tenantId, id)
  if (business === undefined) throw notFound()
  return business
}

function blockOf(row: {
  blocked_at: string | null
  blocked_by: string | null
  blocked_reason: string | null
  blocked_through: BlockedThrough | null
  blocker_name: string | null
}) {
  const { blocked_at: at, blocked_by: by, blocked_reason: reason, blocked_through: through } = row
  if (at === null || by === null || reason === null || through === null)
    throw new Error('A blocked business without its block: the CHECK of the table forbids it.')
  return { at, by: actorRef(by, row.blocker_name), reason, through }
}

function identifiersOf(kind: IdentifierKind, rows: readonly IdentifierRow[]): Business['emails'] {
  const ofKind = rows.filter((row) => row.kind === kind)
  return ofKind.map(({ original: value, label, region, normalized, uncertainty }) =>
    kind === 'phone' ? { value, label, region, normalized, uncertainty } : { value, label, normalized, uncertainty },
  )
}
