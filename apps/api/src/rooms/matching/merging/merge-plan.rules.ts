import { objectOf } from '../../../lib/map-values.ts'
import { pipelineLabel } from '../../../lib/pipeline-state.ts'
import {
  addressFacts,
  type Business,
  businessLimits,
  columnOf,
  type FactColumn,
  factColumns,
  type IdentifierRecord,
  type MergedColumns,
  ownFacts,
  renewColumns,
  renewIdentifier,
  type StoredFact,
  type StoredRecord,
  storedFacts,
  storedValueOf,
  tagKey,
  tagsOf,
} from '../../businesses/businesses.ts'

/** Fields for which a person can choose the record whose value is used. All other fields of the survivor combine both records. */
export const choosableFields = ['name', ...ownFacts, 'assignee', 'pipelineState', ...addressFacts] as const
export type ChoosableField = (typeof choosableFields)[number]
export type Choices = Partial<Record<ChoosableField, string>>

/** Columns of each field that are always written together, such as a name and its sort form, or a state and the state before a pause. */
export const columnsOf: Readonly<Record<ChoosableField, readonly [Column, ...Column[]]>> = {
  ...objectOf<Record<StoredFact, [Column]>>(storedFacts, (field) => [columnOf(field)]),
  name: ['name', 'name_key'],
  'address.province': ['province', 'province_code'],
  assignee: ['assignee_id'],
  pipelineState: ['pipeline_state', 'state_before_pause'],
}
type Column = keyof MergedColumns

/** The mergeable values of a record: its fact columns and its identifier rows. */
export type RecordState = { columns: MergedColumns; identifiers: IdentifierRecord[] }

/**
 * Recomputes the normalized forms of a record with the current rules, so that comparison and restore use the typed values instead of outdated forms.
 */
export function renewed<Record extends StoredRecord>(record: Record): Record {
  return {
    ...record,
    business: renewColumns(record.business),
    identifiers: record.identifiers.map(renewIdentifier),
  }
}

/** A stored merge is older than a fact that was added later: its records had no such value. */
const noFacts = Object.fromEntries(factColumns.map((column) => [column, null]))

export function renewedState({ columns, identifiers }: RecordState): RecordState {
  return { columns: renewColumns({ ...noFacts, ...columns }), identifiers: identifiers.map(renewIdentifier) }
}

/** The source of one field's value after a merge. `from`: id of the record whose value is used. `chosen`: true if a person chose it. */
export type FieldOutcome = { field: ChoosableField; from: string; chosen: boolean }

export type MergePlan = {
  after: RecordState
  fields: FieldOutcome[]
  /** number of identifiers and tags of the merged record that the survivor did not have and gets */
  takenOver: { identifiers: number; tags: number }
  /** number of identifiers and tags that the survivor does not get, because they exceed its limits; they stay readable on the merged record */
  leftOut: { identifiers: number; tags: number }
}

/**
 * Returns the values of the survivor after a merge. Each field gets the value that a person chose. Without a choice it gets the survivor's value, or
 * the loser's value if the survivor has none. Missing parts of an address are copied only if no part contradicts.
 */
export function planMerge(survivor: StoredRecord, loser: StoredRecord, choices: Choices): MergePlan {
  const columns = factsOf(survivor)
  const fields: FieldOutcome[] = []
  const takesAddress = addressesAgree(survivor, loser)
  for (const field of choosableFields) {
    const chosen = choices[field]
    const [first] = columnsOf[field]
    const isMissing = survivor.business[first] === null && loser.business[first] !== null
    const fills = isMissing && (takesAddress || !field.startsWith('address.'))
    const from = (chosen ?? (fills ? loser.business.id : survivor.business.id)) === loser.business.id ? loser : survivor
    for (const name of columnsOf[field]) copyColumn(columns, factsOf(from), name)
    fields.push({ field, from: from.business.id, chosen: chosen !== undefined })
  }
  const identifiers = unite(survivor.identifiers, loser.identifiers)
  const ownTags = tagsOf(survivor.business)
  const tags = uniteTags(ownTags, tagsOf(loser.business))
  columns.tags = JSON.stringify(tags.kept)
  columns.has_evidence = survivor.business.has_evidence === 1 || loser.business.has_evidence === 1 ? 1 : 0
  Object.assign(columns, primariesOf(identifiers.kept))
  return {
    after: { columns, identifiers: identifiers.kept },
    fields,
    takenOver: {
      identifiers: identifiers.kept.length - survivor.identifiers.length,
      tags: tags.kept.length - ownTags.length,
    },
    leftOut: { identifiers: identifiers.leftOut, tags: tags.leftOut },
  }
}

export function factsOf({ business }: StoredRecord): MergedColumns {
  return {
    ...objectOf<Pick<MergedColumns, FactColumn>>(factColumns, (column) => business[column] ?? null),
    name_key: business.name_key,
    province_code: business.province_code,
    tags: business.tags,
    assignee_id: business.assignee_id,
    primary_email: business.primary_email,
    primary_phone: business.primary_phone,
    primary_domain: business.primary_domain,
    pipeline_state: business.pipeline_state,
    state_before_pause: business.state_before_pause,
    has_evidence: business.has_evidence,
    normalization_version: business.normalization_version,
  }
}

export function copyColumn<Name extends Column>(to: MergedColumns, from: MergedColumns, name: Name): void {
  to[name] = from[name]
}

/**
 * True if no part of the two addresses contradicts. Only then are missing parts copied, because a mixture of two addresses would name a third place.
 */
function addressesAgree({ business: a }: StoredRecord, { business: b }: StoredRecord): boolean {
  return addressFacts.map(columnOf).every((part) => a[part] === null || b[part] === null || a[part] === b[part])
}

function unite(first: readonly IdentifierRecord[], second: readonly IdentifierRecord[]) {
  const kept: IdentifierRecord[] = []
  let leftOut = 0
  const { identifiersOfAKind } = businessLimits
  for (const kind of ['domain', 'email', 'phone'] as const) {
    const own = first.filter((row) => row.kind === kind)
    const added = second.filter((row) => row.kind === kind && !own.some((known) => isSame(known, row)))
    const all = [...own, ...added]
    kept.push(...all.slice(0, identifiersOfAKind).map((row, position) => ({ ...row, position })))
    leftOut += Math.max(0, all.length - identifiersOfAKind)
  }
  return { kept, leftOut }
}

function isSame(a: IdentifierRecord, b: IdentifierRecord): boolean {
  return a.original === b.original || (a.normalized !== null && a.normalized === b.normalized)
}

function uniteTags(first: readonly string[], second: readonly string[]) {
  const known = new Set(first.map(tagKey))
  const all = [...first, ...second.filter((tag) => !known.has(tagKey(tag)))]
  return { kept: all.slice(0, businessLimits.tags), leftOut: Math.max(0, all.length - businessLimits.tags) }
}

export function primariesOf(identifiers: readonly IdentifierRecord[]) {
  const first = (kind: IdentifierRecord['kind']) => identifiers.find((row) => row.kind === kind)?.original ?? null
  return { primary_email: first('email'), primary_phone: first('phone'), primary_domain: first('domain') }
}

/** Returns the value of a field as text for people. */
export function fieldValue(business: Business, field: ChoosableField): string | null {
  switch (field) {
    case 'assignee':
      return business.assignee?.name ?? null
    case 'pipelineState':
      return pipelineLabel(business)
    default: {
      const value = storedValueOf(business, field)
      return value === null ? null : String(value)
    }
  }
}
