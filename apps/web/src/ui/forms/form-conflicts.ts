/** Conflicts of a form whose record was changed by someone else while a person typed. */
import { isSame } from './changed-fields.ts'
import { outcomeOf, type Versions } from './three-versions.ts'

type Field<Values> = keyof Values & string

/** Fields that only make sense together, such as a text and its citations. A single field is a unit of its own. */
export type Unit<Values> = readonly Field<Values>[]

export type FormConflict<Values> = {
  unit: Unit<Values>
  /** Values when the person began to type. */
  start: Partial<Values>
  /** Values that someone else saved. */
  theirs: Partial<Values>
  /** Values that the person typed. */
  mine: Partial<Values>
  /** The form is not sent before a choice. */
  choice: 'mine' | 'theirs' | null
}

/** All fields of a form by unit. */
export function unitsOf<Values extends object>(values: Values, together: readonly Unit<Values>[] = []): Unit<Values>[] {
  const units = [...together]
  for (const field in values) if (!together.some((unit) => unit.includes(field))) units.push([field])
  return units
}

/**
 * Moves a form to a newer version of its record. A field that only one side changed has the value of that side. A field that both changed keeps the
 * typed value and becomes a conflict. `open`: the conflicts so far; a choice is valid until the record changes again.
 */
export function rebase<Values extends object>(
  units: readonly Unit<Values>[],
  open: readonly FormConflict<Values>[],
  { base, theirs, mine }: Versions<Values>,
): { values: Values; conflicts: FormConflict<Values>[] } {
  const values = { ...theirs }
  const conflicts: FormConflict<Values>[] = []
  for (const unit of units) {
    const known = open.find((conflict) => isSame(conflict.unit, unit))
    const typed = pick(mine, unit)
    // The person took the other value, so the field is unchanged and follows.
    if (known !== undefined && isSame(typed, known.theirs)) continue
    const versions = { base: known?.start ?? pick(base, unit), theirs: pick(theirs, unit), mine: typed }
    const outcome = outcomeOf(versions, isSame)
    if (outcome !== 'mine' && outcome !== 'conflict') continue
    Object.assign(values, typed)
    if (outcome === 'mine') continue
    const isChosen = known?.choice === 'mine' && isSame(known.theirs, versions.theirs)
    conflicts.push({
      unit,
      start: versions.base,
      theirs: versions.theirs,
      mine: typed,
      choice: isChosen ? 'mine' : null,
    })
  }
  return { values, conflicts }
}

/** Conflicts after the person typed. Typing the other value chooses it, and typing over a chosen value makes it one's own. */
export function withTyped<Values extends object>(
  conflicts: readonly FormConflict<Values>[],
  values: Values,
): FormConflict<Values>[] {
  return conflicts.map((conflict) => {
    const typed = pick(values, conflict.unit)
    if (isSame(typed, conflict.theirs)) return { ...conflict, choice: 'theirs' }
    return { ...conflict, mine: typed, choice: conflict.choice === 'theirs' ? 'mine' : conflict.choice }
  })
}

/** The values from which the fields of a draft were changed, so that a form that restores the draft later recognises a conflict. */
export function startOf<Values extends object>(
  changed: Partial<Values>,
  base: Values,
  conflicts: readonly FormConflict<Values>[],
): Partial<Values> {
  const start: Partial<Values> = {}
  for (const field in changed) {
    const open = conflicts.find(({ unit, choice }) => choice === null && unit.includes(field))
    start[field] = (open?.start ?? base)[field]
  }
  return start
}

function pick<Values extends object>(values: Values, unit: Unit<Values>): Partial<Values> {
  const part: Partial<Values> = {}
  for (const field of unit) part[field] = values[field]
  return part
}
