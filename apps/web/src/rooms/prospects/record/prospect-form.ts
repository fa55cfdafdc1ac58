/**
 * Values of the business form and their conversion from and to the API. All functions are pure. Values are sent exactly as typed (the server keeps
 * originals); only blank rows and fields are left out.
 */
import type { UseFormReturnType } from '@mantine/form'
import type { Business, BusinessInput, Identifier } from '@prospect/api-client'
import { addressParts, isNumberFact, numberFacts, type PlainFact, plainFacts, rangeOf } from '../../../ui/text/facts.ts'
import { numberOf, numberProblem } from '../../../ui/text/typed-number.ts'

export type IdentifierRow = { key: string; value: string; label: string; region: string }
export type AddressValues = Record<(typeof addressParts)[number], string>

export type ProspectFormValues = Record<PlainFact, string> & {
  emails: IdentifierRow[]
  phones: IdentifierRow[]
  domains: IdentifierRow[]
  address: AddressValues
  tags: string[]
  assigneeId: string | null
}

export type ProspectForm = UseFormReturnType<ProspectFormValues>

export const identifierLists = ['emails', 'phones', 'domains'] as const
export type IdentifierList = (typeof identifierLists)[number]

/** Returns a value per plain fact, and per part of the address. */
const plainValues = <Value>(value: (field: PlainFact) => Value) =>
  Object.fromEntries(plainFacts.map((field) => [field, value(field)])) as Record<PlainFact, Value>
const addressValues = <Value>(value: (part: keyof AddressValues) => Value) =>
  Object.fromEntries(addressParts.map((part) => [part, value(part)])) as Record<keyof AddressValues, Value>

let rowCount = 0

/** Returns a blank row. Each row has a key that is unique in the page, so that removing one row keeps the text and caret of the others. */
export function emptyRow(): IdentifierRow {
  rowCount += 1
  return { key: `row-${rowCount}`, value: '', label: '', region: '' }
}

export function emptyValues(): ProspectFormValues {
  return {
    ...plainValues(() => ''),
    emails: [emptyRow()],
    phones: [emptyRow()],
    domains: [emptyRow()],
    address: addressValues(() => ''),
    tags: [],
    assigneeId: null,
  }
}

function rowsFrom(identifiers: Identifier[]): IdentifierRow[] {
  if (identifiers.length === 0) return [emptyRow()]
  return identifiers.map((identifier) => ({
    ...emptyRow(),
    value: identifier.value,
    label: identifier.label ?? '',
    region: identifier.region ?? '',
  }))
}

export function valuesFrom(business: Business): ProspectFormValues {
  const { address } = business
  return {
    ...plainValues((field) => String(business[field] ?? '')),
    // If the registered name is unknown, `business.name` is the trading name, so the input remains blank.
    ...(business.isNameKnown ? {} : { name: '' }),
    emails: rowsFrom(business.emails),
    phones: rowsFrom(business.phones),
    domains: rowsFrom(business.domains),
    address: addressValues((part) => address[part] ?? ''),
    tags: [...business.tags],
    assigneeId: business.assignee?.id ?? null,
  }
}

const isBlank = (text: string) => text.trim() === ''
const orNull = (text: string) => (isBlank(text) ? null : text)

/** Returns a number as a number. The server refuses a text that is none. */
const wireValue = (field: PlainFact, text: string) =>
  isNumberFact(field) ? (numberOf(text, rangeOf(field)) ?? text) : text

type WireRow = { value: string; label?: string; region?: string }

function wireRows(rows: IdentifierRow[], list: IdentifierList): WireRow[] {
  return rows
    .filter((row) => !isBlank(row.value))
    .map((row) => ({
      value: row.value,
      ...(isBlank(row.label) ? {} : { label: row.label }),
      ...(list === 'phones' && !isBlank(row.region) ? { region: row.region } : {}),
    }))
}

