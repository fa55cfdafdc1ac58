import { type RawBuilder, sql } from 'kysely'
import { inList } from '../../../store/engine/dialect.ts'
import { reviewCondition } from './review-filter.ts'
import type { ReviewFilter } from './review-standing.schema.ts'

/*
 * Conditions of a filter that no index serves: several values, exclusions, absent values. They are checked on each record that the list reads. They
 * are plain data, because cursors and cached counts are bound to them.
 */

const columns = {
  state: sql`b.pipeline_state`,
  assignee: sql`b.assignee_id`,
  province: sql`b.province_code`,
  doNotContact: sql`b.do_not_contact`,
  hasEvidence: sql`b.has_evidence`,
} as const

export type FurtherCondition =
  | { on: 'nothing' }
  | { on: keyof typeof columns; isNot: boolean; values: readonly (string | number)[] }
  | { on: 'empty'; column: 'assignee' | 'province' | 'tag'; isNot: boolean }
  | { on: 'tag'; isNot: boolean; keys: readonly string[] }
  | { on: 'review'; isNot: boolean; values: readonly ReviewFilter[] }
  | {
      on: 'score'
      isNot: boolean
      tenant: number
      generation: number
      column: 'priority' | 'reachable' | 'eligibility'
      codes: readonly number[]
    }

const NOTHING = sql`1 = 0`
const negated = (isNot: boolean, condition: RawBuilder<unknown>) =>
  isNot ? sql`NOT (${condition})` : sql`(${condition})`

/** Builds a condition on `businesses AS b`. */
export function furtherCondition(one: FurtherCondition): RawBuilder<unknown> {
  switch (one.on) {
    case 'nothing':
      return NOTHING
    case 'empty':
      return negated(
        one.isNot,
        one.column === 'tag'
          ? sql`NOT EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.business_id = b.id)`
          : sql`${columns[one.column]} IS NULL`,
      )
    case 'tag':
      return negated(
        one.isNot,
        sql`EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.business_id = b.id AND t.tag_key IN ${inList(one.keys)})`,
      )
    case 'review':
      return negated(one.isNot, sql.join(one.values.map(reviewCondition), sql` OR `))
    case 'score':
      return negated(
        one.isNot,
        sql`EXISTS (SELECT 1 FROM scores f WHERE f.tenant = ${one.tenant} AND f.generation = ${one.generation} AND f.business_id = b.id
          AND ${sql.ref(`f.${one.column}`)} IN ${inList(one.codes)})`,
      )
    default:
      // A record without a value has none of the excluded values, so it matches.
      return one.isNot
        ? sql`(${columns[one.on]} IS NULL OR ${columns[one.on]} NOT IN ${inList(one.values)})`
        : sql`${columns[one.on]} IN ${inList(one.values)}`
  }
}
