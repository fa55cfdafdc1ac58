/** Content of the overview: every field of a record with its value, uncertainties and evidence. Unknown fields have a row too. */
import type { Business, EvidenceField, Fact, Identifier } from '@prospect/api-client'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { countryName } from '../../../ui/text/countries.ts'
import { addressParts, factText, ownFacts } from '../../../ui/text/facts.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinceName } from '../../../ui/text/provinces.ts'
import type { ContactFieldName, TextFieldName } from '../cells/edited-fields.ts'

export type OverviewRow = {
  key: string
  /** Name of the field for editing in place. */
  name: TextFieldName
  field: EvidenceField
  label: string
  /** Stored value; null if unknown. */
  value: string | null
  /** Displayed value if it differs from the stored value. */
  shown: string | null
  /** Label of the identifier, such as 'owner' or 'accounts'. */
  note: string | null
  doubt: string | null
  /** Normalized form if it differs from what was typed. */
  readAs: string | null
  fact: Fact | undefined
  /** On the last value of a list, or its row without a value: the field of a further value; null if the list has no room for one. */
  adds: ContactFieldName | null
}

export type OverviewGroup = { title: string; rows: OverviewRow[] }

const kinds = [
  { list: 'emails', field: 'email', what: 'a valid email address' },
  { list: 'phones', field: 'phone', what: 'a valid phone number' },
  { list: 'domains', field: 'domain', what: 'a valid web domain' },
] as const

const unreadable = (what: string) => `Your entry was saved, but it is not ${what}.`

const doubts: Record<string, (what: string, country: string | null) => string> = {
  no_country_context: () => 'No country set, so we cannot match this number yet',
  not_a_phone_number: unreadable,
  not_an_email_address: unreadable,
  not_a_domain: unreadable,
  invalid_phone_number: (_, country) =>
    `Not a valid phone number${country === null ? '' : ` in ${countryName(country)}`}. Start foreign numbers with +.`,
  public_suffix: () => 'Your entry was saved. It is only an ending that many domains share, such as co.za.',
  unknown_suffix: () => 'Your entry was saved, but no domain has this ending. Check the part after the last dot.',
  malformed: () => 'Your entry was saved, but it is not a valid domain, such as karoo.co.za.',
  single_label: () => 'Your entry was saved, but a domain has a dot, such as karoo.co.za.',
  localhost: () => 'Your entry was saved, but this name means the local computer.',
  ip_literal: () => 'Your entry was saved, but it is an IP address, not a domain.',
}

/** Text of an uncertainty. An unknown one is shown by its code. */
export function doubtWords(uncertainty: string, what: string, country: string | null = null): string {
  return doubts[uncertainty]?.(what, country) ?? `May not be ${what}: ${uncertainty.replaceAll('_', ' ')}`
}

/** Text of the doubts about a part of an address. */
function placeDoubtWords({ placeDoubts }: Business, part: EvidenceField): string | null {
  const words = placeDoubts.filter(({ field }) => field === part).map(({ text }) => `${nameText(text)}.`)
  return words.length === 0 ? null : words.join(' ')
}

export function overviewGroups(business: Business, facts: Fact[]): OverviewGroup[] {
  const factFor = (field: EvidenceField, value: string | null) =>
    facts.find((fact) => fact.field === field && fact.value === value)

  const plain = (
    field: EvidenceField,
    name: TextFieldName,
    value: string | null,
    label = fieldName(field),
  ): OverviewRow => ({
    key: field,
    name,
    field,
    label,
    value,
    shown: null,
    note: null,
    doubt: null,
    readAs: null,
    fact: factFor(field, value),
    adds: null,
  })

  const identified = (
    { list, field, what }: (typeof kinds)[number],
    identifier: Identifier,
    index: number,
  ): OverviewRow => ({
    key: `${field}-${index}`,
    name: `${list}.${index}`,
    field,
    label: fieldName(field),
    value: identifier.value,
    // Phones in one format, the international one.
    shown: list === 'phones' ? identifier.normalized : null,
    note: identifier.label,
    doubt: identifier.uncertainty === null ? null : doubtWords(identifier.uncertainty, what, identifier.region),
    readAs: list === 'phones' || identifier.normalized === identifier.value ? null : identifier.normalized,
    fact: factFor(field, identifier.value),
    adds: index + 1 === business[list].length && index + 1 < inputLimits.contactCount ? `${list}.${index + 1}` : null,
  })

  return [
    {
      title: 'Identity',
      rows: [
        plain('name', 'name', business.isNameKnown ? business.name : null),
        ...ownFacts.map((field) => {
          const value = business[field]
          const [text, shown] = [value === null ? null : String(value), factText(value)]
          return { ...plain(field, field, text), shown: shown === text ? null : shown }
        }),
      ],
    },
    {
      title: 'Contact details',
      rows: kinds.flatMap((kind) => {
        const { list, field } = kind
        return business[list].length === 0
          ? [{ ...plain(field, `${list}.0`, null), key: `${field}-0`, adds: `${list}.0` as const }]
          : business[list].map((identifier, index) => identified(kind, identifier, index))
      }),
    },
    {
      title: 'Address',
      rows: addressParts.map((part) => {
        const field = `address.${part}` as const
        const row = { ...plain(field, field, business.address[part]), doubt: placeDoubtWords(business, field) }
        const { provinceCode } = business
        const isNamed = part === 'province' && provinceCode !== null && provinceCode !== 'other'
        return isNamed ? { ...row, shown: provinceName(provinceCode) } : row
      }),
    },
  ]
}
