/**
 * Facts of a prospect, from the table of the API (`facts.data.ts` of its businesses room). Fields, columns, filters and words derive from it, in display
 * order.
 */
import { facts } from '@prospect/api-client'
import { formatNumber } from './format.ts'

export { facts }

type Facts = typeof facts
export type FactField = keyof Facts
type ContactFact = { [F in FactField]: Facts[F]['kind'] extends 'contact' ? F : never }[FactField]
export type NumberFact = { [F in FactField]: Facts[F]['kind'] extends 'number' ? F : never }[FactField]
type PartOf<F> = F extends `address.${infer Part}` ? Part : never
/** Facts with one value on the record itself: the name and those below. */
export type PlainFact = Exclude<FactField, ContactFact | `address.${string}`>
type OwnFact = Exclude<PlainFact, 'name'>
type With<Flag extends string> = { [F in FactField]: Facts[F] extends Record<Flag, unknown> ? F : never }[FactField]
export type ListedFact = OwnFact & With<'isListed'>
type FilterOf<F> = F extends With<'filter'> ? Facts[F]['filter'] : never
export type TextFilter = FilterOf<FactField>

export const factFields = Object.keys(facts) as FactField[]
const has = (field: FactField, flag: string) => flag in facts[field]
const isContact = (field: FactField): field is ContactFact => facts[field].kind === 'contact'

export const isNumberFact = (field: FactField): field is NumberFact => (facts[field].kind as string) === 'number'

export const contactFacts = factFields.filter(isContact)
export const plainFacts = factFields.filter((one): one is PlainFact => !isContact(one) && !one.startsWith('address.'))
export const ownFacts = plainFacts.filter((field): field is OwnFact => field !== 'name')
export const numberFacts = factFields.filter(isNumberFact)
export const addressParts = factFields
  .filter((field) => field.startsWith('address.'))
  .map((field) => field.replace('address.', '') as PartOf<FactField>)
export const listedFacts = ownFacts.filter((field): field is ListedFact => has(field, 'isListed'))
export const mergedFacts = factFields.filter((field) => has(field, 'isMergeField'))

/** Returns the range of a number fact, as its input accepts it. */
export const rangeOf = (field: NumberFact) => ({ min: 0, max: facts[field].max })

type Worded = { label: string; noun?: string }
/** Facts that are filters of the list, by the field of the condition. */
export const textFilterFacts = Object.fromEntries(
  Object.values(facts).flatMap((fact): [string, Worded][] => ('filter' in fact ? [[fact.filter, fact]] : [])),
) as Record<TextFilter, Worded>
export const textFilters = (Object.keys(textFilterFacts) as TextFilter[]).sort()

/** Returns the value of a fact as screens show it. */
export const factText = (value: string | number | null) => (typeof value === 'number' ? formatNumber(value) : value)

/** Returns the label of a fact within a sentence. */
export const nounOf = ({ label, noun = label.toLowerCase() }: Worded): string => noun
