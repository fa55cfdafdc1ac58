import type { UserActor } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { bandCode, eligibilityCode } from '../../../lib/score-codes.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { searchTerms, sumsWith, tagKey, textScopeOf } from '../../businesses/businesses.ts'
import { hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { getTenant, isMember, namesOfMembers } from '../../identity/identity.ts'
import { townNamesOf } from '../../normalization/normalization.ts'
import type { ActiveScores } from '../../scoring/scoring.ts'
import { type Filter, type NumberRange, searchOf } from './business-filter.ts'
import {
  type Condition,
  type FollowUpTerm,
  followUpTerms,
  isChildText,
  isNumberCondition,
  isTextCondition,
  type NumberCondition,
  type TextCondition,
} from './conditions.schema.ts'
import type { FurtherCondition } from './further-conditions.ts'
import { type DayRange, daysAgo, followUpRange } from './relative-days.rules.ts'
import { findSpellings } from './spellings.ts'

type Of<Field extends Condition['field']> = Extract<Condition, { field: Field }>

/**
 * A value of a condition that no longer exists in the tenant. `ignored`: the condition matches the records of its other values. `matches_nothing`: the
 * condition matches no record. `still_matches`: the condition refers to the records that are still assigned to a former member.
 */
export type RemovedValue = {
  field: 'assignee' | 'tag' | 'priority' | 'reachable'
  value: string
  effect: 'ignored' | 'matches_nothing' | 'still_matches'
}

/** The compiled filter. `resolved`: the conditions with the user's id instead of `me`, and times instead of relative days. */
export type CompiledConditions = { filter: Filter; resolved: Condition[]; removed: RemovedValue[] }

export type CompileContext = { scores: ActiveScores | undefined; now: Date }

/**
 * Compiles conditions into the filter of a list. Lists, counts, selections and exports all compile their conditions here, so that equal conditions
 * select equal records. The first condition with one value becomes a field that an index serves; the other conditions are checked on each record. A
 * removed tag or band and an unknown person match no record, and a condition that excludes one matches no record either. A former member matches the
 * records that are still assigned to them. A condition therefore never matches more than before.
 *
 * A condition on a value that is hidden from this person matches no record of which it is hidden, whatever the operator. Otherwise the person could
 * read the value letter by letter from the results. Errors: `invalid_request` (two searches).
 */
export async function compileConditions(
  { reader: db, backgroundOf }: Pick<Store, 'reader' | 'backgroundOf'>,
  actor: UserActor,
  conditions: readonly Condition[],
  { scores, now }: CompileContext,
): Promise<CompiledConditions> {
  const filter: Filter = { tenantId: actor.tenantId }
  const further: FurtherCondition[] = []
  const resolved: Condition[] = []
  const removed: RemovedValue[] = []
  const nothing = () => further.push({ on: 'nothing' })
  const isPartHidden = hidesValuesFrom(actor, { doNotContact: true })
  const timeZone = async () => (await getTenant(db, actor.tenantId)).timeZone

  /** Returns the values that still exist; undefined if the condition matches nothing. */
  function existing<Value extends string>(
    field: RemovedValue['field'],
    op: Condition['op'],
    values: readonly Value[],
    exists: (value: Value) => boolean,
  ): Value[] | undefined {
    const gone = values.filter((value) => !exists(value))
    const left = values.filter(exists)
    const isUsable = left.length > 0 && (op === 'any_of' || gone.length === 0)
    removed.push(...gone.map((value) => ({ field, value, effect: isUsable ? 'ignored' : 'matches_nothing' }) as const))
    if (isUsable) return left
    nothing()
    return undefined
  }

  async function ofAssignee({ op, values }: Of<'assignee'>): Promise<void> {
    const ids = [...new Set(values.map((value) => (value === 'me' ? actor.userId : value)))]
    resolved.push({ field: 'assignee', op, values: ids })
    if (ids.length === 0) return absent('assignee', op, 'assigneeId')
    const known = await namesOfMembers(db, actor.tenantId, ids)
    const left = existing('assignee', op, ids, (id) => known.has(id))
    for (const value of known.keys())
      if (!(await isMember(db, actor.tenantId, value)))
        removed.push({ field: 'assignee', value, effect: left === undefined ? 'matches_nothing' : 'still_matches' })
    if (left === undefined) return
    const [only] = left
    if (op === 'any_of' && left.length === 1 && only !== undefined && filter.assigneeId === undefined)
      filter.assigneeId = only
    else further.push({ on: 'assignee', isNot: op === 'none_of', values: left })
  }

  async function ofTag({ op, values }: Of<'tag'>): Promise<void> {
    resolved.push({ field: 'tag', op, values })
    if (values.length === 0) {
      further.push({ on: 'empty', column: 'tag', isNot: op === 'is_not_empty' })
      return
    }
    const carried = new Set<string>()
    for (const value of values) if (await isCarried(db, actor.tenantId, tagKey(value))) carried.add(value)
    const left = existing('tag', op, values, (value) => carried.has(value))
    if (left === undefined) return
    const keys = left.map(tagKey)
    const [only] = keys
    if (op === 'any_of' && keys.length === 1 && only !== undefined && filter.tagKey === undefined) filter.tagKey = only
    else further.push({ on: 'tag', isNot: op === 'none_of', keys })
  }

  function absent(on: 'assignee' | 'province', op: Condition['op'], name: 'assigneeId' | 'province'): void {
    if (op === 'is_empty' && filter[name] === undefined) filter[name] = null
    else further.push({ on: 'empty', column: on, isNot: op === 'is_not_empty' })
  }

  async function ofText({ field, op, values }: TextCondition): Promise<void> {
    // Only records with evidence have a source, and an index contains them.
    if (field === 'sourceLabel' && op !== 'none_of' && op !== 'is_empty') filter.hasEvidence ??= true
    const ofShown = isChildText(field) ? shownOnly() : {}
    if (values.length === 0) {
      further.push({ on: 'empty', column: field, isNot: op === 'is_not_empty', ...ofShown })
      return
    }
    const isNot = op === 'none_of'
    const asked = { column: field, isWhole: op !== 'contains', values }
    const spellings = await findSpellings(backgroundOf(actor.tenantId), actor.tenantId, asked)
    if (spellings === undefined) {
      // With too many spellings to compare, the records are compared as typed, and with the other names of towns.
      const names = field === 'city' && asked.isWhole ? values.flatMap(townNamesOf) : []
      further.push({ on: 'text', isNot, ...asked, values: [...values, ...names], ...ofShown })
      return
    }
    const [only, ...others] = spellings
    if (only === undefined) {
      if (!isNot) nothing()
    } else if (!isChildText(field) && !isNot && others.length === 0 && filter[field] === undefined) filter[field] = only
    else further.push({ on: 'text', column: field, isNot, isWhole: true, values: spellings, ...ofShown })
  }

  async function ofPerson({ values }: Of<'person'>): Promise<void> {
    const terms = values.flatMap(searchTerms)
    further.push({ on: 'person', terms, scope: await textScopeOf(db, actor.tenantId, terms), ...shownOnly() })
  }

  /** Leaves out do not contact records if their sources and people are hidden from this person. */
  function shownOnly(): { ofShown?: true } {
    if (!isPartHidden) return {}
    further.push({ on: 'doNotContact', isNot: false, values: [0] })
    return { ofShown: true }
  }

  async function ofFollowUp(condition: Of<'followUp'>): Promise<void> {
    const { op, values } = condition
    if (op === 'is_empty' || op === 'is_not_empty') {
      resolved.push(condition)
      narrowFollowUp(op === 'is_empty' ? null : { from: null, to: null })
      return
    }
    const terms = values.filter((value) => followUpTerms.some((term) => term === value)) as FollowUpTerm[]
    const [from = null, to = null] = values
    const range = op === 'between' ? { from, to } : followUpRange(terms, now, await timeZone())
    resolved.push({ field: 'followUp', op: 'between', values: [range.from, range.to] })
    narrowFollowUp(range)
  }

  function narrowFollowUp(range: DayRange | null): void {
    if (filter.followUp === undefined) filter.followUp = range
    else if (filter.followUp === null || range === null) {
      if (filter.followUp !== range) nothing()
    } else
      filter.followUp = { from: later(filter.followUp.from, range.from), to: earlier(filter.followUp.to, range.to) }
  }

  function ofNumber({ field, op, values }: NumberCondition): void {
    const [first = null, second = null] = values
    const range: NumberRange | null = op === 'is_empty' ? null : { from: first, to: second }
    const known = filter.numbers?.[field]
    const isContradiction = known !== undefined && (known === null) !== (range === null)
    if (isContradiction) {
      nothing()
      return
    }
    const both = known == null || range === null ? range : narrowed(known, range)
    filter.numbers = { ...filter.numbers, [field]: both }
  }

  async function ofTime({ field, op, values }: Of<'createdAt' | 'updatedAt'>): Promise<void> {
    const [first, second] = values
    const start = op === 'within_days' ? daysAgo(Number(first), now, await timeZone()) : first
    const from = typeof start === 'string' ? start : null
    const to = op === 'between' && typeof second === 'string' ? second : null
    resolved.push({ field, op: 'between', values: [from, to] })
    const [lower, upper] =
      field === 'createdAt' ? (['createdFrom', 'createdTo'] as const) : (['updatedFrom', 'updatedTo'] as const)
    const [earliest, latest] = [later(filter[lower] ?? null, from), earlier(filter[upper] ?? null, to)]
    if (earliest !== null) filter[lower] = earliest
    if (latest !== null) filter[upper] = latest
  }

  async function ofLastInteraction({ op, values }: Of<'lastInteraction'>): Promise<void> {
    if (values.length === 0) {
      resolved.push({ field: 'lastInteraction', op, values })
      further.push({ on: 'empty', column: 'lastInteraction', isNot: op === 'is_not_empty' })
      return
    }
    const isNot = op === 'not_within_days' || op === 'not_between'
    const [first = null, last = null] = values
    const from = typeof first === 'number' ? daysAgo(first, now, await timeZone()) : first
    const to = typeof last === 'string' ? last : null
    resolved.push({ field: 'lastInteraction', op: isNot ? 'not_between' : 'between', values: [from, to] })
    further.push({ on: 'lastInteraction', isNot, from, to })
  }

  function ofFlag({ field, op, values }: Of<'doNotContact' | 'hasEvidence' | 'hasPerson'>): void {
    const wanted = [true, false].filter((value) => values.includes(value) === (op === 'any_of'))
    const [only] = wanted
    if (only === undefined) nothing()
    else if (field !== 'hasPerson' && wanted.length === 1 && filter[field] === undefined) filter[field] = only
    else further.push({ on: field, isNot: false, values: wanted.map(Number) })
  }

  function ofScores({ field, op, values }: Of<'priority' | 'reachable' | 'eligibility'>): void {
    if (scores === undefined) {
      nothing()
      return
    }
    const codeOf = (value: string) => (field === 'eligibility' ? eligibilityCode(value) : bandCode(scores.bands, value))
    const left =
      field === 'eligibility' ? [...values] : existing(field, op, values, (value) => codeOf(value) !== undefined)
    if (left === undefined) return
    const codes = left.map(codeOf).filter((code) => code !== undefined)
    const { tenant, generation } = scores
    const [only] = codes
    if (op === 'any_of' && codes.length === 1 && only !== undefined && filter.score?.[field] === undefined)
      filter.score = { tenant, generation, ...filter.score, [field]: only }
    else further.push({ on: 'score', isNot: op === 'none_of', tenant, generation, column: field, codes })
  }

  function add(
    condition: Exclude<
      Condition,
      | TextCondition
      | NumberCondition
      | Of<'assignee' | 'tag' | 'person' | 'followUp' | 'createdAt' | 'updatedAt' | 'lastInteraction'>
    >,
  ): void {
    resolved.push(condition)
    switch (condition.field) {
      case 'status':
        filter.isInactive = true
        return
      case 'q':
        if (filter.terms !== undefined || filter.nameStart !== undefined)
          throw invalidField('conditions', 'search_twice', 'Search once: with q, or with a condition.')
        Object.assign(filter, searchOf(condition.values[0] ?? ''))
        if (isPartHidden) filter.byNamesOnly = true
        return
      case 'state': {
        const [only] = condition.values
        if (
          condition.op === 'any_of' &&
          condition.values.length === 1 &&
          filter.state === undefined &&
          only !== undefined
        )
          filter.state = only
        else further.push({ on: 'state', isNot: condition.op === 'none_of', values: condition.values })
        return
      }
      case 'province': {
        const { op, values } = condition
        const [only] = values
        if (only === undefined) absent('province', op, 'province')
        else if (op === 'any_of' && values.length === 1 && filter.province === undefined) filter.province = only
        else further.push({ on: 'province', isNot: op === 'none_of', values })
        return
      }
      case 'doNotContact':
      case 'hasEvidence':
      case 'hasPerson':
        ofFlag(condition)
        return
      case 'lastOutcome': {
        const { op, values } = condition
        if (values.length === 0) further.push({ on: 'empty', column: 'lastOutcome', isNot: op === 'is_not_empty' })
        else further.push({ on: 'lastOutcome', isNot: op === 'none_of', values })
        return
      }
      case 'doubts':
        further.push({ on: 'doubts', isNot: condition.op === 'none_of', values: sumsWith(condition.values) })
        return
      case 'identifiers':
        further.push({ on: 'identifiers', isNot: condition.op === 'none_of', kinds: condition.values })
        return
      case 'evidenceCount': {
        const [from = null, to = null] = condition.values
        further.push({ on: 'evidenceCount', from, to })
        return
      }
      case 'review': {
        const [only] = condition.values
        if (
          condition.op === 'any_of' &&
          condition.values.length === 1 &&
          filter.review === undefined &&
          only !== undefined
        )
          filter.review = only
        else further.push({ on: 'review', isNot: condition.op === 'none_of', values: condition.values })
        return
      }
      case 'score': {
        if (scores === undefined) {
          nothing()
          return
        }
        const { tenant, generation } = scores
        const [from = null, to = null] = condition.values
        const { from: least = null, to: most = null, ...others } = filter.score ?? { tenant, generation }
        const [low, high] = [later(least, from), earlier(most, to)]
        filter.score = { ...others, ...(low !== null && { from: low }), ...(high !== null && { to: high }) }
        return
      }
      default:
        ofScores(condition)
    }
  }

  for (const condition of conditions) {
    if (condition.field === 'assignee') await ofAssignee(condition)
    else if (condition.field === 'tag') await ofTag(condition)
    else if (condition.field === 'person') {
      resolved.push(condition)
      await ofPerson(condition)
    } else if (condition.field === 'followUp') await ofFollowUp(condition)
    else if (condition.field === 'createdAt' || condition.field === 'updatedAt') await ofTime(condition)
    else if (condition.field === 'lastInteraction') await ofLastInteraction(condition)
    else if (isNumberCondition(condition)) {
      resolved.push(condition)
      ofNumber(condition)
    } else if (isTextCondition(condition)) {
      resolved.push(condition)
      await ofText(condition)
    } else add(condition)
  }
  if (further.length > 0) filter.further = further
  return { filter, resolved, removed }
}

function narrowed(one: NumberRange, other: NumberRange): NumberRange {
  return { from: later(one.from, other.from), to: earlier(one.to, other.to) }
}

/** Return the later and the earlier of two ends of ranges, of which one or both may be open. */
function later<Value extends string | number>(one: Value | null, other: Value | null): Value | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
function earlier<Value extends string | number>(one: Value | null, other: Value | null): Value | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Returns true if any record has the tag. Inactive records count, because their tags were not removed. */
async function isCarried(db: Db, tenantId: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_tags')
    .select('business_id')
    .where('tenant_id', '=', tenantId)
    .where('tag_key', '=', key)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
