/** Values of the evidence form and their conversion to the request: times typed in the tenant's zone become instants, days stay days. */
import type { Confidence, Evidence, EvidenceField } from '@prospect/api-client'
import { type FieldGuards, oneOf } from '../../ui/forms/draft-fields.ts'
import type { EvidencePrefill } from '../../ui/rooms/record-forms.ts'
import { type TypedWhen, whenFrom } from '../../ui/text/day.ts'
import { notAWhen } from '../../ui/text/day-words.ts'
import { factFields } from '../../ui/text/facts.ts'
import { instantIn } from '../../ui/text/zone-time.ts'

export type EvidenceFormValues = {
  /** 'claim' states a field's value; 'observation' belongs to no field. */
  kind: 'claim' | 'observation'
  field: EvidenceField | null
  value: string
  observation: string
  sourceLabel: string
  sourceReference: string
  /** Time in the tenant's time zone or day, as typed. Blank means now. */
  capturedAt: string
  observedAt: string
  confidence: Confidence
  context: string
  url: string
  supersedesId: string | null
}

export function emptyEvidence(): EvidenceFormValues {
  return {
    kind: 'claim',
    field: null,
    value: '',
    observation: '',
    sourceLabel: '',
    sourceReference: '',
    capturedAt: '',
    observedAt: '',
    confidence: 'medium',
    context: '',
    url: '',
    supersedesId: null,
  }
}

export function evidenceFrom(prefill: EvidencePrefill | null): EvidenceFormValues {
  const blank = emptyEvidence()
  if (prefill === null) return blank
  if ('page' in prefill) return { ...blank, kind: 'observation', ...prefill.page }
  if (!('corrects' in prefill)) return { ...blank, field: prefill.field, value: prefill.value }
  const { corrects } = prefill
  return {
    ...blank,
    kind: corrects.field === null ? 'observation' : 'claim',
    field: corrects.field,
    value: corrects.value ?? '',
    observation: corrects.observation ?? '',
    sourceLabel: corrects.sourceLabel ?? '',
    sourceReference: corrects.sourceReference ?? '',
    confidence: corrects.confidence,
    context: corrects.context ?? '',
    url: corrects.url ?? '',
    supersedesId: corrects.id,
  }
}

const ifFilled = (text: string, key: string) => (text.trim() === '' ? {} : { [key]: text })

/**
 * Request body of the form. `now` replaces a blank capture time. In a correction, blank times are those of the evidence that it `corrects`, because
 * correcting a value does not change when it was captured or observed.
 */
export function evidenceBody(
  values: EvidenceFormValues,
  zone: string,
  now: string,
  corrects: EvidenceTimes | null = null,
) {
  const isClaim = values.kind === 'claim'
  const captured = sentAs(values.capturedAt, zone) ?? stoodAs(corrects?.capturedAt, corrects?.capturedOn) ?? { at: now }
  const observed = sentAs(values.observedAt, zone) ?? stoodAs(corrects?.observedAt, corrects?.observedOn)
  return {
    ...(isClaim && values.field !== null ? { field: values.field } : {}),
    ...(isClaim ? ifFilled(values.value, 'value') : {}),
    ...ifFilled(values.observation, 'observation'),
    ...ifFilled(values.sourceReference, 'sourceReference'),
    ...ifFilled(values.sourceLabel, 'sourceLabel'),
    ...('on' in captured ? { capturedOn: captured.on } : { capturedAt: captured.at }),
    ...(observed === null ? {} : 'on' in observed ? { observedOn: observed.on } : { observedAt: observed.at }),
    confidence: values.confidence,
    ...ifFilled(values.context, 'context'),
    ...ifFilled(values.url, 'url'),
    ...(values.supersedesId === null ? {} : { supersedesId: values.supersedesId }),
  }
}

type EvidenceTimes = Pick<Evidence, 'capturedAt' | 'capturedOn' | 'observedAt' | 'observedOn'>

function sentAs(typed: string, zone: string): TypedWhen | null {
  const when = whenFrom(typed)
  return when === null || 'on' in when ? when : { at: instantIn(when.at, zone) }
}

function stoodAs(at: string | null | undefined, on: string | null | undefined): TypedWhen | null {
  if (on != null) return { on }
  return at == null ? null : { at }
}

/** Validation without the server; each message appears beside its field. */
export function missingInEvidence(values: EvidenceFormValues): Record<string, string> {
  const errors: Record<string, string> = {}
  if (values.kind === 'claim') {
    if (values.field === null) errors.field = 'Choose a field.'
    if (values.value.trim() === '') errors.value = 'Enter the value in the source.'
  } else if (values.observation.trim() === '') errors.observation = 'Enter an observation.'
  for (const at of ['capturedAt', 'observedAt'] as const) {
    if (values[at].trim() !== '' && whenFrom(values[at]) === null) errors[at] = notAWhen(values[at])
  }
  if (values.sourceLabel.trim() === '' && values.sourceReference.trim() === '') {
    errors.sourceLabel = 'Enter a source or a reference.'
  }
  return errors
}

export function isBlankEvidence(values: EvidenceFormValues): boolean {
  const { field, value, observation, sourceLabel, sourceReference, context, url } = values
  return (
    field === null &&
    [value, observation, sourceLabel, sourceReference, context, url].every((text) => text.trim() === '')
  )
}

export const evidenceGuards: FieldGuards<EvidenceFormValues> = {
  kind: oneOf(['claim', 'observation']),
  field: oneOf([null, ...factFields]),
  confidence: oneOf(['low', 'medium', 'high']),
  // Never restored: it follows from the corrected evidence, whose id is part of the draft's name.
  supersedesId: oneOf([]),
}
