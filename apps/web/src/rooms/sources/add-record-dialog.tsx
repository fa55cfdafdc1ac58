import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addSourceRecord, type Confidence, type EvidenceField } from '@prospect/api-client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { NotSaved, saveFailureOf } from '../../ui/forms/save-failure.tsx'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { MANUAL_SOURCE_ID } from '../../ui/prospects/built-in-sources.ts'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { factFields, fieldName } from '../../ui/text/field-names.ts'
import { refreshSourceRecords } from './sources.queries.ts'

const MAX_OBSERVATIONS = 20

type Observation = { id: number; field: EvidenceField; value: string; confidence: Confidence }
type Typed = { raw: string; attribution: string; observations: Observation[] }
const blank: Typed = { raw: '', attribution: '', observations: [] }

const isTyped = (stored: unknown): stored is Partial<Typed> =>
  typeof stored === 'object' && stored !== null && 'attribution' in stored && typeof stored.attribution === 'string'

const parseTyped = (stored: unknown): Typed | null => (isTyped(stored) ? { ...blank, ...stored } : null)

/** One reference, recorded by hand with the observations that the person takes from it. */
export function AddRecordDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const name = `source-record-${business.id}`
  const draft = useDraft<Typed>(name, parseTyped, { gone: close, returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState(draft.restored?.value ?? blank)
  const { attemptFor, done } = useIdempotencyKey(draft.attempts)
  const save = useMutation({
    meta: { notSaved: 'the reference', keepsText: true },
    mutationFn: () => {
      const { key, at } = attemptFor({ typed })
      const body = {
        sourceId: MANUAL_SOURCE_ID,
        raw: typed.raw.trim() === '' ? null : typed.raw,
        attribution: typed.attribution,
        capturedAt: at,
        observations: typed.observations.map(({ id: _id, ...observation }) => observation),
      }
      return dataOf(addSourceRecord({ path: { businessId: business.id }, body, ...withKey(key) }))
    },
    onSuccess: () => {
      done()
      draft.clear()
      void refreshSourceRecords(queryClient)
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: 'The reference is recorded.' })
      close()
    },
  })
  const set = (part: Partial<Typed>) => {
    if (save.isPending) return
    const next = { ...typed, ...part }
    setTyped(next)
    draft.keep(next)
  }
  const { observations } = typed
  const change = (id: number, part: Partial<Observation>) =>
    set({ observations: observations.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <Dialog onClose={() => !save.isPending && close()} closeOnClickOutside={false} title="Record a reference" size="lg">
      <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="sm">
          <Text size="sm" component="div">
            It is recorded as supplied by you. That is no verification.
            <DraftHint draft={draft.restored} />
          </Text>
          <TextInput
            label="Where it comes from"
            withAsterisk
            aria-required
            data-autofocus
            maxLength={200}
            value={typed.attribution}
            readOnly={save.isPending}
            onChange={(event) => set({ attribution: event.currentTarget.value })}
          />
          <Textarea
            label="Text as it was found"
            description="At most 16 KiB; deleted when its retention class ends"
            autosize
            minRows={3}
            maxRows={12}
            value={typed.raw}
            readOnly={save.isPending}
            onChange={(event) => set({ raw: event.currentTarget.value })}
          />
          {observations.map((one, at) => (
            <Group key={one.id} align="end" gap="xs" role="group" aria-label={`Observation ${at + 1}`}>
              <Select
                label="Field"
                data={factFields.map((value) => ({ value, label: fieldName(value) }))}
                value={one.field}
                onChange={(field) => {
                  const chosen = factFields.find((known) => known === field)
                  if (chosen !== undefined) change(one.id, { field: chosen })
                }}
              />
              <TextInput
                label="Value"
                maxLength={500}
                value={one.value}
                readOnly={save.isPending}
                onChange={(event) => change(one.id, { value: event.currentTarget.value })}
              />
              <Select
                label="Confidence"
                data={['low', 'medium', 'high']}
                value={one.confidence}
                onChange={(next) =>
                  (next === 'low' || next === 'medium' || next === 'high') && change(one.id, { confidence: next })
                }
              />
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Remove observation ${at + 1}`}
                onClick={() => set({ observations: observations.filter(({ id }) => id !== one.id) })}
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
              Add an observation
            </Button>
          </div>
          <NotSaved failure={save.error === null ? null : saveFailureOf(save.error)} />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() => {
                draft.discard(reopen)
                close()
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Record
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
