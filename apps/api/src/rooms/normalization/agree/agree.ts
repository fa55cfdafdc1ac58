import { hasControlCharacter, withoutUnseen } from '../text-folding.rules.ts'
import { type Agreement, type ComparedField, type FieldRule, same, stronger, unknown } from './agreement.ts'
import { domainRule, emailRule, phoneRule } from './contacts.rules.ts'
import { industryRule } from './industries.rules.ts'
import { nameRule } from './names.rules.ts'
import { countryRule, postalCodeRule, provinceRule, townRule } from './places.rules.ts'
import { registrationNumberRule } from './registration-numbers.rules.ts'
import { streetRule } from './streets.rules.ts'
import { textRule } from './texts.rules.ts'
import { wholeNumberRule } from './whole-numbers.rules.ts'

/** Maximum number of characters that are compared, before and after Unicode normalization, which can make a text 18 times longer. */
const MAX_COMPARED = 1_000
const MAX_TEXT_COMPARED = 20_000

const rules = {
  name: ruleOf(nameRule),
  tradingName: ruleOf(nameRule),
  registrationNumber: ruleOf(registrationNumberRule),
  industry: ruleOf(industryRule),
  email: ruleOf(emailRule),
  phone: ruleOf(phoneRule),
  domain: ruleOf(domainRule),
  'address.street': ruleOf(streetRule),
  'address.suburb': ruleOf(townRule),
  'address.city': ruleOf(townRule),
  'address.province': ruleOf(provinceRule),
  'address.postalCode': ruleOf(postalCodeRule),
  'address.country': ruleOf(countryRule, new Set(['na'])),
  wholeNumber: ruleOf(wholeNumberRule),
  text: ruleOf(textRule),
} satisfies Record<ComparedField, unknown>

/** A value that was read once for comparisons with any number of others. */
export type ComparedValue = (other: string) => Agreement

/**
 * Returns how two values of one field relate: `same`, `compatible` if one of them contains less, `different`, or `unknown` if the texts cannot tell
 * (specification, Phase 14 §2). The forms are those that matching reads. `region`: the country of the record's phone number, for numbers in local form.
 * Symmetric and deterministic; never throws. The time is linear in the length of the texts, of which `MAX_COMPARED` characters are read.
 */
export function agree(field: ComparedField, one: string, other: string, region: string | null = null): Agreement {
  return agreeWith(field, one, region)(other)
}

/** Like `agree`, for one value that is compared with many: it is read once. */
export function agreeWith(field: ComparedField, value: string, region: string | null = null): ComparedValue {
  return rules[field](value, region, field === 'text' ? MAX_TEXT_COMPARED : MAX_COMPARED)
}

function ruleOf<Read>(rule: FieldRule<Read>, known: ReadonlySet<string> = new Set()) {
  return (value: string, region: string | null, longest: number): ComparedValue => {
    const one = prepare(rule, { value, region, longest })
    return (otherValue) => {
      const other = prepare(rule, { value: otherValue, region, longest })
      if (one === null || other === null) return value === otherValue ? same : unknown('too_long')
      if (isPlaceholder(one.text, known) || isPlaceholder(other.text, known)) return unknown('no_value')
      if (one.text === other.text) return same
      const isExpanded = one.expanded() !== one.text || other.expanded() !== other.text
      const plain = compareReads(rule, one.read(), other.read())
      if (plain.answer === 'same' || !isExpanded) return plain
      const [read, otherRead] = [one.readExpanded(), other.readExpanded()]
      const mixed = stronger(compareReads(rule, read, other.read()), compareReads(rule, one.read(), otherRead))
      return stronger(stronger(plain, mixed), compareReads(rule, read, otherRead))
    }
  }
}

function compareReads<Read>(rule: FieldRule<Read>, one: Read | null, other: Read | null): Agreement {
  return one === null || other === null ? unknown('unreadable') : rule.compare(one, other)
}

type Prepare = { value: string; region: string | null; longest: number }

/** Returns a text that is ready to be read, or null for one that is too long. Each form is read at its first use. */
function prepare<Read>(rule: FieldRule<Read>, { value, region, longest }: Prepare) {
  if (value.length > longest) return null
  const text = spaced(withoutUnseen(value.normalize('NFKC')))
  if (text.length > longest) return null
  const expanded = once(() => withUmlautsExpanded(text))
  const read = once(() => rule.read(text, region))
  return {
    text,
    expanded,
    read,
    readExpanded: once(() => (expanded() === text ? read() : rule.read(expanded(), region))),
  }
}

/** Replaces control characters and runs of white space by one space. */
function spaced(text: string): string {
  const printable = hasControlCharacter(text) ? text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ') : text
  return printable.replace(/\s+/g, ' ').trim()
}

/** Writes letters with an umlaut as two letters, because people write `Müller` both as `Mueller` and as `Muller`. */
function withUmlautsExpanded(text: string): string {
  return /[äöüøåÄÖÜØÅ]/.test(text)
    ? text.replace(/[äöüøåÄÖÜØÅ]/g, (letter) => umlauts[letter.toLowerCase()] ?? letter)
    : text
}

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Texts that people enter where they know no value. */
const placeholders: ReadonlySet<string> = new Set(
  'n/a|na|n.a.|nvt|n.v.t.|-|--|?|.|none|geen|unknown|onbekend|not known|tbc|tba|null|undefined|nil|pending|not available|not applicable|nie beskikbaar nie|'.split(
    '|',
  ),
)

/** True for a text that stands for a missing value. `known`: such texts that are values of the field, such as the code of Namibia. */
function isPlaceholder(text: string, known: ReadonlySet<string>): boolean {
  const folded = text.toLowerCase()
  return placeholders.has(folded) && !known.has(folded)
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
