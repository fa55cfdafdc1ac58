/** The fields of a record that are edited in place, each with its way into the values of the form and back. */
import type { Business } from '@prospect/api-client'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { addressParts, plainFacts } from '../../../ui/text/facts.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import {
  type AddressValues,
  emptyRow,
  type IdentifierList,
  type IdentifierRow,
  identifierLists,
  type ProspectFormValues,
} from '../record/prospect-form.ts'

export type TextField = {
  label: string
  maxLength: number
  read: (values: ProspectFormValues) => string
  write: (values: ProspectFormValues, text: string) => ProspectFormValues
}

/** A value of a list: `emails.0`. A list has one place more than it has values: the new one. */
export type ContactFieldName = `${IdentifierList}.${number}`

/** The name of a text field: `industry`, `address.city`, `emails.0`. */
export type TextFieldName = (typeof plainFacts)[number] | `address.${keyof AddressValues}` | ContactFieldName

export type EditedField = TextFieldName | 'tags' | 'assigneeId'

const kinds: Record<IdentifierList, string> = { emails: 'email', phones: 'phone', domains: 'domain' }

/** `country`: the country of a new phone number. */
export function textField(name: TextFieldName, country = ''): TextField {
  const plain = plainFacts.find((one) => one === name)
  if (plain !== undefined)
    return {
      label: fieldName(plain),
      maxLength: 200,
      read: (values) => values[plain],
      write: (values, text) => ({ ...values, [plain]: text }),
    }
  const part = addressParts.find((one) => name === `address.${one}`)
  if (part !== undefined)
    return {
      label: fieldName(`address.${part}`),
      maxLength: 200,
      read: (values) => values.address[part],
      write: (values, text) => ({ ...values, address: { ...values.address, [part]: text } }),
    }
  if (!isContactField(name)) throw new Error(`No such field: ${name}`)
  const { label, read, write } = contactField(name, country)
  return {
    label,
    maxLength: inputLimits.suppressedValue,
    read: (values) => read(values).value,
    write: (values, value) => write(values, { ...read(values), value }),
  }
}

export const isContactField = (name: EditedField): name is ContactFieldName =>
  identifierLists.some((list) => name.startsWith(`${list}.`))

export type ContactField = {
  list: IdentifierList
  label: string
  read: (values: ProspectFormValues) => IdentifierRow
  /** A row without a value is removed, with its label. */
  write: (values: ProspectFormValues, row: IdentifierRow) => ProspectFormValues
}

export function contactField(name: ContactFieldName, country = ''): ContactField {
  const [head, index] = name.split('.')
  const list = identifierLists.find((one) => one === head) ?? 'emails'
  const place = Number(index)
  return {
    list,
    label: place === 0 ? fieldName(kinds[list]) : `${fieldName(kinds[list])} ${place + 1}`,
    read: (values) => {
      const row = values[list][place] ?? emptyRow()
      return list === 'phones' && row.value === '' ? { ...row, region: country } : row
    },
    write: (values, row) => {
      const rows = values[list].map((one, at) => (at === place ? row : one))
      const all = place < values[list].length ? rows : [...rows, row]
      const written = all.filter(({ value }) => value.trim() !== '')
      return { ...values, [list]: written.length === 0 ? [emptyRow()] : written }
    },
  }
}

/** Returns true if the field can be edited in place: the record is active, and the value of the field is not hidden from this user. */
export function isEditable(
  { status, valuesHidden }: Pick<Business, 'status' | 'valuesHidden'>,
  field: EditedField,
): boolean {
  return status === 'active' && !(valuesHidden && isContactField(field))
}
