/** Draft decisions about a pair, as pure functions. A stored draft is validated when it is read. */
import type { MergeField, MergePreview } from '@prospect/api-client'
import { addressParts, plainFacts } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'

export type Chosen = Partial<Record<MergeField, string>>
export type MergeDraft = { survivorId: string | null; fields: Chosen; reason: string }

export const emptyDraft: MergeDraft = { survivorId: null, fields: {}, reason: '' }

const choosable: ReadonlySet<string> = new Set<MergeField>([
  ...plainFacts,
  'assignee',
  'pipelineState',
  ...addressParts.map((part) => `address.${part}` as const),
])

export const isMergeField = (name: string): name is MergeField => choosable.has(name)

/** Parses a draft stored in the browser. Null if it has the wrong form; parts that do not fit this pair are dropped. */
export function parseDraft(value: unknown, ids: readonly string[]): MergeDraft | null {
  if (typeof value !== 'object' || value === null) return null
  const survivorId = 'survivorId' in value && ids.find((id) => id === value.survivorId)
  const storedFields =
    'fields' in value && typeof value.fields === 'object' && value.fields !== null ? value.fields : {}
  const fields: Chosen = {}
  for (const [name, id] of Object.entries(storedFields)) {
    if (isMergeField(name) && typeof id === 'string' && ids.includes(id)) fields[name] = id
  }
  return {
    survivorId: typeof survivorId === 'string' ? survivorId : null,
    fields,
    reason: 'reason' in value && typeof value.reason === 'string' ? value.reason : '',
  }
}

export const isBlankDraft = ({ survivorId, fields, reason }: MergeDraft): boolean =>
  survivorId === null && Object.keys(fields).length === 0 && reason.trim() === ''

type Row = MergePreview['fields'][number]
type Ids = readonly [string, string]

/**
 * Id of the record whose value the server will use: the chosen one; otherwise the survivor's; if only the other record has a value, that one. Address
 * parts are taken from the other record only if no part contradicts. Null if not decided.
 */
export function valueSourceOf(rows: readonly Row[], row: Row, ids: Ids, draft: MergeDraft): string | null {
  const chosen = draft.fields[row.field]
  if (chosen !== undefined) return chosen
  if (row.mustChoose || draft.survivorId === null) return null
  const own = ids.indexOf(draft.survivorId)
  const other = ids[1 - own] ?? null
  const isMissing = (row.values[own] ?? null) === null && (row.values[1 - own] ?? null) !== null
  const isFilled = isMissing && (!isAddress(row) || rows.filter(isAddress).every((part) => !contradicts(part)))
  return isFilled ? other : draft.survivorId
}

const isAddress = ({ field }: Row) => field.startsWith('address.')
const contradicts = ({ values: [a = null, b = null] }: Row) => a !== null && b !== null && a !== b

/** Rows in which the survivor will have the value of the other record. */
export function takenFromOther(rows: readonly Row[], ids: Ids, draft: MergeDraft): Row[] {
  return rows.filter((row) => {
    const from = valueSourceOf(rows, row, ids, draft)
    return row.differs && from !== null && from !== draft.survivorId
  })
}

export type Missing = Partial<Record<'survivor' | 'reason' | MergeField, string>>

/** Messages for everything that a merge still requires, by input. */
export function missingIn(rows: readonly Row[], draft: MergeDraft): Missing {
  const missing: Missing = {}
  if (draft.survivorId === null) missing.survivor = 'Choose the record to keep.'
  for (const { field, mustChoose } of rows) {
    if (mustChoose && draft.fields[field] === undefined) missing[field] = `Choose a ${fieldName(field).toLowerCase()}.`
  }
  if (draft.reason.trim() === '')
    missing.reason = 'Enter why both records are the same business. The reason is stored with both records.'
  return missing
}

/** Choices to send: only those between values that differ now, including the required ones. */
export function choicesToSend(rows: readonly Row[], draft: MergeDraft): Chosen {
  const fields: Chosen = {}
  for (const { field, differs } of rows) {
    const chosen = draft.fields[field]
    if (differs && chosen !== undefined) fields[field] = chosen
  }
  return fields
}
