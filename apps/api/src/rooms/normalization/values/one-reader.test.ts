import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Phones, email addresses, hosts, names and places are read by this room only, so that all callers treat spellings alike. This test refuses code that
 * reads them elsewhere. An exception names its reason.
 */

const src = join(import.meta.dirname, '../../..')
const files = globSync('**/*.ts', { cwd: src }).filter(
  (file) =>
    !file.startsWith('rooms/normalization/') &&
    !/\.(?:test|model\.test|acceptance|fixture|data)\.ts$|(?:^|\/)test\//.test(file),
)

const exceptions: Readonly<Record<string, string>> = {
  'lib/phone-countries.ts': 'Loads the library of phone numbers for this room and for the list of countries.',
  'rooms/assist/prompts/redact.rules.ts': 'Masks what is no value but may be one, such as `jan@localhost`.',
  'rooms/assist/prompts/secrets.rules.ts': 'Recognises the password in a connection string.',
  'rooms/businesses/search/search-text.rules.ts': 'Turns a query for digits into the form of the index.',
  'rooms/contact-gate/keys/contact-keys.rules.ts':
    'Derives keys from normalized addresses by the rules of their providers.',
  'rooms/contacts/candidates/save-findings.ts': 'Derives the identity of a value that has no normalized form.',
  'rooms/contacts/reading/excluded-example.rules.ts': 'Tells examples of addresses from other excluded texts.',
  'rooms/contacts/reading/links.rules.ts': 'Reads the syntax of the links of a page, such as `mailto:`.',
  'rooms/contacts/reading/obfuscated.rules.ts':
    'Decodes texts that may contain an address, which this room then reads.',
  'rooms/contacts/reading/read-contacts.ts':
    'Counts addresses in scripts, styles and attributes, which no reader sees.',
  'rooms/csv-preview/csv/suggest-mapping.rules.ts': 'Guesses the kind of a column of a CSV file.',
  'rooms/domains/dns/dig-lines.rules.ts': 'Reads the syntax of dig.',
  'rooms/domains/dns/dig.rules.ts': 'Reads the syntax of dig.',
  'rooms/identity/passwords/passwords.ts': 'Compares a password with the name of the account.',
  'rooms/matching/rules/compare-records.rules.ts': 'Compares the digits of normalized numbers.',
  'rooms/sample-data/compose-relatives.ts': 'Writes sample names.',
  'rooms/scanning/pages/mask-values.rules.ts': 'Masks every long number in a title, also one that is no phone number.',
}

/** Returns the kinds of reading that a source text contains, each with the code. */
function readingsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const patterns =
    code.match(/(?<=[(,=:?&|[!]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\n\\[])+\/[dgimsuvy]*/g) ?? []
  return [
    ...(code.match(/(?:from|import\(|require\()\s*'(?:tldts|libphonenumber-js)[^']*'/g) ?? []),
    ...(code.match(/\bdomainToASCII\b/g) ?? []),
    ...(code.match(/\.(?:split|indexOf|lastIndexOf|includes)\('[@＠]'\)/g) ?? []),
    ...patterns.filter((pattern) => isReading(pattern)),
  ]
}

function isReading(escaped: string): boolean {
  // A bracket that is a character of the text is none of the pattern.
  const pattern = escaped.replace(/\\[[\]]/g, '')
  return (
    // an address
    /[@＠]/.test(pattern) ||
    // a phone number: a run of at least six digits with signs between them
    (/\[[^\]]*\\s[^\]]*[().][^\]]*\]\*?(?:\)|\\d|\\p\{Nd\})/.test(pattern) && /\\d|\\p\{Nd\}|0-9/.test(pattern)) ||
    /(?:\\d|\\p\{Nd\}|\[0-9\])\{(?:[79]|1\d)\}/.test(pattern) ||
    // a host: labels with dots between them and a top level of letters
    /\\\.\)\+|\\\.\[?(?:\\p\{L\}|a-z)\]?\{2,/.test(pattern) ||
    // a name or a place
    /\b(?:pty|ltd|street|straat|road|avenue|suburb|gauteng|kwazulu)\b/i.test(pattern)
  )
}

test('no other file reads phones, addresses, hosts, names or places', () => {
  const found = files.flatMap((file) => {
    const readings = readingsIn(readFileSync(join(src, file), 'utf8'))
    return readings.length === 0 || file in exceptions ? [] : [`${file}: ${readings.join('  ')}`]
  })
  expect(found).toEqual([])
})

test('each exception is needed', () => {
  const unneeded = Object.keys(exceptions).filter(
    (file) => !files.includes(file) || readingsIn(readFileSync(join(src, file), 'utf8')).length === 0,
  )
  expect(unneeded).toEqual([])
})

test.for([
  ["import { getDomain } from 'tldts'"],
  ["const [name] = email.split('@')"],
  ["const host = value.slice(value.lastIndexOf('@') + 1)"],
  ['const address = /[^\\s@]+@[^\\s@]+/g'],
  ['const phone = /(?:\\+|\\()?\\d(?:[\\s().-]*\\d){6,}/g'],
  ['const national = /^0\\d{9}$/'],
  ['const host = /(?:[a-z\\d-]+\\.)+[a-z]{2,}/i'],
  ['const legalForm = /\\(?pty\\)? ltd$/i'],
])('the test notices %s', ([source = '']) => {
  expect(readingsIn(source)).not.toEqual([])
})

test('the test ignores comments, imports and other patterns', () => {
  expect(readingsIn("import { x } from '@prospect/api'\n// a@b\n/* /@/ */ const id = /^[a-z\\d]{26}$/")).toEqual([])
})
