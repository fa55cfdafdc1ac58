import { objectOf } from '../../../lib/map-values.ts'
import { facts } from './facts.data.ts'

/* Types and lists that follow from the table of facts. Worker threads read this module too, so it imports no schema. */

type Facts = typeof facts

/** Fields of a business that evidence can state and that columns of a file can be mapped to. */
export type FactField = keyof Facts

/** Facts that are contact values, and facts with one value in a column of the business. */
export type ContactFact = { [F in FactField]: Facts[F]['kind'] extends 'contact' ? F : never }[FactField]
export type StoredFact = Exclude<FactField, ContactFact>
export type NumberFact = { [F in FactField]: Facts[F]['kind'] extends 'number' ? F : never }[FactField]
type TextFact = Exclude<StoredFact, NumberFact>

type PartOf<F> = F extends `address.${infer Part}` ? Part : never
export type AddressPart = PartOf<StoredFact>
/** Facts beside the name that are a property of the record itself: neither contact values nor parts of the address. */
export type OwnFact = Exclude<StoredFact, 'name' | `address.${string}`>

type ColumnOf<F> = F extends StoredFact ? Facts[F]['column'] : never
type ValueOf<F> = F extends NumberFact ? number : string
type With<Flag extends string> = { [F in FactField]: Facts[F] extends Record<Flag, unknown> ? F : never }[FactField]

export type FactColumn = ColumnOf<StoredFact>
/** The columns of the facts of a row. Only the name is always there. */
export type FactColumns = { name: string } & {
  [F in Exclude<StoredFact, 'name'> as ColumnOf<F>]: ValueOf<F> | null
}
export type OwnFacts = { [F in OwnFact]: ValueOf<F> | null }
export type Address = Record<AddressPart, string | null>

export type ListedFact = OwnFact & With<'isListed'>
export type ListedColumn = ColumnOf<ListedFact>
export type MergedFact = With<'isMergeField'>
type ValueSignal = { [F in OwnFact]: Facts[F] extends { signal: 'text' | 'number' } ? F : never }[OwnFact]
/** The values of those facts whose value is a scoring signal. */
export type SignalValues = { [F in ValueSignal]: ValueOf<F> | null }

type TextFilterOf<F> = F extends With<'filter'> ? Facts[F]['filter'] : never
/** Names of text facts in the conditions of a filter. A fact of the address has its last part as its name: `city` for `address.city`. */
export type TextFilter = TextFilterOf<TextFact>

function keysOf<F extends FactField>(isOne: (field: FactField) => boolean): F[] {
  return Object.keys(facts).filter((field) => isOne(field as FactField)) as F[]
}

const has = (field: FactField, flag: string) => flag in facts[field]
export const isContactFact = (field: FactField): field is ContactFact => facts[field].kind === 'contact'
export const isNumberFact = (field: FactField): field is NumberFact => (facts[field].kind as string) === 'number'
const isPart = (field: FactField) => field.startsWith('address.')

export const factFields = keysOf<FactField>(() => true) as [FactField, ...FactField[]]
export const storedFacts = keysOf<StoredFact>((field) => !isContactFact(field))
export const contactFacts = keysOf<ContactFact>(isContactFact)
export const ownFacts = keysOf<OwnFact>((field) => !isContactFact(field) && !isPart(field) && field !== 'name')
export const numberFacts = keysOf<NumberFact>(isNumberFact)
export const addressFacts = keysOf<`address.${AddressPart}`>(isPart)
export const addressParts = addressFacts.map(partOf)
export const listedFacts = keysOf<ListedFact>((field) => has(field, 'isListed'))
export const mergedFacts = keysOf<MergedFact>((field) => has(field, 'isMergeField'))

function signalOf(field: OwnFact): string | undefined {
  const fact: { label: string; signal?: string } = facts[field]
  return fact.signal
}
const hasValueSignal = (field: OwnFact): field is ValueSignal => ['text', 'number'].includes(signalOf(field) ?? '')
export const valueSignals = ownFacts.filter(hasValueSignal)
export const flagSignals = ownFacts.filter((field) => signalOf(field) === 'flag')

export const columnOf = <F extends StoredFact>(field: F): ColumnOf<F> => facts[field].column as ColumnOf<F>
export const factColumns: readonly FactColumn[] = storedFacts.map(columnOf)

function partOf(field: `address.${AddressPart}`): AddressPart {
  return field.slice('address.'.length) as AddressPart
}

/** Returns the label of a fact within a sentence: 'postal code'. */
export function nounOf(field: FactField): string {
  const fact: { label: string; noun?: string } = facts[field]
  return fact.noun ?? fact.label.toLowerCase()
}

/** Facts of text filters, by the field of the condition. */
export const textFilters = Object.fromEntries(
  keysOf<TextFact & With<'filter'>>((field) => has(field, 'filter')).map((field) => [facts[field].filter, field]),
) as { [Filter in TextFilter]: Extract<TextFact, Filter | `address.${Filter}`> }
export const textFilterNames = (Object.keys(textFilters) as TextFilter[]).sort()
type TextColumn = ColumnOf<(typeof textFilters)[TextFilter]>
/** The columns that lists filter and sort by, each with an index of this name over the active records that have a value. */
export type NumberColumn = ColumnOf<NumberFact>
export type FilterColumn = TextColumn | NumberColumn
export const indexOf = <Column extends FilterColumn>(column: Column) => `businesses_by_${column}` as const

/** Returns the facts of a row as a record answers them. */
export const ownFactsOf = (row: FactColumns): OwnFacts => objectOf<OwnFacts>(ownFacts, (field) => row[columnOf(field)])
export const addressOf = (row: FactColumns): Address =>
  objectOf<Address>(addressParts, (part) => row[columnOf(`address.${part}`)])

/** A record as far as its facts are concerned. */
export type WithFacts = OwnFacts & { name: string; address: Address }

/** Returns the columns of the facts of a record. A fact that is not given is empty. */
export function factColumnsOf(
  record: { name: string; address?: { [Part in AddressPart]?: string | null | undefined } | undefined } & {
    [F in OwnFact]?: OwnFacts[F] | undefined
  },
): FactColumns {
  const { name, address = {} } = record
  const own = ownFacts.map((field) => [columnOf(field), record[field] ?? null])
  const parts = addressParts.map((part) => [columnOf(`address.${part}`), address[part] ?? null])
  return { ...Object.fromEntries([...own, ...parts]), name } as FactColumns
}

/** Returns the value of a stored fact of a record; null if it has none. */
export function storedValueOf(record: WithFacts, field: StoredFact): string | number | null {
  const part = addressParts.find((one) => field === `address.${one}`)
  return part === undefined ? record[field as 'name' | OwnFact] : record.address[part]
}
