import { slicesOf } from '../../../lib/slices.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Store } from '../../../store/store.ts'
import { contentOf, getVersionRow } from '../rule-sets/rule-sets.queries.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { type ActiveGeneration, advancePosition } from '../runs/runs.queries.ts'
import { selectChangesAfter, withSurvivors } from './changed-records.queries.ts'
import { type Rescorer, rescore } from './rescore.ts'

/** Records per commit. 25 records occupy the event loop for some milliseconds. */
export const RECORDS_AT_ONCE = 25

/** Maximum number of score changes that are processed before the position is stored. */
const CHANGES_AT_ONCE = 200
/** Events without records after which the position of the scores is stored all the same. */
const STORED_AFTER_EVENTS = 200

/** Compiles the version of the active generation. Errors: `content_changed`. */
export async function rescorerOf(store: Store, active: ActiveGeneration): Promise<Rescorer> {
  const version = await getVersionRow(store.reader, {
    tenantId: active.tenantId,
    ruleSetId: active.rule_set_id,
    number: active.rule_version,
  })
  const content = contentOf(version)
  return { active, content, evaluator: compile(content) }
}

/** Re-scores the records in small commits. Returns false if it was stopped before the end. */
export async function rescoreAll(
  store: Store,
  rescorer: Rescorer,
  ids: readonly string[],
  cause: Parameters<typeof rescore>[3],
  isStopped: () => boolean,
): Promise<boolean> {
  for (const part of slicesOf(ids, RECORDS_AT_ONCE)) {
    if (isStopped()) return false
    await rescore(store, rescorer, part, cause)
  }
  return true
}

/**
 * Re-scores the records that events name, and those of all score changes after the position of the generation. Stores the position if a record was
 * named. Returns false if nothing was written. `sequence`: the last of these events.
 */
export async function rescoreChanged(
  store: Store,
  active: ActiveGeneration,
  { named, sequence }: { named: readonly string[]; sequence: number },
  isStopped: () => boolean,
): Promise<boolean> {
  const { tenantId, number } = active
  let rescorer: Rescorer | undefined
  let changeNumber = active.change_number
  for (let isFirst = true; ; isFirst = false) {
    const changes = await selectChangesAfter(store.reader, { tenantId, after: changeNumber, limit: CHANGES_AT_ONCE })
    const changed = new Set([...(isFirst ? named : []), ...changes.map(({ business_id }) => business_id)])
    const ids = await withSurvivors(store.reader, tenantId, [...changed])
    if (ids.length === 0 && sequence - active.sequence < STORED_AFTER_EVENTS) return !isFirst
    if (ids.length > 0) {
      rescorer ??= await rescorerOf(store, active)
      if (!(await rescoreAll(store, rescorer, ids, 'record_changed', isStopped))) return true
    }
    changeNumber = changes.at(-1)?.number ?? changeNumber
    await writeDerived(store, tenantId, (db) => advancePosition(db, number, { sequence, changeNumber }))
    if (changes.length < CHANGES_AT_ONCE) return true
  }
}
