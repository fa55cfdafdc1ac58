import { type RawBuilder, sql } from 'kysely'
import type { UserActor } from '../../../lib/actor.ts'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import { contains, isSame } from '../../../store/engine/dialect.ts'
import { hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import type { BusinessFilter } from '../businesses.schema.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { tagKey } from '../record/write-business.ts'
import { fold, type SearchTerm, searchTerms } from '../search/search-text.rules.ts'
import type { ActiveScores } from './score-columns.ts'
import { type ScoreFilter, scoreCondition, scoreFilterOf } from './score-filter.ts'

/** The filter of a list. Absent: no condition; null: only businesses without a value. */
export type Filter = {
  tenantId: string
  /** three characters or more: parts of a name, trading name, email, phone, domain; any of these terms suffices */
  terms?: readonly SearchTerm[]
  /** one or two characters: the beginning of the name */
  nameStart?: string
  state?: PipelineState
  assigneeId?: string | null
  province?: BusinessTable['province_code']
  doNotContact?: boolean
  hasEvidence?: boolean
  tagKey?: string
  updatedFrom?: string
  updatedTo?: string
  /** by the active scores; null: nothing can match, because no scores are active or no band has this id */
  score?: ScoreFilter | null
  /** the reader may not see contact values of do-not-contact records, and finds those by name only */
  byNamesOnly?: true
}

/** `scores`: the active ones, which define the bands. */
export function filterOf(actor: UserActor, query: BusinessFilter, scores: ActiveScores | undefined): Filter {
  const { q, state, assignee, province, doNotContact, hasEvidence, tag, updatedFrom, updatedTo } = query
  return {
    tenantId: actor.tenantId,
    ...(q === undefined ? {} : searchOf(q)),
    ...(q === undefined || !hidesValuesFrom(actor, { doNotContact: true }) ? {} : { byNamesOnly: true }),
    ...(state === undefined ? {} : { state }),
    ...(assignee === undefined ? {} : { assigneeId: assigneeOf(actor, assignee) }),
    ...(province === undefined ? {} : { province: province === 'none' ? null : province }),
    ...(doNotContact === undefined ? {} : { doNotContact }),
    ...(hasEvidence === undefined ? {} : { hasEvidence }),
    ...(tag === undefined ? {} : { tagKey: tagKey(tag) }),
    ...(updatedFrom === undefined ? {} : { updatedFrom }),
    ...(updatedTo === undefined ? {} : { updatedTo }),
    ...scoreFilterOf(query, scores),
  }
}

function searchOf(q: string): Pick<Filter, 'terms' | 'nameStart'> {
  const terms = searchTerms(q)
  return terms.length > 0 ? { terms } : { nameStart: fold(q) }
}

function assigneeOf(actor: UserActor, assignee: string): string | null {
  if (assignee === 'none') return null
  return assignee === 'me' ? actor.userId : assignee
}

/** Whether a text contains all the parts of any of the terms. */
export function holdsAny(text: RawBuilder<unknown>, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  const held = terms.map((parts) =>
    sql.join(
      parts.map((part) => contains(text, part)),
      sql` AND `,
    ),
  )
  return sql`(${sql.join(held, sql` OR `)})`
}

/** The conditions on `businesses AS b`, without the text terms, for which the plan has two methods. */
export function conditionsOf(filter: Filter): RawBuilder<unknown>[] {
  const {
    tenantId,
    nameStart,
    state,
    assigneeId,
    province,
    doNotContact,
    hasEvidence,
    tagKey: tag,
    updatedFrom,
    updatedTo,
    byNamesOnly,
    score,
    terms = [],
  } = filter
  const conditions = [sql`b.tenant_id = ${tenantId}`, sql`b.status = 'active'`]
  if (nameStart !== undefined)
    conditions.push(sql`b.name_key >= ${nameStart}`, sql`b.name_key < ${`${nameStart}\u{10ffff}`}`)
  if (state !== undefined) conditions.push(sql`b.pipeline_state = ${state}`)
  if (assigneeId !== undefined) conditions.push(isSame(sql.ref('b.assignee_id'), assigneeId))
  if (province !== undefined) conditions.push(isSame(sql.ref('b.province_code'), province))
  // A literal, not a parameter: SQLite uses the partial index only for a literal condition.
  if (doNotContact !== undefined) conditions.push(doNotContact ? sql`b.do_not_contact = 1` : sql`b.do_not_contact = 0`)
  if (hasEvidence !== undefined) conditions.push(hasEvidence ? sql`b.has_evidence = 1` : sql`b.has_evidence = 0`)
  if (byNamesOnly === true && terms.length > 0) {
    conditions.push(sql`(b.do_not_contact = 0 OR ${holdsAny(sql`b.name_key`, terms)})`)
  }
  if (tag !== undefined) {
    conditions.push(
      sql`EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.tag_key = ${tag} AND t.business_id = b.id)`,
    )
  }
  if (score !== undefined) conditions.push(scoreCondition(score))
  if (updatedFrom !== undefined) conditions.push(sql`b.updated_at >= ${updatedFrom}`)
  if (updatedTo !== undefined) conditions.push(sql`b.updated_at <= ${updatedTo}`)
  return conditions
}
