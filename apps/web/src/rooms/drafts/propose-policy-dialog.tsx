import { Checkbox, Group, Text, Textarea } from '@mantine/core'
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
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors, SaveForm } from '../../ui/forms/use-save-form.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { mapValues } from '../../ui/text/map-values.ts'
import { isNumberValue, type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { factsOfFields, mergeFieldName, mergeFieldNames } from './draft-values.ts'
import { basisWords, channelWords, lawName, optionsOf } from './draft-words.ts'
import { refreshDrafts } from './drafts.queries.ts'
import { LawSelect } from './law-select.tsx'

/** Initial content: a shipped proposal, or a version of the workspace. */
type PolicyStart = Omit<DraftPolicyProposal, 'label' | 'notes'> & Partial<Pick<DraftPolicyProposal, 'label' | 'notes'>>

type Values = {
  start: string
  jurisdiction: string
  channel: Draft['channel']
  legalBases: LegalBasisKind[]
  requiredFields: DraftPolicy['requiredFields']
  acceptsLow: boolean
  contactHours: DraftPolicy['contactHours']
  needsForm: boolean
  /** One source a line. */
  sources: string
  /** Blank: no day is set. */
  reviewBy: string
  /** Blank requires no registry round. */
  registryDays: NumberValue
  otherDays: NumberValue
  /** Freshness in days by evidence field. Blank fields use `otherDays`. */
  days: Record<string, NumberValue>
  optOutText: string
  recipient: NumberValue
  person: NumberValue
  tenant: NumberValue
  ownerId: string
  endsOn: string
}

const dayRange = { min: 1, max: 1_825 }
const registryRange = { min: 1, max: 366 }
const ranges = {
  otherDays: dayRange,
  recipient: { min: 1, max: 2 },
  person: { min: 1, max: 50 },
  tenant: { min: 1, max: 200 },
}

const hoursWords = { warn: 'Warn before a copy', refuse: 'Refuse copies' } as const

/** The API accepts a policy of at most 732 days. */
const policyTerm = { usualDays: 365, maxDays: 732 }

function valuesOf(start: PolicyStart): Omit<Values, 'start' | 'ownerId' | 'endsOn'> {
  const {
    jurisdiction,
    channel,
    legalBases,
    requiredFields,
    acknowledgeable,
    freshnessDays,
    optOutText,
    caps,
    contactHours,
    registryDays,
    basisForm,
    sources,
    reviewBy,
  } = start
  const { other = '', ...days } = freshnessDays as Record<string, number>
  return {
    jurisdiction,
    channel,
    legalBases: [...legalBases],
    requiredFields: [...requiredFields],
    acceptsLow: acknowledgeable.includes('low_confidence'),
    contactHours,
    registryDays: registryDays ?? '',
    needsForm: basisForm === 'known',
    sources: sources.join('\n'),
    reviewBy: reviewBy ?? '',
    otherDays: other,
    days,
    optOutText: optOutText ?? '',
    recipient: caps.recipient ?? '',
    person: caps.person ?? '',
    tenant: caps.tenant ?? '',
  }
}

function bodyOf(values: Values, endsAt: string) {
  const { jurisdiction, channel, legalBases, requiredFields, acceptsLow, otherDays, days, optOutText, contactHours } =
    values
  const acknowledgeable: DraftPolicy['acknowledgeable'] = acceptsLow ? ['low_confidence'] : []
  const windows = Object.entries(days).flatMap(([field, most]) => {
    const read = numberOf(most)
    return read === null ? [] : [[field, read]]
  })
  return {
    jurisdiction,
    channel,
    legalBases,
    requiredFields,
    acknowledgeable,
    contactHours,
    registryDays: numberOf(values.registryDays),
    basisForm: values.needsForm ? ('known' as const) : ('any' as const),
    sources: sourcesOf(values),
    reviewBy: values.reviewBy.trim() === '' ? null : dayFrom(values.reviewBy),
    freshnessDays: { ...Object.fromEntries(windows), other: numberOf(otherDays) ?? 0 },
    optOutText: optOutText.trim() === '' ? null : optOutText,
    caps: {
      recipient: numberOf(values.recipient) ?? 0,
      person: numberOf(values.person) ?? 0,
      tenant: numberOf(values.tenant) ?? 0,
    },
    ownerId: values.ownerId,
    endsAt,
  }
}

const sourcesOf = ({ sources }: Pick<Values, 'sources'>): string[] =>
  sources
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const wrongSources = (values: Values): FieldErrors => {
  const lines = sourcesOf(values)
  const { policySourceCount, policySource } = inputLimits
  if (lines.length > policySourceCount)
    return { sources: `Enter at most ${countWords(policySourceCount, 'source', 'sources')}.` }
  if (lines.some((line) => line.length > policySource))
    return { sources: `A source has at most ${countWords(policySource, 'character', 'characters')}.` }
  return {}
}

/** Errors of the days of single fields, which are optional. */
const wrongDays = (days: Values['days']): FieldErrors => {
  const wrong = numberProblems(
    days,
    mapValues(days, () => ({ ...dayRange, isOptional: true })),
  )
  return Object.fromEntries(Object.entries(wrong).map(([field, problem]) => [`days.${field}`, problem ?? '']))
}

const missing = (values: Values): FieldErrors => ({
  ...(!/^[a-z]{2}$/.test(values.jurisdiction) && { jurisdiction: 'Choose the country.' }),
  ...(values.legalBases.length === 0 && { legalBases: 'Choose a legal basis.' }),
  ...numberProblems(values, { ...ranges, registryDays: { ...registryRange, isOptional: true } }),
  ...wrongDays(values.days),
  ...wrongSources(values),
  ...(values.reviewBy.trim() !== '' && dayFrom(values.reviewBy) === null && { reviewBy: notADay(values.reviewBy) }),
})

/** Form field for an error path of the API: `caps.person` is `person`, `freshnessDays.other` is `otherDays`. */
function fieldOf(path: string): string {
  if (path === 'endsAt') return 'endsOn'
  if (path.startsWith('freshnessDays')) return 'otherDays'
  return path.replace(/^caps\./, '').replace(/^(legalBases|requiredFields|sources)\..*/, '$1')
}

type Props = { starts: readonly PolicyStart[]; close: () => void; reopen: () => void }

/** Dialog to propose the next version of a policy. It starts with a shipped proposal or with a version of the workspace. */
export function ProposePolicyDialog({ starts, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const end = useEndDay(policyTerm)
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
        endsOn: end.usual,
      }}
      validate={(values) => ({ ...missing(values), ...end.problems(values) })}
      fieldOf={fieldOf}
      send={(values, { key }) =>
        dataOf(proposeDraftPolicy({ body: bodyOf(values, end.instant(values)), ...withKey(key) }))
      }
      onSaved={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: 'Policy proposed. Another person must approve it.' })
        close()
      }}
      draft={{
        name: 'propose-draft-policy',
        guards: {
          otherDays: isNumberValue,
          registryDays: isNumberValue,
          recipient: isNumberValue,
          person: isNumberValue,
          tenant: isNumberValue,
        },
      }}
      close={close}
      reopen={reopen}
    >
      {(save) => <PolicyFields save={save} starts={starts} end={end} />}
    </FormDialog>
  )
}

