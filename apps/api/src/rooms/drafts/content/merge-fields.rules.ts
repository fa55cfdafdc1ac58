import { type FactField, type MergedFact, mergedFacts } from '../../businesses/businesses.ts'
import { withoutMarkers } from './citations.rules.ts'

/*
 * Merge fields (specification, Phase 14 §2). The list is closed and no template language is used: a field is replaced once, and a substituted
 * value is never read again. Pure functions.
 */

type LastPart<F> = F extends `address.${infer Part}` ? Part : F
type BusinessField = `business.${LastPart<MergedFact> & string}`
type SenderField = 'sender.name' | 'sender.workspace' | 'sender.optOut'
type PersonField = 'person.firstName' | 'person.name'
export type MergeField = BusinessField | PersonField | SenderField

/** Every merge field, with the fact of the record that it shows; null: it shows no fact. `docs/drafts.md` shows the list. */
export const mergeFields: Readonly<Record<MergeField, FactField | null>> = {
  ...(Object.fromEntries(mergedFacts.map((fact) => [`business.${fact.replace('address.', '')}`, fact])) as Record<
    BusinessField,
    MergedFact
  >),
  'person.firstName': null,
  'person.name': null,
  'sender.name': null,
  'sender.workspace': null,
  'sender.optOut': null,
}

export const mergeFieldNames = Object.keys(mergeFields) as [MergeField, ...MergeField[]]

export type UsedField = { field: MergeField; fallback: string | null; from: number; to: number }
/** Text between braces that is no merge field. */
export type UnknownField = { name: string; at: number }

const braces = /\{\{([^{}]*)\}\}/g
/** Braces that open or close no field, also those that a removed marker of a citation would join. */
const looseBraces = /\{(?:\[\^\d+\])*\{|\}(?:\[\^\d+\])*\}/

/** Returns the merge fields of a text in their order, and text in braces that is no field, with its position. */
export function readMergeFields(text: string): { used: UsedField[]; unknown: UnknownField[] } {
  const used: UsedField[] = []
  const unknown: UnknownField[] = []
  let rest = 0
  const refuseLoose = (until: number) => {
    const loose = looseBraces.exec(text.slice(rest, until))
    if (loose !== null) unknown.push({ name: loose[0], at: rest + loose.index })
  }
  for (const match of text.matchAll(braces)) {
    const [whole, inner = ''] = match
    refuseLoose(match.index)
    rest = match.index + whole.length
    const bar = inner.indexOf('|')
    const name = (bar === -1 ? inner : inner.slice(0, bar)).trim()
    const fallback = bar === -1 ? '' : inner.slice(bar + 1).trim()
    if (!isMergeField(name)) unknown.push({ name, at: match.index })
    else used.push({ field: name, fallback: fallback === '' ? null : fallback, from: match.index, to: rest })
  }
  refuseLoose(text.length)
  return { used, unknown }
}

function isMergeField(name: string): name is MergeField {
  return Object.hasOwn(mergeFields, name)
}

/** The values behind merge fields; null: the record, or the policy, has none. */
export type FieldValues = Readonly<Record<MergeField, string | null>>

/**
 * The text for people: each field replaced once, without the markers of citations, and the fields that are empty and have no fallback.
 * Values are inserted as they are: braces and markers in them stay.
 */
export function renderText(text: string, values: FieldValues): { text: string; empty: MergeField[] } {
  const empty = new Set<MergeField>()
  let rendered = ''
  let rest = 0
  for (const { field, fallback, from, to } of readMergeFields(text).used) {
    const value = values[field]
    if (value === null && fallback === null) empty.add(field)
    rendered += withoutMarkers(text.slice(rest, from)) + (value ?? withoutMarkers(fallback ?? ''))
    rest = to
  }
  return { text: rendered + withoutMarkers(text.slice(rest)), empty: [...empty] }
}
