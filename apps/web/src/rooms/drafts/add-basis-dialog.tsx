import { Checkbox, Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addLegalBasis, type Draft, type LegalBasis, type LegalBasisKind } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { dayFrom, notADay } from '../../ui/text/day.ts'
import { recipientsOfRecord } from './draft-values.ts'
import { basisWords, channelWords, jurisdictionOf, optionsOf, purposeWords } from './draft-words.ts'
import { evidenceToCite, refreshDrafts } from './drafts.queries.ts'
import { evidenceOptions } from './evidence-options.ts'

const DAY_MS = 86_400_000
const dayIn = (days: number) => new Date(serverNow().getTime() + days * DAY_MS).toISOString().slice(0, 10)

type Values = {
  kind: LegalBasisKind
  channels: Draft['channel'][]
  purpose: Draft['purpose']
  jurisdiction: string
  /** Blank means every recipient. */
  recipient: string
  documentReference: string
  /** Blank means that the proof is a document. */
  evidenceId: string
  from: string
  until: string
}

/** Adds a legal basis with its channels, recipient, proof and term. */
export function AddBasisDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const evidence = useQuery(evidenceToCite(business.id))
  const all = recipientsOfRecord(business)
  return (
    <FormDialog<Values, LegalBasis>
      title="Add a legal basis"
      submitLabel="Add legal basis"
      what="the legal basis"
      initial={{
        kind: 'consent',
        channels: ['email'],
        purpose: 'introduction',
        jurisdiction: jurisdictionOf(business.address.country),
        recipient: '',
        documentReference: '',
        evidenceId: '',
        from: dayIn(0),
        until: dayIn(365),
      }}
      validate={({ channels, documentReference, evidenceId, from, until, jurisdiction }): FieldErrors => ({
        ...(channels.length === 0 && { channels: 'Choose a channel.' }),
        ...(!/^[a-z]{2}$/.test(jurisdiction) && { jurisdiction: 'Enter two letters, such as za or eu.' }),
        ...(documentReference.trim() === '' &&
          evidenceId === '' && { documentReference: 'Enter where the proof is stored, or choose evidence.' }),
        ...(dayFrom(from) === null && { from: notADay(from) }),
        ...(dayFrom(until) === null && { until: notADay(until) }),
      })}
      send={({ from, until, recipient, documentReference, evidenceId, ...values }, { key }) =>
        dataOf(
          addLegalBasis({
            path: { businessId: business.id },
            body: {
              ...values,
              recipient: all.find(({ value }) => value === recipient) ?? null,
              documentReference: documentReference.trim() === '' ? null : documentReference,
              evidenceId: evidenceId === '' ? null : evidenceId,
              from: `${dayFrom(from)}T00:00:00Z`,
              until: `${dayFrom(until)}T00:00:00Z`,
            },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'The legal basis is added.' })
        close()
      }}
      draft={{ name: `legal-basis-${business.id}`, gone: close }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <>
          <Select label="Kind" data={optionsOf(basisWords)} data-autofocus {...form.getInputProps('kind')} />
          <Checkbox.Group label="Channels" {...form.getInputProps('channels')}>
            <Group gap="sm">
              {optionsOf(channelWords).map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <Select label="Purpose" data={optionsOf(purposeWords)} {...form.getInputProps('purpose')} />
          <TextInput label="Jurisdiction" maxLength={2} required {...form.getInputProps('jurisdiction')} />
          <Select
            label="Recipient"
            placeholder="Every recipient of the record"
            data={all.map(({ value }) => value)}
            clearable
            {...form.getInputProps('recipient')}
          />
          <TextInput
            label="Proof"
            description="Where the document or the note of it is stored"
            maxLength={200}
            {...form.getInputProps('documentReference')}
          />
          <Select
            label="Evidence"
            description="In place of a document, or besides it"
            data={evidenceOptions(evidence.data?.items ?? [])}
            clearable
            {...form.getInputProps('evidenceId')}
          />
          <TypedTime of="day" direction="past" label="From" required {...form.getInputProps('from')} />
          <TypedTime of="day" direction="future" label="Until" required {...form.getInputProps('until')} />
        </>
      )}
    </FormDialog>
  )
}
