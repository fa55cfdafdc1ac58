import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { addEvidence } from '@prospect/api-client'
import type { ChangeEvent } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { NotSaved } from '../../ui/forms/save-failure.tsx'
import classes from '../../ui/prospects/entries.module.css'
import { useEntryForm } from '../../ui/prospects/use-entry-form.ts'
import type { EvidencePrefill } from '../../ui/rooms/record-forms.ts'
import { factFields, fieldName } from '../../ui/text/field-names.ts'
import {
  type EvidenceFormValues,
  evidenceBody,
  evidenceFrom,
  isBlankEvidence,
  missingInEvidence,
  parseEvidence,
} from './evidence-form-values.ts'

/** Hints stand below the inputs, so that inputs side by side stay in line. */
const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

const inputs = [
  'field',
  'value',
  'observation',
  'sourceLabel',
  'sourceReference',
  'capturedAt',
  'capturedOn',
  'observedAt',
  'observedOn',
  'confidence',
  'context',
  'url',
]

/** One draft for each thing that evidence was begun for, so that none takes the place of another. */
export function draftName(businessId: string, prefill: EvidencePrefill | null): string {
  if (prefill === null) return `evidence-${businessId}`
  return `evidence-${businessId}-${reasonOf(prefill)}`
}

function reasonOf(prefill: EvidencePrefill): string {
  if ('corrects' in prefill) return prefill.corrects.id
  return 'page' in prefill ? prefill.page.url : `${prefill.field}-${prefill.value}`
}

type Props = { businessId: string; prefill: EvidencePrefill | null; close: () => void; reopen: () => void }

export function EvidenceForm({ businessId, prefill, close, reopen }: Props) {
  const corrects = prefill !== null && 'corrects' in prefill ? prefill.corrects : null
  const { form, timeZone, failure, isSaving, discard, formProps } = useEntryForm<
    EvidenceFormValues,
    ReturnType<typeof evidenceBody>
  >({
    businessId,
    draftName: draftName(businessId, prefill),
    parse: parseEvidence,
    initial: evidenceFrom(prefill),
    isBlank: isBlankEvidence,
    inputs,
    missing: missingInEvidence,
    bodyOf: (values, zone, now) => evidenceBody(values, zone, now, corrects),
    send: (body, key) => dataOf(addEvidence({ path: { businessId }, body, ...withKey(key) })),
    what: 'evidence',
    saved: ({ supersedesId }) =>
      supersedesId === null ? 'Evidence added.' : 'Evidence corrected. The old observation stays in the history.',
    close,
    reopen,
  })
  const { values } = form
  /** One input for the time and for the day: what the server says of either stands there. */
  const whenProps = (at: 'capturedAt' | 'observedAt', on: 'capturedOn' | 'observedOn') => {
    const { onChange, ...props } = form.getInputProps(at)
    const change = (event: ChangeEvent<HTMLInputElement>) => {
      form.clearFieldError(on)
      onChange(event)
    }
    return { ...props, error: form.errors[at] ?? form.errors[on], onChange: change }
  }

  return (
    <form
      {...formProps}
      className={classes.form}
      aria-label={values.supersedesId === null ? 'Add evidence' : 'Correct evidence'}
    >
      {values.supersedesId !== null && (
        <p className={classes.hint}>
          Observations are never changed. What you save here replaces the earlier one, which stays readable below.
        </p>
      )}
      <SegmentedControl
        aria-label="Kind of evidence"
        value={values.kind}
        data={[
          { value: 'claim', label: 'About a field' },
          { value: 'observation', label: 'Free observation' },
        ]}
        onChange={(kind) => form.setFieldValue('kind', kind === 'observation' ? 'observation' : 'claim')}
      />
      <div className={classes.grid}>
        {values.kind === 'claim' && (
          <>
            <Select
              label="Says something about"
              required
              searchable
              data={factFields.map((field) => ({ value: field, label: fieldName(field) }))}
              {...form.getInputProps('field')}
              {...(values.field === null ? { 'data-first': true } : {})}
            />
            <TextInput label="What the source says" required {...form.getInputProps('value')} />
          </>
        )}
        <Textarea
          label={values.kind === 'claim' ? 'Remark' : 'What was observed'}
          required={values.kind === 'observation'}
          autosize
          minRows={values.kind === 'claim' ? 1 : 3}
          className={classes.wide}
          {...form.getInputProps('observation')}
          {...(values.kind === 'claim' ? {} : { 'data-first': true })}
        />
        <TextInput
          label="Source"
          inputWrapperOrder={below}
          description="In words: web site, call with the owner, CIPC extract"
          {...form.getInputProps('sourceLabel')}
          {...(values.kind === 'claim' && values.field !== null ? { 'data-first': true } : {})}
        />
        <TextInput
          label="Source reference"
          inputWrapperOrder={below}
          description="A number or path by which it is found again"
          {...form.getInputProps('sourceReference')}
        />
        <Select
          label="Your confidence"
          data={[
            { value: 'low', label: 'Low' },
            { value: 'medium', label: 'Medium' },
            { value: 'high', label: 'High' },
          ]}
          {...form.getInputProps('confidence')}
        />
        <TextInput
          label="Web address of the source"
          inputMode="url"
          inputWrapperOrder={below}
          description="Kept as text, never opened by the platform"
          {...form.getInputProps('url')}
        />
        <TypedTime
          of="dayOrTime"
          label="Captured"
          description={`When it was taken down, or the day alone. Blank: ${corrects === null ? 'now' : 'as it stood'} (${timeZone})`}
          {...whenProps('capturedAt', 'capturedOn')}
        />
        <TypedTime
          of="dayOrTime"
          label="Observed"
          description={
            (corrects?.observedAt ?? null) === null
              ? `When it was true or seen, or the day alone, if known (${timeZone})`
              : `When it was true or seen, or the day alone. Blank: as it stood (${timeZone})`
          }
          {...whenProps('observedAt', 'observedOn')}
        />
        <Textarea label="Context" autosize minRows={1} className={classes.wide} {...form.getInputProps('context')} />
      </div>
      <NotSaved failure={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isSaving}>
          {values.supersedesId === null ? 'Add evidence' : 'Save correction'}
        </Button>
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
      </div>
    </form>
  )
}
