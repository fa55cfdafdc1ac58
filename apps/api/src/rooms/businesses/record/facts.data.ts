import type { ComparedField } from '../../normalization/normalization.ts'

/*
 * The facts of a business. Columns, schemas, evidence fields, merges, fingerprints, exports, filters, scoring signals, CSV fields, merge fields of
 * drafts and the words of the web app derive from this table (docs/development.md, "Add a field"). The order is that of screens and files.
 */

type Fact = {
  label: string
  /** the label within a sentence, if it is not the label in lower case */
  noun?: string
  /** the rule by which the values of two records, or of a record and of evidence, are compared */
  compare: ComparedField
  /** drafts have a merge field for it */
  isMergeField?: true
}

type StoredFact = Fact & {
  column: string
  /** a list row contains it */
  isListed?: true
  /** its part of the fingerprint of a review. `if_present`: a record without the value has the fingerprint from before the field was added */
  reviewed: 'always' | 'if_present'
  /** the scoring signal of the value itself; `flag`: whether there is a value */
  signal?: 'text' | 'number' | 'flag'
}

/** `filter`: the field of filter conditions; an index `businesses_by_<column>` serves it. */
type TextFact = StoredFact & { kind: 'text'; maxLength: number; filter?: 'city' | 'industry' }

/** A whole number from 0. A list can be filtered by a range of it and sorted by it; an index `businesses_by_<column>` serves both. */
type NumberFact = StoredFact & { kind: 'number'; max: number }

/** Contact values: a record has a list of them, in rows of their own. A do-not-contact record hides them. */
type ContactFact = Fact & { kind: 'contact'; list: 'emails' | 'phones' | 'domains'; maxLength: number }

export const facts = {
  name: {
    kind: 'text',
    column: 'name',
    label: 'Name',
    maxLength: 200,
    compare: 'name',
    reviewed: 'always',
    isMergeField: true,
  },
  tradingName: {
    kind: 'text',
    column: 'trading_name',
    label: 'Trading name',
    maxLength: 200,
    compare: 'tradingName',
    reviewed: 'always',
    isListed: true,
    isMergeField: true,
  },
  registrationNumber: {
    kind: 'text',
    column: 'registration_number',
    label: 'Registration number',
    maxLength: 50,
    compare: 'registrationNumber',
    reviewed: 'always',
    signal: 'flag',
  },
  industry: {
    kind: 'text',
    column: 'industry',
    label: 'Industry',
    maxLength: 100,
    compare: 'industry',
    reviewed: 'always',
    isListed: true,
    isMergeField: true,
    filter: 'industry',
    signal: 'text',
  },
  employees: {
    kind: 'number',
    column: 'employees',
    label: 'Employees',
    noun: 'number of employees',
    max: 10_000_000,
    compare: 'wholeNumber',
    reviewed: 'if_present',
    isListed: true,
    signal: 'number',
  },
  email: { kind: 'contact', list: 'emails', label: 'Email', maxLength: 320, compare: 'email' },
  phone: { kind: 'contact', list: 'phones', label: 'Phone', maxLength: 320, compare: 'phone' },
  domain: {
    kind: 'contact',
    list: 'domains',
    label: 'Web domain',
    maxLength: 320,
    compare: 'domain',
    isMergeField: true,
  },
  'address.street': {
    kind: 'text',
    column: 'street',
    label: 'Street',
    maxLength: 200,
    compare: 'address.street',
    reviewed: 'always',
    isMergeField: true,
  },
  'address.suburb': {
    kind: 'text',
    column: 'suburb',
    label: 'Suburb',
    maxLength: 200,
    compare: 'address.suburb',
    reviewed: 'always',
    isMergeField: true,
  },
  'address.city': {
    kind: 'text',
    column: 'city',
    label: 'City',
    maxLength: 200,
    compare: 'address.city',
    reviewed: 'always',
    isMergeField: true,
    filter: 'city',
  },
  'address.province': {
    kind: 'text',
    column: 'province',
    label: 'Province',
    maxLength: 200,
    compare: 'address.province',
    reviewed: 'always',
    isMergeField: true,
  },
  'address.postalCode': {
    kind: 'text',
    column: 'postal_code',
    label: 'Postal code',
    maxLength: 200,
    compare: 'address.postalCode',
    reviewed: 'always',
  },
  'address.country': {
    kind: 'text',
    column: 'country',
    label: 'Country',
    maxLength: 200,
    compare: 'address.country',
    reviewed: 'always',
  },
} as const satisfies Record<string, TextFact | NumberFact | ContactFact>
