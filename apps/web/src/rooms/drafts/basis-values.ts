import type { AddLegalBasisData, LegalBasisKind } from '@prospect/api-client'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'

type Body = AddLegalBasisData['body']
type StatedForm = NonNullable<Body['form']>

/** The values of a form about how the prospect gave a legal basis. Blank fields were not filled in, or are not shown for the kind. */
export type GivenValues = {
  kind: LegalBasisKind
  /** Blank until chosen: the form is evidence, so there is no default. */
  form: StatedForm | ''
  language: string
  agreedTo: string
  recordingReference: string
  soldWhat: string
  soldOn: string
}

export const emptyGiven: Omit<GivenValues, 'kind'> = {
  form: '',
  language: '',
  agreedTo: '',
  recordingReference: '',
  soldWhat: '',
  soldOn: '',
}

/** The kinds that a prospect gives in writing, electronically or by telephone. The API has the same rule. */
export const isGiven = (kind: LegalBasisKind): boolean =>
  kind === 'consent' || kind === 'asked_by_them' || kind === 'contract'

/** The form that is stored; null for a kind without a form, and while none is chosen. */
export function formOf({ kind, form }: Pick<GivenValues, 'kind' | 'form'>): StatedForm | null {
  if (kind === 'existing_customer') return 'existing_customer'
  return isGiven(kind) && form !== '' ? form : null
}

const isBlank = (text: string): boolean => text.trim() === ''
const orNull = (text: string): string | null => (isBlank(text) ? null : text.trim())

export function problemsOfGiven(values: GivenValues): FieldErrors {
  const { kind, language, agreedTo, recordingReference, soldWhat, soldOn } = values
  const form = formOf(values)
  return {
    ...(isGiven(kind) && form === null && { form: 'Choose how they gave it.' }),
    ...(isGiven(kind) &&
      (kind === 'consent' || !isBlank(language)) &&
      !/^[a-z]{2,3}(-[A-Z]{2})?$/.test(language.trim()) && {
        language: 'Enter the language as a code, such as en, af or zu.',
      }),
    ...(kind === 'consent' && isBlank(agreedTo) && { agreedTo: 'Enter what exactly they consented to.' }),
    ...(form === 'telephone' &&
      isBlank(recordingReference) && { recordingReference: 'Enter where the recording of the call is stored.' }),
    ...(form === 'existing_customer' && isBlank(soldWhat) && { soldWhat: 'Enter what they bought.' }),
    ...(form === 'existing_customer' && dayFrom(soldOn) === null && { soldOn: notADay(soldOn) }),
  }
}

/** The part of the request about how they gave it, without what the fields of another kind or form contain. */
export function bodyOfGiven(
  values: GivenValues,
): Pick<Body, 'kind' | 'form' | 'language' | 'agreedTo' | 'recordingReference' | 'sale'> {
  const { kind, language, agreedTo, recordingReference, soldWhat, soldOn } = values
  const form = formOf(values)
  return {
    kind,
    form,
    language: isGiven(kind) ? orNull(language) : null,
    agreedTo: isGiven(kind) ? orNull(agreedTo) : null,
    recordingReference: form === 'telephone' ? orNull(recordingReference) : null,
    sale: form === 'existing_customer' ? { what: soldWhat.trim(), on: dayFrom(soldOn) ?? '' } : null,
  }
}

/** The field of the form for an error path of the API. */
export function fieldOfBasis(path: string): string {
  if (path === 'until') return 'endsOn'
  if (path === 'sale.on') return 'soldOn'
  return path.startsWith('sale') ? 'soldWhat' : path
}
