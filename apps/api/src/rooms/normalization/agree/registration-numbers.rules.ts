import { foldText } from '../text-folding.rules.ts'
import { compatible, different, type FieldRule, same } from './agreement.ts'

/** A registration number. `letters` are those before or after the digits, without words such as "Reg. no.". */
type RegistrationNumber = { digits: string; letters: string; parts: CompanyNumber | null }
/** A number of the South African register: year, number, and the code of the form of company. */
type CompanyNumber = { year: string; number: string; form: string | null }

const labels =
  /\b(?:company|business|entity|enterprise|maatskappy|besigheid)\b|\b(?:registration|registrasie|reg(?:istered|n|d)?|registrasienommer|registrasienr|regno|regnr|cipc|cipro|number|nommer|num|no|nr)\b/g
/** year, number and form, with any separators or none; registers of close corporations put CK or K before the year */
const companyNumber = /^(?:ck|k|b)?(\d{4})[ /.\\-]*(\d{6})(?:[ /.\\-]*(\d{2}))?$/
/** as `companyNumber`, for numbers that lost zeros of their middle part; here the separators are required */
const separated = /^(?:ck|k|b)? ?(\d{4}|\d{2})(?: ?[ /.\\-] ?)(\d{3,6})(?:(?: ?[ /.\\-] ?)(\d{2}))?$/

/** Registration numbers: digits and letters, whatever the separators. */
export const registrationNumberRule: FieldRule<RegistrationNumber> = {
  read: (value) => {
    const text = foldText(value)
      .replace(labels, ' ')
      .replace(/[^a-z0-9/.\\-]+/g, ' ')
      .replace(/^[ /.\\-]+|[ /.\\-]+$/g, '')
    const digits = text.replace(/\D/g, '')
    if (digits === '') return null
    return { digits, letters: text.replace(/[^a-z]/g, ''), parts: companyNumberOf(text) }
  },
  compare: (one, other) => {
    if (one.parts !== null && other.parts !== null) return compareParts(one.parts, other.parts)
    const isSameNumber = one.digits === other.digits
    if (!isSameNumber && withoutZeros(one.digits) !== withoutZeros(other.digits)) return different
    if (one.letters !== other.letters)
      return one.letters === '' || other.letters === '' ? compatible('prefix_missing') : different
    return isSameNumber ? same : compatible('leading_zeros_missing')
  },
}

function companyNumberOf(text: string): CompanyNumber | null {
  const [, year, number, form] = companyNumber.exec(text) ?? separated.exec(text) ?? []
  if (year === undefined || number === undefined) return null
  return { year, number: number.padStart(6, '0'), form: form ?? null }
}

function compareParts(one: CompanyNumber, other: CompanyNumber) {
  if (one.number !== other.number || !sharesYear(one.year, other.year)) return different
  if (one.form !== null && other.form !== null && one.form !== other.form) return different
  if (one.year !== other.year) return compatible('century_missing')
  return one.form === other.form ? same : compatible('form_number_missing')
}

/** True for equal years, and for a year with and without its century. */
function sharesYear(one: string, other: string): boolean {
  return one.endsWith(other) || other.endsWith(one)
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '')
}
