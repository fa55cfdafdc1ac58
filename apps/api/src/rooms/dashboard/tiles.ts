import type { Logger } from 'pino'
import { MAX_COUNTED } from '../../http/pagination.ts'
import type { UserActor } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { dayAt, endOfDay, startOfDay } from '../../lib/calendar.ts'
import type { Permission } from '../../lib/declared.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { getTenant } from '../identity/identity.ts'
import { countSuggestions } from '../matching/matching.ts'
import { type Condition, createMatchingCounter, type MatchingCounter } from '../prospect-list/prospect-list.ts'
import { getRegistryState, sentenceOfCleaning } from '../registry/registry.ts'
import { countOverdue, countUpcoming } from '../requests/requests.ts'
import { applyFilter, compilePredicate, defaultConditions, type Predicate } from '../review/review.ts'
import type { RoomContext } from '../room.ts'
import { findActiveScores, findWaitingScores, waitingWords } from '../scoring/scoring.ts'
import { countFailedJobs, countReviews } from './dashboard.queries.ts'
import { type BuiltInTile, builtInTiles, limits, type Tile } from './dashboard.schema.ts'

type TileOptions = Pick<RoomContext, 'store' | 'kinds' | 'rooms' | 'cursors' | 'adapters'> & {
  log: Pick<Logger, 'error'>
}
export type TileContext = TileOptions & { count: MatchingCounter }

type Link = NonNullable<Tile['link']>
type Part = Tile['parts'][number]
type Found = Partial<Pick<Tile, 'title' | 'status' | 'value' | 'asOf' | 'predicate' | 'link' | 'reason' | 'parts'>>
type Definition = {
  title: string
  counts: string
  permission: Permission
  /** true if maintained counters provide the value; if false, the client requests the tile separately */
  isMaintained: boolean
  find(context: TileContext, actor: UserActor): Promise<Found>
}

const FILTER = 'filter:'

export function createTileContext(options: TileOptions): TileContext {
  return { ...options, count: createMatchingCounter(options.store) }
}

/**
 * Returns one tile as this person may see it. If its value cannot be computed, the tile contains an error instead. Errors: `not_found` (an unknown
 * key, or a filter that the person cannot see).
 */
export async function findTile(context: TileContext, actor: UserActor, key: string): Promise<Tile> {
  const definition = definitionOf(key)
  const tile = emptyTile(key, definition)
  if (!actor.permissions.has(definition.permission))
    return { ...tile, status: 'not_allowed', reason: 'Your role cannot see what this tile counts.' }
  try {
    return { ...tile, status: 'ready', ...(await definition.find(context, actor)) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw error
    if (error instanceof AppError) return { ...tile, status: 'failed', reason: error.message }
    context.log.error({ err: error, tile: key }, 'a tile could not be counted')
    return { ...tile, status: 'failed', reason: 'This number could not be counted. Try again.' }
  }
}

/** Returns the tile if maintained counters provide its value. Otherwise returns a pending tile, which the client then requests separately. */
export async function findQuickTile(context: TileContext, actor: UserActor, key: string): Promise<Tile> {
  const definition = definitionOf(key)
  if (definition.isMaintained) return findTile(context, actor, key)
  if (key.startsWith(FILTER) && !(await isVisible(context, actor, key.slice(FILTER.length))))
    return {
      ...emptyTile(key, definition),
      status: 'failed',
      reason: 'This filter was deleted or is no longer shared.',
    }
  return emptyTile(key, definition)
}

async function isVisible({ store }: TileContext, actor: UserActor, id: string): Promise<boolean> {
  return applyFilter(store.reader, actor, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return error.code !== 'not_found'
      throw error
    },
  )
}

function emptyTile(key: string, { title, counts }: Definition): Tile {
  return {
    ...{ key, title, counts, status: 'pending', value: null, asOf: null },
    ...{ predicate: null, link: null, reason: null, parts: [] },
  }
}

function definitionOf(key: string): Definition {
  if (key.startsWith(FILTER)) return pinnedFilter(key.slice(FILTER.length))
  const known = builtInTiles.find((one) => one === key)
  if (known === undefined) throw notFound()
  return definitions[known]
}

type Counted = { value: number; asOf: string; predicate: Predicate }

