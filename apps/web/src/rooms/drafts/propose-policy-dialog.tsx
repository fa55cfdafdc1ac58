import { Checkbox, Group, NumberInput, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  type Draft,
  type DraftPolicy,
  type DraftPolicyProposal,
  type LegalBasisKind,
  proposeDraftPolicy,
} from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { FieldErrors, SaveForm } from '../../ui/forms/use-save-form.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { dayFrom, notADay } from '../../ui/text/day.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { factsOfFields, mergeFieldNames } from './draft-values.ts'
import { basisWords, channelWords, optionsOf } from './draft-words.ts'
import { refreshDrafts } from './drafts.queries.ts'

/** Initial content: a shipped proposal, or a version of the workspace. */
type PolicyStart = Omit<DraftPolicyProposal, 'label' | 'notes'> & Partial<Pick<DraftPolicyProposal, 'label' | 'notes'>>

type Values = {
  start: string
  jurisdiction: string
  channel: Draft['channel']
  legalBases: LegalBasisKind[]
  requiredFields: DraftPolicy['requiredFields']
  acceptsLow: boolean
  otherDays: number | string
  /** Freshness in days by evidence field. Blank fields use `otherDays`. */
  days: Record<string, number | string>
  optOutText: string
  recipient: number | string
  person: number | string
  tenant: number | string
  ownerId: string
  endsOn: string
}

const DAY_MS = 86_400_000

function valuesOf(start: PolicyStart): Omit<Values, 'start' | 'ownerId' | 'endsOn'> {
  const { jurisdiction, channel, legalBases, requiredFields, acknowledgeable, freshnessDays, optOutText, caps } = start
  const { other = '', ...days } = freshnessDays as Record<string, number>
  return {
    jurisdiction,
    channel,
    legalBases: [...legalBases],
    requiredFields: [...requiredFields],
    acceptsLow: acknowledgeable.includes('low_confidence'),
    otherDays: other,
    days,
    optOutText: optOutText ?? '',
    recipient: caps.recipient ?? '',
    person: caps.person ?? '',
    tenant: caps.tenant ?? '',
  }
}

function bodyOf(values: Values) {
  const { jurisdiction, channel, legalBases, requiredFields, acceptsLow, otherDays, days, optOutText } = values
  const acknowledgeable: DraftPolicy['acknowledgeable'] = acceptsLow ? ['low_confidence'] : []
  const windows = Object.entries(days).flatMap(([field, most]) => (most === '' ? [] : [[field, Number(most)]]))
  return {
    jurisdiction,
    channel,
    legalBases,
    requiredFields,
    acknowledgeable,
    freshnessDays: { ...Object.fromEntries(windows), other: Number(otherDays) },
    optOutText: optOutText.trim() === '' ? null : optOutText,
    caps: { recipient: Number(values.recipient), person: Number(values.person), tenant: Number(values.tenant) },
    ownerId: values.ownerId,
    endsAt: `${dayFrom(values.endsOn)}T00:00:00Z`,
  }
}

const missing = (values: Values): FieldErrors => ({
  ...(!/^[a-z]{2}$/.test(values.jurisdiction) && { jurisdiction: 'Enter two letters, such as za or eu.' }),
  ...(values.legalBases.length === 0 && { legalBases: 'Choose a legal basis.' }),
  ...(values.otherDays === '' && { otherDays: 'Enter a number of days.' }),
  ...(values.recipient === '' && { recipient: 'Enter a number.' }),
  ...(values.person === '' && { person: 'Enter a number.' }),
  ...(values.tenant === '' && { tenant: 'Enter a number.' }),
  ...(dayFrom(values.endsOn) === null && { endsOn: notADay(values.endsOn) }),
})

/** Form field for an error path of the API: `caps.person` is `person`, `freshnessDays.other` is `otherDays`. */
function fieldOf(path: string): string {
  if (path === 'endsAt') return 'endsOn'
  if (path.startsWith('freshnessDays')) return 'otherDays'
  return path.replace(/^caps\./, '').replace(/^(legalBases|requiredFields)\..*/, '$1')
}