/** Returns the request body of a new record. Blank fields are left out. */
export function createBody(values: ProspectFormValues): BusinessInput {
  const address = Object.fromEntries(Object.entries(values.address).filter(([, part]) => !isBlank(part)))
  return {
    ...Object.fromEntries(
      plainFacts.flatMap((field) => (isBlank(values[field]) ? [] : [[field, wireValue(field, values[field])]])),
    ),
    emails: wireRows(values.emails, 'emails'),
    phones: wireRows(values.phones, 'phones'),
    domains: wireRows(values.domains, 'domains'),
    ...(Object.keys(address).length === 0 ? {} : { address }),
    tags: values.tags,
    ...(values.assigneeId === null ? {} : { assigneeId: values.assigneeId }),
  }
}

/**
 * Returns the request body of an edit: only the fields that differ from the version at the start, so that other fields are not overwritten. Lists
 * and the address are sent completely, and a cleared field is sent as null.
 */
export function patchBody(from: ProspectFormValues, to: ProspectFormValues): Partial<BusinessInput> {
  const before = fullBody(from)
  const after = fullBody(to)
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !sameJson(value, before[key as keyof typeof before])),
  )
}

function fullBody(values: ProspectFormValues) {
  return {
    ...plainValues((field) => (isBlank(values[field]) ? null : wireValue(field, values[field]))),
    emails: wireRows(values.emails, 'emails'),
    phones: wireRows(values.phones, 'phones'),
    domains: wireRows(values.domains, 'domains'),
    address: addressValues((part) => orNull(values.address[part])),
    tags: values.tags,
    assigneeId: values.assigneeId,
  }
}

const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export function isUnchanged(from: ProspectFormValues, to: ProspectFormValues): boolean {
  return sameJson(fullBody(from), fullBody(to))
}

/**
 * Converts a path of the API into a path of the form. Blank rows are not sent, so the index of a row may differ: 'emails.0.value' becomes
 * 'emails.1.value' if the first row of the form is blank.
 */
export function formPath(path: string, values: ProspectFormValues): string {
  const [head, index, ...rest] = path.split('.')
  const list = identifierLists.find((name) => name === head)
  if (list === undefined || index === undefined || !/^\d+$/.test(index)) return path
  const places = values[list].flatMap((row, place) => (isBlank(row.value) ? [] : [place]))
  const place = places[Number(index)]
  return place === undefined ? path : [list, place, ...(rest.length > 0 ? rest : ['value'])].join('.')
}

/** Message for a label without a value, which would otherwise be dropped unnoticed. */
export const missingLabelValue = ({ value, label }: IdentifierRow): string | null =>
  isBlank(value) && !isBlank(label) ? 'Enter a value for this label, or clear the label.' : null

/** Returns messages for missing and unreadable values, by path of the input. */
export function missingIn(values: ProspectFormValues): Record<string, string> {
  const unlabelled = identifierLists.flatMap((list) =>
    values[list].flatMap((row, place) => {
      const missing = missingLabelValue(row)
      return missing === null ? [] : [[`${list}.${place}.value`, missing]]
    }),
  )
  const isUnnamed = isBlank(values.name) && isBlank(values.tradingName)
  const unnamed = isUnnamed ? [['name', 'Enter a registered name or a trading name.']] : []
  const unread = numberFacts.flatMap((field) => {
    const problem = numberProblem(values[field], rangeOf(field))
    return problem === null ? [] : [[field, problem]]
  })
  return Object.fromEntries([...unnamed, ...unread, ...unlabelled])
}

/** Returns the input for a path of the API; undefined if there is none. */
export function inputOf(path: string, values: ProspectFormValues): string | undefined {
  const input = formPath(path, values)
  return hasInput(input, values) ? input : undefined
}

/** Returns true for a path with an input. All tags share one input. An error at any other path is shown above the form. */
export function hasInput(path: string, values: ProspectFormValues): boolean {
  if (['tags', 'assigneeId', ...plainFacts].includes(path)) return true
  const [head, second, third] = path.split('.')
  if (head === 'address') return addressParts.some((part) => part === second)
  const list = identifierLists.find((name) => name === head)
  return list !== undefined && third !== undefined && values[list][Number(second)] !== undefined
}