/** Counts the records of a predicate with the counter that the list behind the tile also uses. */
async function countOf(context: TileContext, actor: UserActor, conditions: readonly Condition[]): Promise<Counted> {
  const { predicate, filter } = await compilePredicate(context.store, actor, conditions)
  const { value, at } = await context.count(filter)
  return { value, asOf: at, predicate }
}

async function oneNumber(
  context: TileContext,
  actor: UserActor,
  conditions: readonly Condition[],
  link: Link,
): Promise<Found> {
  const { value, asOf, predicate } = await countOf(context, actor, conditions)
  return { value, asOf, predicate, link }
}

type Asked = { key: string; label: string; conditions: readonly Condition[]; link: Link }

/** Returns several numbers, each with its predicate. The value of the tile is their sum. */
async function severalNumbers(context: TileContext, actor: UserActor, asked: readonly Asked[]): Promise<Found> {
  const parts: Part[] = []
  for (const { key, label, conditions, link } of asked) {
    const { value, predicate } = await countOf(context, actor, conditions)
    parts.push({ key, label, value, isAtLeast: false, predicate, link })
  }
  return summed(parts, context.store.clock().toISOString())
}

function summed(parts: Part[], asOf: string): Found {
  const value = parts.reduce((sum, part) => sum + part.value, 0)
  return { status: parts.some(({ isAtLeast }) => isAtLeast) ? 'at_least' : 'ready', value, asOf, parts }
}

const prospects = (query: Record<string, string>): Link => ({ desk: 'prospects', query })
const words = (code: string) => code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

async function byScores(
  context: TileContext,
  actor: UserActor,
  partsOf: (bands: readonly { id: string; name: string }[]) => Asked[],
): Promise<Found> {
  const scores = await findActiveScores(context.store.reader, actor.tenantId)
  if (scores === undefined) return { status: 'failed', reason: 'No scores are active yet.' }
  const found = await severalNumbers(context, actor, partsOf(scores.bands))
  const waiting = await findWaitingScores(context.store, actor.tenantId, scores)
  return waiting === null ? found : { ...found, status: 'stale', reason: waitingWords(waiting) }
}

const followUpLabels = {
  overdue: 'Overdue',
  today: 'Due today',
  this_week: 'This week',
  next_week: 'Next week',
} as const

/** Own prospects that may be contacted. */
const ofMine: readonly Condition[] = [
  { field: 'assignee', op: 'any_of', values: ['me'] },
  { field: 'doNotContact', op: 'any_of', values: [false] },
]

/** The prospects that are due in a term, earliest first. */
function followUpPart(term: keyof typeof followUpLabels, others: readonly Condition[]): Asked {
  const conditions: Condition[] = [{ field: 'followUp', op: 'any_of', values: [term] }, ...others]
  return {
    key: term,
    label: followUpLabels[term],
    conditions,
    link: prospects({ conditions: JSON.stringify(conditions), sort: 'followUpOn' }),
  }
}

/** Counts the decisions of each kind that the person may make now, and the answers for them. Kinds of which none waits are left out. */
async function waitingFor(context: TileContext, actor: UserActor): Promise<Found> {
  const { store, cursors, adapters, rooms } = context
  const at = store.clock().toISOString()
  const asked = { store, cursors, adapters, actor, at, db: store.backgroundOf(actor.tenantId) }
  const parts: Part[] = []
  for (const { key, label, permission, link, count } of rooms.flatMap(({ waiting = [] }) => waiting)) {
    if (!actor.permissions.has(permission)) continue
    const found = await count(asked, limits.waiting)
    if (found.count === 0 && found.isWhole) continue
    const isAtLeast = found.count > limits.waiting || !found.isWhole
    parts.push({ key, label, value: Math.min(found.count, limits.waiting), isAtLeast, predicate: null, link })
  }
  return summed(parts, at)
}

