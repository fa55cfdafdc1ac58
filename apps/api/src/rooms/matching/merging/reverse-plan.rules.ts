import { isDeepStrictEqual } from 'node:util'
import { type FactColumns, type IdentifierRecord, type StoredRecord, tagsOf } from '../../businesses/businesses.ts'
import {
  type ChoosableField,
  choosableFields,
  columnsOf,
  copyColumn,
  factsOf,
  primariesOf,
  type RecordState,
} from './merge-plan.rules.ts'

/** What a reversal does to the survivor. `kept`: what somebody changed since, which therefore stays as it is. */
export type ReversePlan = {
  to: RecordState
  restored: string[]
  kept: string[]
  /** kept although the merge had changed it too: the value from before the merge does not come back */
  conflicts: ChoosableField[]
}

/**
 * The survivor without what the merge gave it: whatever still is as the merge left it becomes what it was before, whatever was changed
 * since stays. Compared column by column, identifier by identifier and tag by tag.
 */
export function planReversal(before: StoredRecord, after: RecordState, current: StoredRecord): ReversePlan {
  const now = factsOf(current)
  const old = factsOf(before)
  const columns: FactColumns = { ...now }
  const plan = { restored: [] as string[], kept: [] as string[], conflicts: [] as ChoosableField[] }
  for (const field of choosableFields) {
    const names: readonly (keyof FactColumns)[] = columnsOf[field]
    const isUntouched = names.every((name) => now[name] === after.columns[name])
    const wasMerged = names.some((name) => old[name] !== after.columns[name])
    if (isUntouched) {
      for (const name of names) copyColumn(columns, old, name)
      if (wasMerged) plan.restored.push(field)
    } else {
      plan.kept.push(field)
      if (wasMerged) plan.conflicts.push(field)
    }
  }
  const tags = withoutMerged(tagsOf(old), tagsOf(after.columns), tagsOf(now), (tag) => tag)
  columns.tags = JSON.stringify(tags)
  if (!isDeepStrictEqual(tagsOf(now), tagsOf(after.columns))) plan.kept.push('tags')
  else if (old.tags !== after.columns.tags) plan.restored.push('tags')
  const identifiers = restoreIdentifiers(before.identifiers, after.identifiers, current.identifiers)
  if (!isDeepStrictEqual(current.identifiers, after.identifiers)) plan.kept.push('identifiers')
  else if (!isDeepStrictEqual(before.identifiers, after.identifiers)) plan.restored.push('identifiers')
  Object.assign(columns, primariesOf(identifiers))
  if (now.normalization_version === after.columns.normalization_version)
    columns.normalization_version = old.normalization_version
  return { to: { columns, identifiers }, ...plan }
}

function restoreIdentifiers(
  before: readonly IdentifierRecord[],
  after: readonly IdentifierRecord[],
  current: readonly IdentifierRecord[],
): IdentifierRecord[] {
  return (['domain', 'email', 'phone'] as const).flatMap((kind) => {
    const of = (rows: readonly IdentifierRecord[]) => rows.filter((row) => row.kind === kind)
    return withoutMerged(of(before), of(after), of(current), ({ position: _position, ...row }) =>
      JSON.stringify(row),
    ).map((row, position) => ({ ...row, position }))
  })
}

/** The list of before where nobody touched it; otherwise the present one without what only the merge brought. */
function withoutMerged<Item>(
  before: readonly Item[],
  after: readonly Item[],
  current: readonly Item[],
  name: (item: Item) => string,
): Item[] {
  const names = (items: readonly Item[]) => items.map(name)
  if (isDeepStrictEqual(names(current), names(after))) return [...before]
  const own = new Set(names(before))
  const merged = new Set(names(after).filter((one) => !own.has(one)))
  return current.filter((item) => !merged.has(name(item)))
}
