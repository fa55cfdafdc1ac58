import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addEvidence } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { CancelButton } from '../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import classes from '../../ui/prospects/entries.module.css'
import { recordName, refreshRecord } from '../../ui/prospects/record-keys.ts'
import type { EvidencePrefill } from '../../ui/rooms/record-forms.ts'
import { factFields } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import {
  evidenceBody,
  evidenceFrom,
  evidenceGuards,
  isBlankEvidence,
  missingInEvidence,
} from './evidence-form-values.ts'

/** Descriptions are below the inputs, so that inputs in one row align. */
const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

const inputs = new Set<string>([
  ...['field', 'value', 'observation', 'sourceLabel', 'sourceReference'],
  ...['capturedAt', 'observedAt', 'confidence', 'context', 'url'],
])

/** Fields of the API that share an input, which accepts a time or a day. */
const inputOf: Record<string, string> = { capturedOn: 'capturedAt', observedOn: 'observedAt' }

/** Name of the draft: one per purpose of the evidence, so that drafts do not replace each other. */
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
  const { timeZone } = useSession().tenant
  const queryClient = useQueryClient()
  const save = useSaveForm({
    initial: evidenceFrom(prefill),
    validate: missingInEvidence,
    send: (values, { key, at }) => {
      const body = evidenceBody(values, timeZone, at, corrects)
      return dataOf(addEvidence({ path: { businessId }, body, ...withKey(key) }))
    },
    onSaved: (_answer, { supersedesId }) => {
      void refreshRecord(queryClient, businessId)
      notifications.show({
        message:
          supersedesId === null
            ? 'Evidence added.'
            : 'Evidence corrected. The earlier observation is still in the history.',
      })
      close()
    },
    what: `evidence of ${recordName(queryClient, businessId)}`,
    draft: { name: draftName(businessId, prefill), guards: evidenceGuards, isBlank: isBlankEvidence, gone: close },
    fieldOf: (path) => {
      const input = inputOf[path] ?? path
      return inputs.has(input) ? input : undefined
    },
  })
  const { form, values } = save

  return (
    <SaveForm
      save={save}
      className={classes.form}
      aria-label={values.supersedesId === null ? 'Add evidence' : 'Correct evidence'}
      actions={
        <div className={classes.actions}>
          <Button type="submit" loading={save.isSaving}>
            {values.supersedesId === null ? 'Add evidence' : 'Save correction'}
          </Button>
          <CancelButton save={save} close={close} reopen={reopen}>
            Discard
          </CancelButton>
        </div>
      }
    >
      {values.supersedesId !== null && (
        <p className={classes.hint}>
          Observations cannot be edited. Your correction replaces the earlier entry, which stays visible below.
        </p>
      )}
      <SegmentedControl
        aria-label="Kind of evidence"
        value={values.kind}
        data={[
          { value: 'claim', label: 'About a field' },
          { value: 'observation', label: 'General observation' },
        ]}
        onChange={(kind) => form.setFieldValue('kind', kind === 'observation' ? 'observation' : 'claim')}
      />
      <div className={classes.grid}>
        {values.kind === 'claim' && (
          <>
            <Select
              label="Field"
              required
              searchable
              data={factFields.map((field) => ({ value: field, label: fieldName(field) }))}
              {...form.getInputProps('field')}
              {...(values.field === null ? { 'data-first': true } : {})}
            />
            <TextInput label="Value in the source" required {...form.getInputProps('value')} />
          </>
        )}
        <Textarea
          label={values.kind === 'claim' ? 'Comment' : 'Observation'}
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
          description="For example: website, call with the owner, CIPC extract"
          {...form.getInputProps('sourceLabel')}
          {...(values.kind === 'claim' && values.field !== null ? { 'data-first': true } : {})}
        />
        <TextInput
          label="Source reference"
          inputWrapperOrder={below}
          description="A number or a path that helps to find the source again"
          {...form.getInputProps('sourceReference')}
        />
        <Select
          label="Confidence"
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
          description="Stored as text. The app never opens this address"
          {...form.getInputProps('url')}
        />
        <TypedTime
          of="dayOrTime"
          direction="past"
          label="Captured"
          description={`When somebody read the source (date, time optional). Leave empty ${corrects === null ? 'for now' : 'to keep the earlier date'} (${timeZone})`}
          {...form.getInputProps('capturedAt')}
        />
        <TypedTime
          of="dayOrTime"
          direction="past"
          label="Observed"
          description={
            (corrects?.observedAt ?? null) === null
              ? `When the statement was true, if known (date, time optional) (${timeZone})`
              : `When the statement was true (date, time optional). Leave empty to keep the earlier date (${timeZone})`
          }
          {...form.getInputProps('observedAt')}
        />
        <Textarea label="Context" autosize minRows={1} className={classes.wide} {...form.getInputProps('context')} />
      </div>
    </SaveForm>
  )
}
