/** The fields of a record that are edited in place, each with its way into the values of the form and back. */
import type { Business } from '@prospect/api-client'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import {
  type AddressValues,
  addressParts,
  emptyRow,
  type IdentifierList,
  identifierLists,
  type ProspectFormValues,
  plainFields,
} from '../record/prospect-form.ts'

export type TextField = {
  label: string
  maxLength: number
  read: (values: ProspectFormValues) => string
  write: (values: ProspectFormValues, text: string) => ProspectFormValues
}

/** The name of a text field: `industry`, `address.city`, `emails.0`. A list has one row more than it has values: the new one. */
export type TextFieldName =
  | (typeof plainFields)[number]
  | `address.${keyof AddressValues}`
  | `${IdentifierList}.${number}`

export type EditedField = TextFieldName | 'tags' | 'assigneeId'

const kinds: Record<IdentifierList, string> = { emails: 'email', phones: 'phone', domains: 'domain' }

export function textField(name: TextFieldName): TextField {
  const plain = plainFields.find((one) => one === name)
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
  const [head, index] = name.split('.')
  const list = identifierLists.find((one) => one === head) ?? 'emails'
  const place = Number(index)
  return {
    label: place === 0 ? fieldName(kinds[list]) : `${fieldName(kinds[list])} ${place + 1}`,
    maxLength: inputLimits.suppressedValue,
    read: (values) => values[list][place]?.value ?? '',
    write: (values, text) => ({ ...values, [list]: writeRow(values[list], place, text) }),
  }
}

/** Writes a text into a row. An emptied row loses its label too, so that it is removed when the form is saved. */
function writeRow(rows: ProspectFormValues[IdentifierList], place: number, text: string) {
  const written = rows.map((row, index) => (index === place ? { ...row, value: text } : row))
  const all = place < rows.length ? written : [...written, { ...emptyRow(), value: text }]
  return text.trim() === '' ? all.map((row, index) => (index === place ? emptyRow() : row)) : all
}

/** Returns true if the field can be edited in place: the record is active, and the value of the field is not hidden from this user. */
export function isEditable(
  { status, valuesHidden }: Pick<Business, 'status' | 'valuesHidden'>,
  field: EditedField,
): boolean {
  const isContact = identifierLists.some((list) => field.startsWith(list))
  return status === 'active' && !(valuesHidden && isContact)
}
