import { Checkbox, Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addLegalBasis, type Draft, type LegalBasis } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { startOfDay } from '../../ui/text/zone-time.ts'
import { bodyOfGiven, emptyGiven, fieldOfBasis, formOf, type GivenValues, problemsOfGiven } from './basis-values.ts'
import { recipientOptions, recipientsOfRecord } from './draft-values.ts'
import { channelWords, jurisdictionOf, optionsOf, purposeWords } from './draft-words.ts'
import { evidenceToCite, refreshDrafts } from './drafts.queries.ts'
import { evidenceOptions } from './evidence-options.ts'
import { GivenFields } from './given-fields.tsx'
import { LawSelect } from './law-select.tsx'

/** The API limits the end by the beginning. */
const basisTerm = { usualDays: 365 }

type Values = GivenValues & {
  channels: Draft['channel'][]
  purpose: Draft['purpose']
  jurisdiction: string
  /** Blank means every recipient. */
  recipient: string
  documentReference: string
  /** Blank means that the proof is a document. */
  evidenceId: string
  from: string
  endsOn: string
}

/** Adds a legal basis with its channels, recipient, proof and term. */
export function AddBasisDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const end = useEndDay(basisTerm)
  const evidence = useQuery(evidenceToCite(business.id))
  const all = recipientsOfRecord(business)
  return (
    <FormDialog<Values, LegalBasis>
      title="Add a legal basis"
      submitLabel="Add legal basis"
      what="the legal basis"
      initial={{
        ...emptyGiven,
        kind: 'consent',
        channels: ['email'],
        purpose: 'introduction',
        jurisdiction: jurisdictionOf(business.address.country),
        recipient: '',
        documentReference: '',
        evidenceId: '',
        from: dayIn(serverNow().toISOString(), timeZone),
        endsOn: end.usual,
      }}
      validate={({ channels, documentReference, evidenceId, from, endsOn, jurisdiction, ...given }): FieldErrors => ({
        ...problemsOfGiven(given),
        ...(channels.length === 0 && { channels: 'Choose a channel.' }),
        ...(!/^[a-z]{2}$/.test(jurisdiction) && { jurisdiction: 'Choose the country.' }),
        ...(documentReference.trim() === '' &&
          evidenceId === '' &&
          formOf(given) !== 'telephone' && {
            documentReference: 'Enter where the proof is stored, or choose evidence.',
          }),
        ...(dayFrom(from) === null && { from: notADay(from) }),
        ...end.problems({ endsOn }),
      })}
      fieldOf={(path, values) => (Object.hasOwn(values, fieldOfBasis(path)) ? fieldOfBasis(path) : undefined)}
      send={({ from, endsOn, recipient, documentReference, evidenceId, ...values }, { key }) =>
        dataOf(
          addLegalBasis({
            path: { businessId: business.id },
            body: {
              ...bodyOfGiven(values),
              channels: values.channels,
              purpose: values.purpose,
              jurisdiction: values.jurisdiction,
              recipient: all.find(({ value }) => value === recipient) ?? null,
              documentReference: documentReference.trim() === '' ? null : documentReference,
              evidenceId: evidenceId === '' ? null : evidenceId,
              from: startOfDay(dayFrom(from) ?? '', timeZone),
              until: end.instant({ endsOn }),
            },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'Legal basis added.' })
        close()
      }}
      draft={{ name: `legal-basis-${business.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, values }) => (
        <>
          <GivenFields form={form} values={values} />
          <Checkbox.Group label="Channels" {...form.getInputProps('channels')}>
            <Group gap="sm">
              {optionsOf(channelWords).map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <Select label="Purpose" data={optionsOf(purposeWords)} {...form.getInputProps('purpose')} />
          <LawSelect {...form.getInputProps('jurisdiction')} />
          <Select
            label="Recipient"
            placeholder="Every recipient of this prospect"
            data={recipientOptions(all.map(({ value }) => value))}
            clearable
            {...form.getInputProps('recipient')}
          />
          <TextInput
            label="Proof"
            description="Where the document, or a note about it, is stored"
            maxLength={inputLimits.basisReference}
            {...form.getInputProps('documentReference')}
          />
          <Select
            label="Evidence"
            description="Instead of a document, or in addition to it"
            data={evidenceOptions(evidence.data?.items ?? [])}
            clearable
            {...form.getInputProps('evidenceId')}
          />
          <TypedTime of="day" direction="past" label="From" required {...form.getInputProps('from')} />
          <EndDayField end={end} {...form.getInputProps('endsOn')} />
        </>
      )}
    </FormDialog>
  )
}
