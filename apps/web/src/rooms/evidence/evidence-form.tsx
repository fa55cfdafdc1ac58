import { Alert, Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api-problem.ts'
import { fieldName } from '../../ui/field-names.ts'
import { formErrors } from '../../ui/form-errors.ts'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { refreshRecord } from '../../ui/record-keys.ts'
import { useSession } from '../../ui/session.ts'
import { useDraft } from '../../ui/use-draft.ts'
import classes from './evidence.module.css'
import { addEvidence } from './evidence.queries.ts'
import {
  type EvidenceFormValues,
  type EvidencePrefill,
  evidenceBody,
  evidenceFields,
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
  'observedAt',
  'confidence',
  'context',
  'url',
]

/** One draft for each thing that evidence was begun for, so that none takes the place of another. */
function draftName(businessId: string, prefill: EvidencePrefill | null): string {
  if (prefill === null) return `evidence-${businessId}`
  return `evidence-${businessId}-${'corrects' in prefill ? prefill.corrects.id : `${prefill.field}-${prefill.value}`}`
}

type Props = { businessId: string; prefill: EvidencePrefill | null; close: () => void }

export function EvidenceForm({ businessId, prefill, close }: Props) {
  const { timeZone } = useSession().tenant
  const draft = useDraft<EvidenceFormValues>(draftName(businessId, prefill), parseEvidence)
  const form = useForm<EvidenceFormValues>({
    mode: 'controlled',
    initialValues: draft.restored?.value ?? evidenceFrom(prefill),
    onValuesChange: (values) => (isBlankEvidence(values) ? draft.clear() : draft.keep(values)),
  })
  const [failure, setFailure] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const { keyFor, done } = useIdempotencyKey()
  const now = useRef<string | null>(null)
  const queryClient = useQueryClient()
  const formRef = useRef<HTMLFormElement>(null)
  const { values } = form

  useEffect(() => {
    const wanted = refusals > 0 ? '[aria-invalid="true"]' : '[data-first]'
    formRef.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [refusals])

  const refuse = (errors: Record<string, string>, message: string | null) => {
    form.setErrors(errors)
    setFailure(message)
    setRefusals((count) => count + 1)
  }

  const save = useMutation({
    mutationFn: (toSave: EvidenceFormValues) => {
      // The same moment on a retry, or the retry would be another payload under another key.
      now.current ??= new Date().toISOString()
      const body = evidenceBody(toSave, timeZone, now.current)
      return addEvidence(businessId, body, keyFor(body))
    },
    onSuccess: () => {
      done()
      draft.clear()
      void refreshRecord(queryClient, businessId)
      notifications.show({
        message:
          values.supersedesId === null
            ? 'Evidence added.'
            : 'Evidence corrected. The old observation stays in the history.',
      })
      close()
    },
    onError: (error) => {
      if (!isProblem(error)) return refuse({}, sentenceOf(error))
      const { fields, general } = formErrors(error, (path) => inputs.includes(path))
      refuse(fields, general.length === 0 ? null : error.errors.length === 0 ? sentenceOf(error) : general.join(' '))
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const missing = missingInEvidence(values)
    if (Object.keys(missing).length > 0) return refuse(missing, null)
    refuse({}, null)
    save.mutate(values)
  }

  return (
    <form
      ref={formRef}
      className={classes.form}
      onSubmit={submit}
      noValidate
      aria-label={values.supersedesId === null ? 'Add evidence' : 'Correct evidence'}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          event.currentTarget.requestSubmit()
        }
      }}
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
              data={evidenceFields.map((field) => ({ value: field, label: fieldName(field) }))}
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
        />
        <TextInput
          label="Source"
          inputWrapperOrder={below}
          description="In words: web site, call with the owner, CIPC extract"
          {...form.getInputProps('sourceLabel')}
          {...(values.field === null ? {} : { 'data-first': true })}
        />
        <TextInput
          label="Source reference"
          inputWrapperOrder={below}
          description="A number or path by which it is found again"
          {...form.getInputProps('sourceReference')}
        />
        <Select
          label="Your confidence"
          allowDeselect={false}
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
        <TextInput
          type="datetime-local"
          label="Captured"
          inputWrapperOrder={below}
          description={`When it was taken down. Blank: now (${timeZone})`}
          {...form.getInputProps('capturedAt')}
        />
        <TextInput
          type="datetime-local"
          label="Observed"
          inputWrapperOrder={below}
          description={`When it was true or seen, if known (${timeZone})`}
          {...form.getInputProps('observedAt')}
        />
        <Textarea label="Context" autosize minRows={1} className={classes.wide} {...form.getInputProps('context')} />
      </div>
      {failure !== null && (
        <Alert color="red" variant="outline" title="Not saved">
          {failure} What you typed is still here.
        </Alert>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={save.isPending}>
          {values.supersedesId === null ? 'Add evidence' : 'Save correction'}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            draft.clear()
            close()
          }}
        >
          Discard
        </Button>
      </div>
    </form>
  )
}
