/**
 * Merges an edit into a record that was changed during the edit. There are three versions: `base` (at the start of the edit), `theirs` (stored now)
 * and `mine` (typed). A field that only one side changed is merged automatically and shown. For a field that both changed differently, the person
 * chooses. No value is dropped without being shown.
 */
import { type Outcome, outcomeOf } from '../../../ui/forms/three-versions.ts'
import { countryName } from '../../../ui/text/countries.ts'
import { addressParts, plainFacts } from '../../../ui/text/facts.ts'
import {
  type AddressValues,
  emptyRow,
  type IdentifierList,
  type IdentifierRow,
  identifierLists,
  type ProspectFormValues,
} from './prospect-form.ts'

type PlainField = (typeof plainFacts)[number]
type AddressPart = keyof AddressValues
export type StaleField = PlainField | IdentifierList | `address.${AddressPart}` | 'tags' | 'assigneeId'
export type Choice = 'mine' | 'theirs' | 'both'

export type FieldComparison = {
  field: StaleField
  outcome: Outcome
  base: string[]
  theirs: string[]
  mine: string[]
  /** true for a list of identifiers, which can contain the entries of both sides */
  canKeepBoth: boolean
}

export const staleFields: readonly StaleField[] = [
  ...plainFacts,
  ...identifierLists,
  ...addressParts.map((part): StaleField => `address.${part}`),
  'tags',
  'assigneeId',
]

function addressPartOf(field: StaleField): AddressPart | undefined {
  return addressParts.find((part) => field === `address.${part}`)
}

const plainFieldOf = (field: StaleField) => plainFacts.find((name) => name === field)
const listOf = (field: StaleField) => identifierLists.find((name) => name === field)

function describeRow(row: IdentifierRow): string {
  const notes = [row.label, countryName(row.region)].filter((text) => text.trim() !== '')
  return notes.length === 0 ? row.value : `${row.value} (${notes.join(', ')})`
}

/** Returns a field as lines of text, for comparison and display. An empty list means that the field is blank. */
export function readField(values: ProspectFormValues, field: StaleField): string[] {
  if (field === 'tags') return [...values.tags].sort()
  if (field === 'assigneeId') return values.assigneeId === null ? [] : [values.assigneeId]
  const list = listOf(field)
  if (list !== undefined) return values[list].filter((row) => row.value.trim() !== '').map(describeRow)
  const part = addressPartOf(field)
  const plain = plainFieldOf(field)
  const text = part !== undefined ? values.address[part] : plain !== undefined ? values[plain] : ''
  return text.trim() === '' ? [] : [text]
}

const same = (a: string[], b: string[]) => a.length === b.length && a.every((line, index) => line === b[index])

/** Compares the three versions. Returns the fields that at least one side changed. */
export function compareVersions(
  base: ProspectFormValues,
  theirs: ProspectFormValues,
  mine: ProspectFormValues,
): FieldComparison[] {
  return staleFields.flatMap((field): FieldComparison[] => {
    const lines = { base: readField(base, field), theirs: readField(theirs, field), mine: readField(mine, field) }
    const outcome = outcomeOf(lines, same)
    if (outcome === null) return []
    const comparison = { field, ...lines, canKeepBoth: listOf(field) !== undefined }
    // Tags are a set, so the additions and removals of both sides can always be combined.
    return [{ ...comparison, outcome: field === 'tags' && outcome === 'conflict' ? 'agreed' : outcome }]
  })
}

export const conflictsOf = (comparisons: FieldComparison[]) =>
  comparisons.filter((comparison) => comparison.outcome === 'conflict')

export function isResolved(comparisons: FieldComparison[], choices: Partial<Record<StaleField, Choice>>): boolean {
  return conflictsOf(comparisons).every((comparison) => choices[comparison.field] !== undefined)
}

function mergeTags(base: string[], theirs: string[], mine: string[]): string[] {
  const removed = base.filter((tag) => !mine.includes(tag))
  const kept = theirs.filter((tag) => !removed.includes(tag))
  return [...kept, ...mine.filter((tag) => !base.includes(tag) && !kept.includes(tag))]
}

function keepBoth(base: IdentifierRow[], theirs: IdentifierRow[], mine: IdentifierRow[]): IdentifierRow[] {
  const held = theirs
    .filter((row) => row.value.trim() !== '')
    .map((row) => {
      const [was, own] = [base, mine].map((rows) => rows.find(({ value }) => value === row.value))
      if (own === undefined) return row
      // If both sides have the same value, use my label and country unless they changed theirs.
      const { label, region } = was ?? emptyRow()
      return {
        ...row,
        label: row.label === label ? own.label : row.label,
        region: row.region === region ? own.region : row.region,
      }
    })
  const added = mine.filter((row) => row.value.trim() !== '' && !held.some((other) => other.value === row.value))
  const rows = [...held, ...added]
  return rows.length === 0 ? [emptyRow()] : rows
}

function sideOf(outcome: FieldComparison['outcome'], choice: Choice | undefined): Choice {
  if (outcome === 'mine') return 'mine'
  // Without a choice the stored version is kept, so that nobody's work is overwritten by an unanswered question.
  return outcome === 'conflict' ? (choice ?? 'theirs') : 'theirs'
}

/** Returns the values to save over the stored version, with the person's choices for the conflicts. */
export function mergeVersions(
  base: ProspectFormValues,
  theirs: ProspectFormValues,
  mine: ProspectFormValues,
  choices: Partial<Record<StaleField, Choice>>,
): ProspectFormValues {
  const merged: ProspectFormValues = { ...theirs, address: { ...theirs.address } }
  for (const { field, outcome } of compareVersions(base, theirs, mine)) {
    const side = sideOf(outcome, choices[field])
    const list = listOf(field)
    const part = addressPartOf(field)
    const plain = plainFieldOf(field)
    if (field === 'tags') merged.tags = mergeTags(base.tags, theirs.tags, mine.tags)
    else if (side === 'theirs') continue
    else if (field === 'assigneeId') merged.assigneeId = mine.assigneeId
    else if (list !== undefined)
      merged[list] = side === 'both' ? keepBoth(base[list], theirs[list], mine[list]) : mine[list]
    else if (part !== undefined) merged.address[part] = mine.address[part]
    else if (plain !== undefined) merged[plain] = mine[plain]
  }
  return merged
}
