import { useRef, useState } from 'react'
import { fieldName } from '../text/field-names.ts'
import { formatNumber, listWords } from '../text/format.ts'
import { draftFields, type FieldGuards } from './draft-fields.ts'
import { type FormConflict, rebase, startOf, type Unit, unitsOf, withTyped } from './form-conflicts.ts'
import type { Versions } from './three-versions.ts'

/** The record that a form changes, and that other people may change at the same time. */
export type EditedRecord<Values> = {
  /**
   * Reads the record again, so that `initial` and the version that `send` uses are the newest. Called when the server refused an older version.
   * The form reports the refusal of the server if the record cannot be read.
   */
  reload: () => Promise<unknown>
  /** Fields that only make sense together. A conflict in one of them is a conflict in all. */
  together?: readonly Unit<Values>[]
  /** Labels of fields, where they differ from those of a prospect. */
  labels?: { [Field in keyof Values]?: string }
  /** Lines that show the value of a field; by default texts, lists of texts, numbers, Yes and No. */
  lines?: { [Field in keyof Values]?: (value: Values[Field]) => string[] }
}

/** A conflict as the form shows it. */
export type ShownConflict = {
  label: string
  start: string[]
  theirs: string[]
  mine: string[]
  choice: 'mine' | 'theirs' | null
  choose: (side: 'mine' | 'theirs') => void
}

/** Stored draft of a form: the changed fields, and in a form that edits a record the values from which they were changed. */
export type FormDraft<Values> = { fields: Partial<Values>; start: Partial<Values> }

/** Parses a stored draft. Earlier releases stored the changed fields alone. Null if nothing usable was stored. */
export function parseFormDraft<Values extends object>(
  stored: unknown,
  initial: Values,
  guards?: FieldGuards<Values>,
): FormDraft<Values> | null {
  const found = typeof stored === 'object' && stored !== null ? new Map<string, unknown>(Object.entries(stored)) : null
  const isCurrent = typeof found?.get('fields') === 'object' && typeof found.get('start') === 'object'
  const fields = draftFields(isCurrent ? found?.get('fields') : stored, initial, guards)
  if (fields === null) return null
  return { fields, start: (isCurrent ? draftFields(found?.get('start'), initial, guards) : null) ?? {} }
}

/** The conflicts of a form with the record that it edits; none if `edits` is undefined. `restored`: the draft with which the form opens. */
export function useFormConflicts<Values extends Record<string, unknown>>(
  initial: Values,
  edits: EditedRecord<Values> | undefined,
  restored: FormDraft<Values> | undefined,
) {
  /** Values of a form that gets a draft, and the conflicts with what others changed since it was stored. */
  const begin = ({ fields, start }: FormDraft<Values>) => {
    const mine = { ...initial, ...fields }
    if (edits === undefined) return { values: mine, conflicts: [] }
    return rebase(unitsOf(initial, edits.together), [], { base: { ...initial, ...start }, theirs: initial, mine })
  }
  const [began] = useState(() => begin(restored ?? { fields: {}, start: {} }))
  const open = useRef<readonly FormConflict<Values>[]>(began.conflicts)
  const [shown, show] = useState(open.current)
  const set = (conflicts: readonly FormConflict<Values>[]) => {
    if (conflicts.length === 0 && open.current.length === 0) return
    open.current = conflicts
    show(conflicts)
  }
  const take = ({ values, conflicts }: { values: Values; conflicts: FormConflict<Values>[] }): Values => {
    set(conflicts)
    return values
  }
  return {
    shown,
    /** Values with which the form opens. */
    began: began.values,
    clear: () => set([]),
    /** Moves the typed values to a newer version of the record, and returns the values of the form. */
    follow: (versions: Versions<Values>): Values =>
      take(rebase(unitsOf(versions.theirs, edits?.together), open.current, versions)),
    /** Values of a form whose draft an Undo restores. */
    resume: (draft: FormDraft<Values>): Values => take(begin(draft)),
    typed: (values: Values) => set(withTyped(open.current, values)),
    isOpen: () => open.current.some(({ choice }) => choice === null),
    choose: (chosen: FormConflict<Values>, side: 'mine' | 'theirs') =>
      set(open.current.map((one) => (one.unit === chosen.unit ? { ...one, choice: side } : one))),
    draftOf: (fields: Partial<Values>, base: Values): FormDraft<Values> => ({
      fields,
      start: edits === undefined ? {} : startOf(fields, base, open.current),
    }),
  }
}

/** Lines that show the fields of a conflict. */
export function linesOf<Values extends object>(
  unit: Unit<Values>,
  values: Partial<Values>,
  lines: EditedRecord<Values>['lines'] = {},
): string[] {
  return unit.flatMap((field) => {
    const value = values[field]
    if (value === undefined) return []
    return lines[field]?.(value) ?? plainLines(value)
  })
}

function plainLines(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(plainLines)
  if (typeof value === 'number') return [formatNumber(value)]
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No']
  if (value === null || value === '') return []
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}

export function labelOf<Values extends object>(
  unit: Unit<Values>,
  labels: EditedRecord<Values>['labels'] = {},
): string {
  return listWords(unit.map((field) => labels[field] ?? fieldName(field)))
}