const definitions: Record<BuiltInTile, Definition> = {
  waiting: {
    title: 'Waiting for me',
    counts: 'Decisions that wait for me, and answers to my requests',
    permission: 'dashboard.read',
    isMaintained: false,
    find: waitingFor,
  },
  due: {
    title: 'Due for review',
    counts: 'Active prospects that are due for review and may be contacted',
    permission: 'review.read',
    isMaintained: true,
    find: (context, actor) => oneNumber(context, actor, defaultConditions, { desk: 'review', query: {} }),
  },
  mine: {
    title: 'My prospects',
    counts: 'Active prospects that are assigned to me',
    permission: 'businesses.read',
    isMaintained: true,
    find: (context, actor) =>
      oneNumber(context, actor, [{ field: 'assignee', op: 'any_of', values: ['me'] }], prospects({ assignee: 'me' })),
  },
  my_follow_ups: {
    title: 'My follow-ups',
    counts: 'My active prospects with a follow-up date until the end of next week, without do not contact',
    permission: 'businesses.read',
    isMaintained: false,
    find: async (context, actor) => {
      const parts = ['overdue', 'today', 'this_week', 'next_week'] as const
      const found = await severalNumbers(
        context,
        actor,
        parts.map((term) => followUpPart(term, ofMine)),
      )
      // This week contains today, and its earlier days are overdue: the sum would count prospects twice.
      const all: Condition[] = [{ field: 'followUp', op: 'any_of', values: [...parts] }, ...ofMine]
      const link = prospects({ conditions: JSON.stringify(all), sort: 'followUpOn' })
      return { ...found, ...(await oneNumber(context, actor, all, link)) }
    },
  },
  follow_ups: {
    title: 'Follow-ups',
    counts: 'Active prospects with a follow-up date until today',
    permission: 'businesses.read',
    isMaintained: false,
    find: (context, actor) =>
      severalNumbers(
        context,
        actor,
        (['overdue', 'today'] as const).map((term) => followUpPart(term, [])),
      ),
  },
  pipeline: {
    title: 'By pipeline state',
    counts: 'Active prospects',
    permission: 'businesses.read',
    isMaintained: true,
    find: (context, actor) =>
      severalNumbers(
        context,
        actor,
        pipelineStates.map((state) => ({
          key: state,
          label: words(state),
          conditions: [{ field: 'state', op: 'any_of', values: [state] }],
          link: prospects({ state }),
        })),
      ),
  },
  priority: {
    title: 'By priority',
    counts: 'Active prospects with a score',
    permission: 'scoring.read',
    isMaintained: true,
    find: (context, actor) =>
      byScores(context, actor, (bands) =>
        [...bands, { id: 'unknown', name: 'Unknown' }].map(({ id, name }) => ({
          key: id,
          label: name,
          conditions: [{ field: 'priority', op: 'any_of', values: [id] }],
          link: prospects({ priority: id }),
        })),
      ),
  },
  eligibility: {
    title: 'By eligibility',
    counts: 'Active prospects that were scored, and blocked ones',
    permission: 'scoring.read',
    isMaintained: true,
    find: (context, actor) =>
      byScores(context, actor, () =>
        (['eligible', 'unknown', 'ineligible', 'blocked'] as const).map((eligibility) => ({
          key: eligibility,
          label: words(eligibility),
          conditions: [{ field: 'eligibility', op: 'any_of', values: [eligibility] }],
          link: prospects({ eligibility }),
        })),
      ),
  },
  no_evidence: {
    title: 'Without evidence',
    counts: 'Active prospects without evidence',
    permission: 'businesses.read',
    isMaintained: true,
    find: (context, actor) =>
      oneNumber(
        context,
        actor,
        [{ field: 'hasEvidence', op: 'any_of', values: [false] }],
        prospects({ hasEvidence: 'false' }),
      ),
  },
  do_not_contact: {
    title: 'Do not contact',
    counts: 'Active prospects that are marked do not contact',
    permission: 'businesses.read',
    isMaintained: true,
    find: (context, actor) =>
      oneNumber(
        context,
        actor,
        [{ field: 'doNotContact', op: 'any_of', values: [true] }],
        prospects({ doNotContact: 'true' }),
      ),
  },
  registry: {
    title: 'Registry',
    counts: 'Active prospects that were added since the last registry round',
    permission: 'businesses.read',
    isMaintained: false,
    find: async ({ store }, { tenantId, permissions }) => {
      const state = await getRegistryState(store, tenantId)
      return {
        status: state.isDue ? 'stale' : state.isUncheckedWhole ? 'ready' : 'at_least',
        value: state.unchecked,
        asOf: store.clock().toISOString(),
        link: permissions.has('registry.read') ? { desk: 'registry', query: {} } : null,
        reason: sentenceOfCleaning(state),
      }
    },
  },
  duplicates: {
    title: 'Suggested duplicates',
    counts: 'Open suggestions',
    permission: 'matching.read',
    isMaintained: true,
    find: async ({ store }, { tenantId }) => {
      const { counts, asOf } = await countSuggestions(store, tenantId)
      const part = (band: 'strong' | 'review'): Part => ({
        key: band,
        label: band === 'review' ? 'To review' : words(band),
        value: counts.open[band],
        isAtLeast: false,
        predicate: null,
        link: { desk: 'duplicates', query: { status: 'open', band } },
      })
      return summed([part('strong'), part('review')], asOf)
    },
  },
  failed_jobs: {
    title: 'Failed jobs',
    counts: 'Failed jobs of the kinds that I may use',
    permission: 'jobs.read',
    isMaintained: false,
    find: async ({ store, kinds }, { tenantId, permissions }) => {
      const visible = [...kinds.values()].filter(({ permission }) => permissions.has(permission))
      const bound = MAX_COUNTED
      const wanted = { tenantId, kinds: visible.map(({ kind }) => kind), bound }
      const found = await countFailedJobs(store.backgroundOf(tenantId), wanted)
      return {
        status: found > bound ? 'at_least' : 'ready',
        value: Math.min(found, bound),
        asOf: store.clock().toISOString(),
        link: { desk: 'jobs', query: { status: 'failed' } },
      }
    },
  },
  reviews_per_day: {
    title: 'Reviews per day',
    counts: `Decisions of the last ${limits.reviewDays} days`,
    permission: 'review.read',
    isMaintained: false,
    find: async ({ store }, { tenantId }) => {
      const at = store.clock().toISOString()
      const { timeZone } = await getTenant(store.reader, tenantId)
      const first = dayAt(at, timeZone).subtract({ days: limits.reviewDays - 1 })
      const parts: Part[] = []
      for (const day of Array.from({ length: limits.reviewDays }, (_, days) => first.add({ days }))) {
        const [from, until] = [startOfDay(day, timeZone), endOfDay(day, timeZone)]
        const bound = MAX_COUNTED
        const found = await countReviews(store.backgroundOf(tenantId), { tenantId, from, until, bound })
        const key = day.toString()
        const to = new Date(Date.parse(until) - 1).toISOString()
        const link = { desk: 'audit' as const, query: { action: 'review.decide', from, to } }
        parts.push({ key, label: key, value: Math.min(found, bound), isAtLeast: found > bound, predicate: null, link })
      }
      return summed(parts, at)
    },
  },
  subject_requests: {
    title: 'Subject requests',
    counts: 'Requests of people about their own data that are not answered',
    permission: 'requests.read',
    isMaintained: false,
    find: async ({ store }, { tenantId }) => {
      const now = store.clock().toISOString()
      const bound = MAX_COUNTED
      const parts: Part[] = []
      for (const [key, label, count] of [
        ['overdue', 'Overdue', countOverdue],
        ['upcoming', 'Due today or later', countUpcoming],
      ] as const) {
        const found = await count(store.backgroundOf(tenantId), { tenantId, now, bound })
        const link = { desk: 'requests' as const, query: { state: key } }
        parts.push({ key, label, value: Math.min(found, bound), isAtLeast: found > bound, predicate: null, link })
      }
      return summed(parts, now)
    },
  },
}

/** Returns true if the role of this person includes what a built-in tile counts. */
export function isForRole(key: BuiltInTile, { permissions }: UserActor): boolean {
  return permissions.has(definitions[key].permission)
}

function pinnedFilter(id: string): Definition {
  return {
    title: 'Saved filter',
    counts: 'Prospects that match the filter',
    permission: 'businesses.read',
    isMaintained: false,
    find: async (context, actor) => {
      const { conditions, name, desk } = await applyFilter(context.store.reader, actor, id)
      const query: Record<string, string> =
        desk === 'review' ? { filterId: id } : { conditions: JSON.stringify(conditions) }
      const found = await oneNumber(context, actor, conditions, { desk, query })
      return { ...found, title: name }
    },
  }
}
