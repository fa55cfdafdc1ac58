import type { Kysely } from 'kysely'
import { objectOf } from '../../../lib/map-values.ts'
import { type PipelineState, pipelineStates } from '../../../lib/pipeline-state.ts'
import type { Database } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { columnOf, countByState, fold, indexOf, type NumberColumn, numberFacts } from '../../businesses/businesses.ts'
import type { ActiveScores } from '../../scoring/scoring.ts'
import type { Filter, SegmentColumn } from '../conditions/business-filter.ts'
import type { Sort } from '../prospect-list.schema.ts'
import { type Order, orders } from './list-plan.ts'

/*
 * Sort orders that consist of several segments, each read along one index: one segment per pipeline state, one per assignee in the order of names, or
 * the records with a value followed by those without. `mayBeCalled`: first the prospects whose number has contact hours and which may be contacted,
 * in both parts by priority, best first, and then by follow-up. No other prospect may be called now, and within hours all of them may, so that the
 * order stays the same from page to page. The next page continues in the segment of its cursor.
 */

/** One segment of a sort order. `key` identifies the segment in a cursor; `part` is the filter of its records. */
export type Segment = { key: string; part: Partial<Filter>; order: Order }

const newestFirst = orders['-createdAt']

const columns: Partial<Record<Sort, SegmentColumn>> = {
  ...Object.fromEntries(numberFacts.flatMap((field) => [field, `-${field}`].map((sort) => [sort, columnOf(field)]))),
  city: 'city',
  '-city': 'city',
  lastInteractionAt: 'last_interaction_at',
  '-lastInteractionAt': 'last_interaction_at',
  followUpOn: 'follow_up_on',
  '-followUpOn': 'follow_up_on',
}
const indexes: Record<SegmentColumn, Order['index']> = {
  ...objectOf<Record<NumberColumn, Order['index']>>(numberFacts.map(columnOf), indexOf),
  city: 'businesses_by_city',
  last_interaction_at: 'businesses_by_last_interaction',
  follow_up_on: 'businesses_by_follow_up',
}

/** Returns the segments of a sort; undefined if one index provides the order. Records without a value are last in both directions. */
export async function segmentsOf(
  db: Kysely<Database>,
  sort: Sort,
  filter: Filter,
  scores: ActiveScores | undefined,
): Promise<Segment[] | undefined> {
  const descending = sort.startsWith('-')
  const column = columns[sort]
  if (column !== undefined) {
    return [
      {
        key: 'with',
        part: { segment: { column, isPresent: true } },
        order: { column, index: indexes[column], descending },
      },
      { key: 'without', part: { segment: { column, isPresent: false } }, order: newestFirst },
    ]
  }
  if (sort === 'state' || sort === '-state') {
    const states = filter.state === undefined ? await statesWithRecords(db, filter) : [filter.state]
    const inOrder = descending ? states.toReversed() : states
    return inOrder.map((state) => ({ key: state, part: { state }, order: orders['-updatedAt'] }))
  }
  if (sort === 'mayBeCalled') {
    const order = { column: 'follow_up_on', index: indexes.follow_up_on, descending: false } as const
    const segment = { column: 'follow_up_on', isPresent: true } as const
    const parts = [true, false].flatMap((hasCallHours) =>
      prioritiesOf(scores, filter).map(({ key, further }) => ({
        key: `${hasCallHours ? 'hours' : 'no-hours'}-${key}`,
        part: { segment, hasCallHours, further },
        order,
      })),
    )
    return [...parts, { key: 'without', part: { segment: { ...segment, isPresent: false } }, order: newestFirst }]
  }
  // Only active records are counted by assignee, and these counts name the people. Deactivated records are therefore listed newest first.
  if ((sort !== 'assignee' && sort !== '-assignee') || filter.isInactive === true) return undefined
  const { assigneeId: only } = filter
  const people = only === undefined ? [...(await peopleWithRecords(db, filter.tenantId, descending)), null] : [only]
  return people.map((assigneeId) => ({
    key: assigneeId ?? 'none',
    part: { assigneeId },
    order: orders['-updatedAt'],
  }))
}

/** Returns the filter's further conditions for each priority, best first. Prospects without a known priority are last. */
function prioritiesOf(
  scores: ActiveScores | undefined,
  { further = [] }: Filter,
): { key: string; further: NonNullable<Filter['further']> }[] {
  if (scores === undefined) return [{ key: 'all', further }]
  const { tenant, generation, bands } = scores
  const codes = bands.map((_, code) => code)
  const having = (isNot: boolean, codes: readonly number[]): NonNullable<Filter['further']> => [
    ...further,
    { on: 'score', isNot, tenant, generation, column: 'priority', codes },
  ]
  return [
    ...codes.map((code) => ({ key: `${code}`, further: having(false, [code]) })),
    { key: 'unknown', further: having(true, codes) },
  ]
}

async function statesWithRecords(db: Kysely<Database>, { tenantId, isInactive }: Filter): Promise<PipelineState[]> {
  if (isInactive === true) return [...pipelineStates]
  const counts = await countByState(db, tenantId)
  return pipelineStates.filter((state) => counts[state] > 0)
}

/** Returns the ids of the people to whom active records are assigned, sorted by name. */
async function peopleWithRecords(db: Kysely<Database>, tenantId: string, descending: boolean): Promise<string[]> {
  const cells = await db
    .selectFrom('business_counts')
    .select('assignee_id')
    .where('tenant_id', '=', tenantId)
    .where('count', '>', 0)
    .execute()
  const ids = [...new Set(cells.map((cell) => cell.assignee_id))].filter((id) => id !== '')
  if (ids.length === 0) return []
  const people = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', inList(ids)).execute()
  const inOrder = people.toSorted((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1))
  return (descending ? inOrder.toReversed() : inOrder).map(({ id }) => id)
}

function compareNames(a: string, b: string): number {
  const [one, two] = [fold(a), fold(b)]
  return one < two ? -1 : Number(one > two)
}
