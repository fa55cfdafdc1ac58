import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addSourceRecord, type Confidence, type EvidenceField } from '@prospect/api-client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { MANUAL_SOURCE_ID } from '../../ui/prospects/built-in-sources.ts'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { factFields } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { refreshSourceRecords } from './sources.queries.ts'

const confidences = ['low', 'medium', 'high'] as const
const MAX_OBSERVATIONS = 20

type Observation = { id: number; field: EvidenceField; value: string; confidence: Confidence }
type Typed = { raw: string; attribution: string; observations: Observation[] }
const blank: Typed = { raw: '', attribution: '', observations: [] }

const isObservation = (stored: unknown): stored is Observation =>
  typeof stored === 'object' &&
  stored !== null &&
  'id' in stored &&
  typeof stored.id === 'number' &&
  'field' in stored &&
  oneOf(factFields)(stored.field) &&
  'value' in stored &&
  typeof stored.value === 'string' &&
  'confidence' in stored &&
  oneOf(confidences)(stored.confidence)

const areObservations = (stored: unknown): stored is Observation[] =>
  Array.isArray(stored) && stored.every(isObservation)

/** Dialog to record one reference by hand, with observations from it. */
export function AddRecordDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title="Record reference"
      submitLabel="Record"
      size="lg"
      what="the reference"
      initial={blank}
      send={({ raw, attribution, observations }, { key, at }) => {
        const body = {
          sourceId: MANUAL_SOURCE_ID,
          raw: raw.trim() === '' ? null : raw,
          attribution,
          capturedAt: at,
          observations: observations.map(({ id: _, ...observation }) => observation),
        }
        return dataOf(addSourceRecord({ path: { businessId: business.id }, body, ...withKey(key) }))
      }}
      onSaved={() => {
        void refreshSourceRecords(queryClient)
        void refreshRecord(queryClient, business.id)
        notifications.show({ message: 'Reference recorded' })
        close()
      }}
      validate={({ attribution }): FieldErrors =>
        attribution.trim() === '' ? { attribution: 'Enter the origin of the reference.' } : {}
      }
      fieldOf={(path) => (path === 'attribution' || path === 'raw' ? path : undefined)}
      draft={{ name: `source-record-${business.id}`, guards: { observations: areObservations } }}
      close={close}
      reopen={reopen}
    >
      {({ form, values: { observations }, set, restored }) => (
        <>
          <Text size="sm" component="div">
            The reference is stored as supplied by you, not as verified.
            <DraftHint draft={restored} />
          </Text>
          <TextInput
            label="Origin"
            withAsterisk
            aria-required
            data-autofocus
            maxLength={200}
            {...form.getInputProps('attribution')}
          />
          <Textarea
            label="Original text"
            description="At most 16 KiB. The text is deleted when its storage period ends."
            autosize
            minRows={3}
            maxRows={12}
            {...form.getInputProps('raw')}
          />
          {observations.map(({ id }, at) => (
            <Group key={id} align="end" gap="xs" role="group" aria-label={`Observation ${at + 1}`}>
              <Select
                label="Field"
                data={factFields.map((value) => ({ value, label: fieldName(value) }))}
                {...form.getInputProps(`observations.${at}.field`)}
              />
              <TextInput label="Value" maxLength={500} {...form.getInputProps(`observations.${at}.value`)} />
              <Select label="Confidence" data={confidences} {...form.getInputProps(`observations.${at}.confidence`)} />
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Remove observation ${at + 1}`}
                onClick={() => set({ observations: observations.filter((one) => one.id !== id) })}
              >
                <IconTrash size={16} aria-hidden />
              </Button>
            </Group>
          ))}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={observations.length >= MAX_OBSERVATIONS}
              onClick={() => {
                const id = Math.max(0, ...observations.map((one) => one.id)) + 1
                set({ observations: [...observations, { id, field: 'name', value: '', confidence: 'low' }] })
              }}
            >
              Add observation
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}