type FieldsProps = { save: SaveForm<Values>; starts: readonly PolicyStart[]; end: ReturnType<typeof useEndDay> }

function PolicyFields({ save, starts, end }: FieldsProps) {
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
        label="Start with"
        data-autofocus
        data={starts.map((start, at) => ({
          value: String(at),
          label: `${lawName(start.jurisdiction)}, ${channelWords[start.channel].toLowerCase()}${start.label === undefined ? ', the version in force' : ''}`,
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
        <LawSelect {...form.getInputProps('jurisdiction')} />
        <Select label="Channel" data={optionsOf(channelWords)} {...form.getInputProps('channel')} />
      </Group>
      <Checkbox.Group label="Accepted legal bases" {...form.getInputProps('legalBases')}>
        <Group gap="sm">
          {optionsOf(basisWords).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label="The form of a legal basis must be known"
        description="Does not accept legal bases that were added before forms were recorded"
        checked={values.needsForm}
        onChange={({ currentTarget }) => set({ needsForm: currentTarget.checked })}
      />
      <Checkbox.Group label="Fields that every text must contain" {...form.getInputProps('requiredFields')}>
        <Group gap="sm">
          {mergeFieldNames.map((name) => (
            <Checkbox key={name} value={name} label={mergeFieldName(name)} />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberField
        label="Evidence may be at most (days) old"
        {...dayRange}
        required
        {...form.getInputProps('otherDays')}
      />
      <details>
        <summary>Other ages for single facts</summary>
        {factsOfFields.map((fact) => (
          <NumberField
            key={fact}
            label={fieldName(fact)}
            {...dayRange}
            value={values.days[fact] ?? ''}
            error={form.errors[`days.${fact}`]}
            onChange={(most) => set({ days: { ...values.days, [fact]: most } })}
          />
        ))}
      </details>
      <Checkbox
        label="Accept uncertain facts with a reason"
        checked={values.acceptsLow}
        onChange={({ currentTarget }) => set({ acceptsLow: currentTarget.checked })}
      />
      <NumberField
        label="A registry round counts for, in days"
        description="Blank: no round is required"
        {...registryRange}
        {...form.getInputProps('registryDays')}
      />
      <Select label="Outside of contact hours" data={optionsOf(hoursWords)} {...form.getInputProps('contactHours')} />
      <Group grow align="start">
        <NumberField
          label="Copies to one recipient in 30 days"
          {...ranges.recipient}
          required
          {...form.getInputProps('recipient')}
        />
        <NumberField label="Copies by one person a day" {...ranges.person} required {...form.getInputProps('person')} />
        <NumberField
          label="Copies in the workspace a day"
          {...ranges.tenant}
          required
          {...form.getInputProps('tenant')}
        />
      </Group>
      <Textarea
        label="Sources"
        description="The rules that the policy follows and where you read them, one a line"
        autosize
        minRows={2}
        maxRows={10}
        {...form.getInputProps('sources')}
      />
      <TypedTime
        of="day"
        direction="future"
        label="Review the sources by"
        description="After this day the policy and its drafts show a warning. Blank: no day is set"
        {...form.getInputProps('reviewBy')}
      />
      <Textarea
        label="Text to opt out"
        description="This text replaces the field “Text to opt out” in a draft"
        maxLength={500}
        {...form.getInputProps('optOutText')}
      />
      <Select label="Owner" data={people} searchable required {...form.getInputProps('ownerId')} />
      <EndDayField end={end} {...form.getInputProps('endsOn')} />
    </>
  )
}
