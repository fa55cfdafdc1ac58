import { isDeepStrictEqual } from 'node:util'
import { type IdentifierRecord, type MergedColumns, type StoredRecord, tagsOf } from '../../businesses/businesses.ts'
import {
  type ChoosableField,
  choosableFields,
  columnsOf,
  copyColumn,
  factsOf,
  primariesOf,
  type RecordState,
} from './merge-plan.rules.ts'

/** The effect of a reversal on the survivor. `to`: its values afterwards. `kept`: fields that were edited after the merge and are not changed. */
export type ReversePlan = {
  to: RecordState
  restored: string[]
  kept: string[]
  /** fields that the merge changed and a person edited afterwards, so that the value from before the merge is not restored */
  conflicts: ChoosableField[]
}

/**
 * Plans the values of the survivor after a reversal. A value unchanged since the merge is restored to its value before the merge. A value edited
 * since is not changed. Compares column by column, identifier by identifier and tag by tag.
 */
export function planReversal(before: StoredRecord, after: RecordState, current: StoredRecord): ReversePlan {
  const now = factsOf(current)
  const old = factsOf(before)
  const columns: MergedColumns = { ...now }
  const plan = { restored: [] as string[], kept: [] as string[], conflicts: [] as ChoosableField[] }
  for (const field of choosableFields) {
    const names: readonly (keyof MergedColumns)[] = columnsOf[field]
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

/**
 * Returns the list from before the merge if nobody edited it since. Otherwise returns the current list without the items that only the merge added.
 */
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
