import { listed } from '../../../lib/listed.ts'
import { provinceCodes, provinceName } from '../../normalization/normalization.ts'
import type { Finding, ReasonField } from './findings.rules.ts'
import { configuration } from './matching-configuration.data.ts'
import { type RecordNames, sameNameText, writtenNames } from './written-names.rules.ts'

/** A finding as a sentence for people. `weight` is in bits: above 0 it supports that the records are one business, below 0 it contradicts this. */
export type Reason = { field: ReasonField; weight: number; text: string }

/**
 * Returns the reasons of a suggestion, for and against mixed, with the largest absolute weight first. Names are quoted as the two records write them,
 * or as they were compared if neither record has such a name now.
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

/**
 * Returns a text such as "shared by 4 others at 3 places" if further records share the value. For two records it returns text only for a complete
 * phone number.
 */
function sharedBy({ field, finding, records, places = 0, values = [] }: Finding): string {
  if (records === undefined) return ''
  if (records <= 2)
    return field === 'phone' && finding === 'same' && values[0]?.startsWith('+') === true
      ? ', used by no other prospect'
      : ''
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

/** Renders the values of a finding, such as ": 44 and 45". */
const told = ({ values = [] }: Finding) => (values.length === 0 ? '' : `: ${values.join(' and ')}`)

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Renders provinces, such as ": Northern Cape and KwaZulu-Natal". A value can name several provinces, separated by spaces. */
const toldProvinces = (finding: Finding) =>
  told({
    ...finding,
    values: (finding.values ?? []).map((codes) =>
      listed(provinceCodes.filter((code) => codes.split(' ').includes(code)).map(provinceName), 'or'),
    ),
  })

/** Renders countries, such as ": Namibia and South Africa". */
const toldCountries = (finding: Finding) =>
  told({ ...finding, values: (finding.values ?? []).map((code) => countryNames.of(code) ?? code) })

const texts: Readonly<Record<ReasonField, Readonly<Record<string, Words>>>> = {
  name: {
    same: ({ values: [one = '', other = one] = [] }) => sameNameText([one, other]),
    slip: (finding) => `the names differ by a typing slip: ${quoted(finding)}`,
    alike: (finding) => `similar names: ${quoted(finding)}`,
    contained: (finding) => `one name contains the other: ${quoted(finding)}`,
    qualifiers_differ: (finding) => `the names belong to different places or parts: ${quoted(finding)}`,
    numbers_differ: (finding) => `the names contain different numbers: ${quoted(finding)}`,
    differs: (finding) => `different names: ${quoted(finding)}`,
  },
  legalForm: {
    differs: ({ values = [] }) =>
      `different legal forms: ${values.map((value) => value.replaceAll('_', ' ')).join(' and ')}`,
  },
  phone: {
    same: (finding) => `same phone${said(finding)}`,
    same_digits: (finding) => `same phone digits${said(finding)}, one of them without its country`,
    same_local: (finding) => `same phone digits${said(finding)}, without an area code`,
    same_end: (finding) => `the phones end with the same digits, one of them without its area code:${said(finding)}`,
    differs_nearby: () => 'different phones in one area',
    differs: () => 'different phones',
  },
  email: { same: (finding) => `same email address${said(finding)}` },
  domain: {
    same: (finding) => `same web or email domain${said(finding)}`,
    same_label: (finding) => `domains of the same name under different endings, such as${said(finding)}`,
    differs: () => 'different web and email domains',
  },
  registrationNumber: { same: () => 'same registration number', differs: () => 'different registration numbers' },
  address: {
    same: () => 'same address',
    same_other_town: (finding) => `same number and street, but the towns differ${told(finding)}`,
    same_unsure: () =>
      'same number and street, but it is not certain that both are in one town: a province is missing or uncertain',
    same_box: () => 'same postal box',
    same_street: () => 'same street; a number is missing or the rest is written differently',
    same_complex: () => 'same complex or estate',
    number_near: (finding) => `the street numbers differ a little${told(finding)}`,
    number_differs: (finding) => `the street numbers differ${told(finding)}`,
    unit_differs: () => 'same address, but another shop or unit',
    street_partly: () => 'the streets agree partly',
    street_differs: (finding) => `the streets differ${told(finding)}`,
    town_same: () => 'same town; at least one address has no street to compare',
    town_differs: (finding) => `the towns differ${told(finding)}`,
    province_differs: (finding) => `the provinces differ${toldProvinces(finding)}`,
    country_differs: (finding) => `the countries differ${toldCountries(finding)}`,
    unknown: () => 'the addresses cannot be compared',
  },
  together: {
    brand: () => 'name, domain and email identify the same brand and are counted together',
    site: () => 'address and phone identify the same site and are counted together',
    chain: () => 'at different places, name, domain and phone may belong to a whole chain',
    moved: () => 'no other prospect has this name and phone: the business may have moved, or one address is wrong',
    outlets: () => 'each name adds something to the other: these may be two outlets',
    branch: () => 'one may be a branch: the towns differ, or other prospects have the same name',
    other_phone: () => 'the names are only similar, and the phones differ: these may be neighbours',
    name_in_name: () => 'one may be named after the other: only the address agrees',
    place: () => 'the two places may be two towns: neither phone, mailbox nor registration number decides',
    prior: () => 'two records are seldom one business',
  },
}