type Props = { starts: readonly PolicyStart[]; close: () => void; reopen: () => void }

/** Dialog to propose the next version of a policy. It starts with a shipped proposal or with a version of the workspace. */
export function ProposePolicyDialog({ starts, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const [first] = starts
  if (first === undefined) throw new Error('The proposals of the API are never empty.')
  return (
    <FormDialog<Values, DraftPolicy>
      title="Propose a policy"
      submitLabel="Propose policy"
      size="lg"
      what="the policy"
      initial={{
        ...valuesOf(first),
        start: '0',
        ownerId: user.id,
        endsOn: new Date(serverNow().getTime() + 365 * DAY_MS).toISOString().slice(0, 10),
      }}
      validate={missing}
      fieldOf={fieldOf}
      send={(values, { key }) => dataOf(proposeDraftPolicy({ body: bodyOf(values), ...withKey(key) }))}
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'The policy is proposed. Another person approves it.' })
        close()
      }}
      draft={{ name: 'propose-draft-policy', gone: close }}
      close={close}
      reopen={reopen}
    >
      {(save) => <PolicyFields save={save} starts={starts} />}
    </FormDialog>
  )
}

function PolicyFields({ save, starts }: { save: SaveForm<Values>; starts: readonly PolicyStart[] }) {
  const { form, values, set } = save
  const people = usePeopleOptions()
  const chosen = starts[Number(values.start)]
  const begin = (start: string | null) => {
    const next = starts[Number(start)]
    if (start !== null && next !== undefined) set({ ...valuesOf(next), start })
  }
  return (
    <>
      <Select
        label="Begin with"
        data-autofocus
        data={starts.map((start, at) => ({
          value: String(at),
          label: `${start.jurisdiction}, ${channelWords[start.channel].toLowerCase()}${start.label === undefined ? ', the version in force' : ''}`,
        }))}
        value={values.start}
        onChange={begin}
      />
      {chosen?.label !== undefined && (
        <Text size="sm">
          <b>{chosen.label}.</b> {chosen.notes?.join(' ')}
        </Text>
      )}
      <Group grow align="start">
        <TextInput label="Jurisdiction" maxLength={2} required {...form.getInputProps('jurisdiction')} />
        <Select label="Channel" data={optionsOf(channelWords)} {...form.getInputProps('channel')} />
      </Group>
      <Checkbox.Group label="Accepted legal bases" {...form.getInputProps('legalBases')}>
        <Group gap="sm">
          {optionsOf(basisWords).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox.Group label="Fields that every text contains" {...form.getInputProps('requiredFields')}>
        <Group gap="sm">
          {mergeFieldNames.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberInput
        label="Evidence is accepted for, in days"
        min={1}
        max={1_825}
        required
        {...form.getInputProps('otherDays')}
      />
      <details>
        <summary>Days of single fields</summary>
        {factsOfFields.map((fact) => (
          <NumberInput
            key={fact}
            label={fieldName(fact)}
            min={1}
            max={1_825}
            value={values.days[fact] ?? ''}
            onChange={(most) => set({ days: { ...values.days, [fact]: most } })}
          />
        ))}
      </details>
      <Checkbox
        label="Low confidence may be accepted with a reason"
        checked={values.acceptsLow}
        onChange={({ currentTarget }) => set({ acceptsLow: currentTarget.checked })}
      />
      <Group grow align="start">
        <NumberInput
          label="Copies to one recipient in 30 days"
          min={1}
          max={2}
          required
          {...form.getInputProps('recipient')}
        />
        <NumberInput label="Copies of one person a day" min={1} max={50} required {...form.getInputProps('person')} />
        <NumberInput
          label="Copies of the workspace a day"
          min={1}
          max={200}
          required
          {...form.getInputProps('tenant')}
        />
      </Group>
      <Textarea
        label="Text to opt out"
        description="Shown by {{sender.optOut}}"
        maxLength={500}
        {...form.getInputProps('optOutText')}
      />
      <Select label="Owner" data={people} searchable required {...form.getInputProps('ownerId')} />
      <TypedTime of="day" label="Ends on" required {...form.getInputProps('endsOn')} />
    </>
  )
}
