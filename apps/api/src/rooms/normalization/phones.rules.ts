import { createRequire } from 'node:module'
import type * as PhoneNumbers from 'libphonenumber-js/max'
import type { Reading, Uncertainty } from './identifier-reading.ts'
import { withAsciiDigits, withoutUnseen } from './text-folding.rules.ts'

/*
 * The metadata of all countries costs 12 MB and 30 ms, so it comes with the first number that is read, not with the process. The
 * smaller metadata of the same package calls numbers valid that no network has.
 */
const require = createRequire(import.meta.url)
let library: typeof PhoneNumbers | undefined

function phoneNumbers(): typeof PhoneNumbers {
  library ??= require('libphonenumber-js/max') as typeof PhoneNumbers
  return library
}

/** Nothing that anybody dials is longer; an extension stands beside it. */
const MAX_TYPED_LENGTH = 60
/** Where a local form that nobody placed might be from: South Africa and its neighbours. */
const candidateRegions = ['ZA', 'NA', 'BW', 'ZW', 'MZ', 'LS', 'SZ'] as const

const international = /^\s*(?:\+|00)/
const written = /^[\s+0-9().\-/]+?(?:\s*(?:x|ext\.?|extension|uitbr?\.?)\s*[:.]?\s*(\d{1,7}))?\s*$/i

/**
 * E.164, or why not. An international form is taken at its word, when such a number can exist. A local form becomes +27 only when
 * the person said that the number is South African (`region` is `ZA`); otherwise it is ambiguous, and the answer names the numbers
 * that it might be (specification, Phase 6 §2). An extension is told apart: the number is the number.
 */
export function readPhone(value: string, region: string | null, withCandidates = true): Reading {
  const plain = plainSouthAfrican(value, region)
  if (plain !== undefined) return plain
  if (value.length > MAX_TYPED_LENGTH) return unreadable('not_a_phone_number')
  const typed = asTyped(value)
  const match = written.exec(typed)
  if (match === null || (typed.match(/\d/g)?.length ?? 0) < 3) return unreadable('not_a_phone_number')
  const extension = match[1] ?? null
  const dialled = (extension === null ? typed : typed.slice(0, typed.search(/[xeu]/i)))
    .replace(/\(0\)/g, '')
    .replace(/^\s*00/, '+')
  if (international.test(typed)) return parsed(dialled, undefined, extension)
  if (region === 'ZA') return parsed(dialled, 'ZA', extension)
  return { ...unreadable('no_country_context'), candidates: withCandidates ? candidatesOf(dialled) : [], extension }
}

/** In the signs of a keyboard, without what telephones, pages and lists put around a number that is copied out of them. */
function asTyped(value: string): string {
  return withAsciiDigits(withoutUnseen(value))
    .replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
    .replace(/[\u00b7\u2022]/g, '.')
    .replace(/^\s*(?:tel|phone|cell|mobile|fax|callto|sms)\s*[.:]\s*/i, '')
    .replace(/^\s*\(\s*((?:[+\uff0b]|00)\d{1,3})\s*\)/, '$1 ')
    .replace(/^\s*\uff0b/, '+')
    .replace(/[\s;,]+$/, '')
}

/** Three groups, together or with one space or hyphen between them, behind +27 or the trunk zero; the networks that have all their numbers. */
const southAfrican =
  /^(\+27|0)[ -]?(1[0-8]|2[1-378]|3[1-69]|4\d|5[1346-8]|6\d|7[0-46-9]|8[1-5])[ -]?(\d{3})[ -]?(\d{4})$/

/**
 * What the library says of the numbers of which nearly every file consists: 0.2 µs a number where the library takes 5 (measured on a
 * crowded machine). It answers only where there is one answer; all else is the library's. `phones.rules.test.ts` holds it to the library over every network.
 */
function plainSouthAfrican(value: string, region: string | null): Reading | undefined {
  const match = southAfrican.exec(value)
  if (match === null || (match[1] === '0' && region !== 'ZA')) return undefined
  return {
    normalized: `+27${match[2]}${match[3]}${match[4]}`,
    uncertainty: null,
    candidates: [],
    extension: null,
  }
}

function parsed(dialled: string, region: 'ZA' | undefined, extension: string | null): Reading {
  const number = phoneNumbers().parsePhoneNumberFromString(dialled, {
    ...(region === undefined ? {} : { defaultCountry: region }),
    extract: false,
  })
  if (number === undefined) return unreadable('not_a_phone_number')
  if (!number.isValid()) return { ...unreadable('invalid_phone_number'), extension }
  return { normalized: number.number, uncertainty: null, candidates: [], extension }
}

function candidatesOf(dialled: string): string[] {
  const numbers = candidateRegions.flatMap((region) => {
    const number = phoneNumbers().parsePhoneNumberFromString(dialled, { defaultCountry: region, extract: false })
    return number?.isValid() === true ? [number.number] : []
  })
  return [...new Set<string>(numbers)]
}

function unreadable(uncertainty: Uncertainty): Reading {
  return { normalized: null, uncertainty, candidates: [], extension: null }
}
