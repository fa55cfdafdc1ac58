import type { Finding, ReasonField } from './findings.rules.ts'
import { configuration } from './matching-configuration.data.ts'
import { type RecordNames, sameNameText, writtenNames } from './written-names.rules.ts'

/** A finding in words that a person reads. `weight` in bits: above 0 speaks for one business, below 0 against. */
export type Reason = { field: ReasonField; weight: number; text: string }

/**
 * The reasons of a suggestion, the weightiest first; evidence against stands among that for. Names are quoted as the two records have them,
 * or as they were compared where neither has such a name by now.
 */
export function reasonsOf(findings: readonly Finding[], pair: readonly [RecordNames, RecordNames]): Reason[] {
  return findings
    .map((finding) => asWritten(finding, pair))
    .map((finding) => ({ field: finding.field, weight: finding.weight / 1_000, text: textOf(finding) }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.text < b.text ? -1 : 1))
}

function asWritten(finding: Finding, pair: readonly [RecordNames, RecordNames]): Finding {
  const { field, values } = finding
  return field === 'name' && values !== undefined
    ? { ...finding, values: writtenNames(values, pair) ?? values }
    : finding
}

function textOf(finding: Finding): string {
  const known = texts[finding.field][finding.finding]
  return known === undefined
    ? `${finding.field}: ${finding.finding.replaceAll('_', ' ')}`
    : `${known(finding)}${sharedBy(finding)}`
}

/** "shared by 4 others at 3 places", where others than the two carry it. */
function sharedBy({ field, records, places = 0 }: Finding): string {
  if (records === undefined || records <= 2) return ''
  const others = records - 2
  const many =
    records >= configuration.countedSharing
      ? `${others} or more others`
      : `${others} ${others === 1 ? 'other' : 'others'}`
  const at =
    places > 1 && field !== 'address' ? ` at ${places >= configuration.countedSharing ? 'many' : places} places` : ''
  return `, shared by ${many}${at}`
}

type Words = (finding: Finding) => string

const quoted = ({ values = [] }: Finding) => values.map((value) => `“${value}”`).join(' and ')
const said = ({ values = [] }: Finding) => (values.length === 0 ? '' : ` ${values.join(', ')}`)

const texts: Readonly<Record<ReasonField, Readonly<Record<string, Words>>>> = {
  name: {
    same: ({ values: [one = '', other = one] = [] }) => sameNameText([one, other]),
    slip: (finding) => `the names differ by a slip: ${quoted(finding)}`,
    alike: (finding) => `similar names: ${quoted(finding)}`,
    numbers_differ: (finding) => `the names say different numbers: ${quoted(finding)}`,
    differs: (finding) => `different names: ${quoted(finding)}`,
  },
  legalForm: {
    differs: ({ values = [] }) =>
      `different legal forms: ${values.map((value) => value.replaceAll('_', ' ')).join(' and ')}`,
  },
  phone: {
    same: (finding) => `same phone${said(finding)}`,
    same_digits: (finding) => `same phone digits${said(finding)}, one of them without its country`,
    differs: () => 'different phones',
  },
  email: { same: (finding) => `same e-mail address${said(finding)}` },
  domain: {
    same: (finding) => `same web or mail domain${said(finding)}`,
    same_label: (finding) => `domains of the same name under different endings, such as${said(finding)}`,
    differs: () => 'different web and mail domains',
  },
  registrationNumber: { same: () => 'same registration number', differs: () => 'different registration numbers' },
  address: {
    same: () => 'same address',
    same_other_town: () => 'same number and street, but the towns differ',
    same_box: () => 'same postal box',
    same_street: () => 'same street; a number is missing or the rest is written otherwise',
    same_complex: () => 'same complex or estate',
    number_near: () => 'same street; the numbers differ by one digit',
    number_differs: () => 'same street, but the numbers differ',
    unit_differs: () => 'same address, but another shop or unit',
    street_partly: () => 'the streets agree in part',
    street_differs: () => 'the streets differ',
    town_same: () => 'same town; there are no two streets to compare',
    town_differs: () => 'the towns differ',
    unknown: () => 'the addresses cannot be compared',
  },
  together: {
    brand: () => 'name, domain and e-mail say the same thing and are counted together',
    site: () => 'address and phone say the same thing and are counted together',
    chain: () => 'at different places, name, domain and phone may be those of a whole chain',
    prior: () => 'two records are seldom one business',
  },
}
