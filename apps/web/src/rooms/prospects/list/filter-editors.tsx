import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { serverNow } from '../../../ui/api/server-clock.ts'
import { useSession } from '../../../ui/api/session.ts'
import { DayField } from '../../../ui/fields/day-field.tsx'
import { FilterChip, type FilterOption } from '../../../ui/lists/filter-chip.tsx'
import { PopoverChip } from '../../../ui/lists/popover-chip.tsx'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { PipelineIcon } from '../../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../../ui/prospects/pipeline-query.ts'
import { pipelineOrder, pipelineStateName, statesInUse } from '../../../ui/prospects/pipeline-words.ts'
import { reviewFilters, reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { eligibilityWords } from '../../../ui/prospects/score-words.ts'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'
import { dayIn, formatDay } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinces } from '../../../ui/text/provinces.ts'
import { daysBefore } from '../../../ui/text/zone-time.ts'
import { type ChipField, clearedField, conditionsOf } from './address-filters.ts'
import classes from './filter-bar.module.css'
import { type FilterCondition, fields } from './filter-fields.ts'
import { conditionWords, type WordContext } from './filter-words.ts'
import { eligibilities, type FilterPatch, type ProspectFilters } from './prospect-search.ts'

type EditorProps = {
  field: ChipField
  filters: ProspectFilters
  context: WordContext
  startOpen: boolean
  onClose: () => void
  onChange: (patch: FilterPatch) => void
  onClear: () => void
  /** Opens the editor of conditions for this field: several values, exclusions, empty fields. */
  onMore: (field: FilterCondition['field'], values: string[]) => void
}

const provinceOptions: FilterOption[] = [
  ...provinces.map(({ code, name }) => ({ value: code, label: name })),
  { value: 'other', label: 'Another province' },
  { value: 'none', label: 'No province' },
]
const blockOptions: FilterOption[] = [
  { value: 'true', label: 'Marked do not contact' },
  { value: 'false', label: 'Not marked' },
]
const evidenceOptions: FilterOption[] = [
  { value: 'true', label: 'With evidence' },
  { value: 'false', label: 'Without evidence' },
]

const inactiveOptions: FilterOption[] = [{ value: 'true', label: 'Deactivated records' }]

const withMore = ['state', 'assignee', 'tag', 'province', 'priority', 'reachable', 'eligibility', 'review'] as const

/** The entry that opens the editor of conditions, with the value of the chip. */
function moreOf(field: ChipField, filters: ProspectFilters, onMore: EditorProps['onMore']) {
  const known = withMore.find((one) => one === field)
  if (known === undefined) return undefined
  const value = filters[known]
  return {
    label: 'More conditions…',
    run: () => onMore(known, value === undefined || value === 'none' ? [] : [value]),
  }
}

/** The chip of one field with what it needs to be chosen from. */
export function FieldChip(props: EditorProps) {
  const { field, filters, context, onChange } = props
  const { bands = [], timeZone } = context
  const conditions = conditionsOf(field, filters, timeZone)
  const shared = {
    name: fields[field].name,
    words: conditions.length === 0 ? null : conditions.map((one) => conditionWords(one, context)).join(', '),
    startOpen: props.startOpen,
    onClose: props.onClose,
    onClear: props.onClear,
    more: moreOf(field, filters, props.onMore),
  }
  switch (field) {
    case 'state':
      return (
        <StateChip
          {...shared}
          value={filters.state}
          onChange={(value) => onChange({ state: pipelineOrder.find((state) => state === value) })}
        />
      )
    case 'province':
      return (
        <FilterChip
          {...shared}
          value={filters.province}
          options={provinceOptions}
          onChange={(province) => onChange({ province })}
        />
      )
    case 'doNotContact':
      return (
        <FilterChip
          {...shared}
          value={filters.doNotContact}
          options={blockOptions}
          onChange={(value) => onChange({ doNotContact: value === 'true' ? 'true' : 'false' })}
        />
      )
    case 'hasEvidence':
      return (
        <FilterChip
          {...shared}
          value={filters.hasEvidence}
          options={evidenceOptions}
          onChange={(value) => onChange({ hasEvidence: value === 'true' ? 'true' : 'false' })}
        />
      )
    case 'assignee':
      return <AssigneeChip {...shared} value={filters.assignee} onChange={(assignee) => onChange({ assignee })} />
    case 'tag':
      return <TagChip {...shared} value={filters.tag} onChange={(tag) => onChange({ tag })} />
    case 'priority':
      return (
        <FilterChip
          {...shared}
          value={filters.priority}
          options={[...bandOptions(bands), { value: 'unknown', label: 'Unknown' }]}
          onChange={(priority) => onChange({ priority })}
        />
      )
    case 'reachable':
      return (
        <FilterChip
          {...shared}
          value={filters.reachable}
          options={bandOptions(bands)}
          onChange={(reachable) => onChange({ reachable })}
        />
      )
    case 'eligibility':
      return (
        <FilterChip
          {...shared}
          value={filters.eligibility}
          options={eligibilities.map((value) => ({ value, label: eligibilityWords[value] }))}
          onChange={(value) => onChange({ eligibility: eligibilities.find((one) => one === value) })}
        />
      )
    case 'status':
      return (
        <FilterChip
          {...shared}
          value={filters.inactive}
          options={inactiveOptions}
          onChange={() => onChange({ inactive: 'true' })}
        />
      )
    case 'review':
      return (
        <FilterChip
          {...shared}
          value={filters.review}
          options={reviewFilters.map((value) => ({ value, label: reviewStateWords[value] }))}
          onChange={(value) => onChange({ review: reviewFilters.find((one) => one === value) })}
        />
      )
    case 'score':
      return <ScoreChip {...shared} filters={filters} onChange={onChange} />
    case 'updatedAt':
      return <UpdatedChip {...props} words={shared.words} />
  }
}

const bandOptions = (bands: ScoreBands): FilterOption[] =>
  bands.map(({ id, name }) => ({ value: id, label: nameText(name) }))

type ChipProps = {
  more: { label: string; run: () => void } | undefined
  name: string
  words: string | null
  startOpen: boolean
  onClose: () => void
  onClear: () => void
  value: string | undefined
  onChange: (value: string) => void
}

function StateChip(props: ChipProps) {
  const { data, error, isPending } = useQuery(pipelineQuery)
  const options = statesInUse(data).map((state) => ({
    value: state,
    label: pipelineStateName(state),
    icon: <PipelineIcon state={state} />,
  }))
  return (
    <FilterChip {...props} options={options} isLoading={isPending} error={error === null ? null : sentenceOf(error)} />
  )
}

function AssigneeChip(props: ChipProps) {
  const { user } = useSession()
  const { data, error, isPending } = useQuery(assigneesQuery)
  const options: FilterOption[] = [
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Unassigned' },
    ...(data ?? []).filter(({ id }) => id !== user.id).map(({ id, name }) => ({ value: id, label: nameText(name) })),
  ]
  return (
    <FilterChip {...props} options={options} isLoading={isPending} error={error === null ? null : sentenceOf(error)} />
  )
}

type ScoreProps = Omit<ChipProps, 'value' | 'onChange'> & Pick<EditorProps, 'filters' | 'onChange'>

/** Filter for a range of scores, with values like '60-100'. Other ranges can be typed. */
function ScoreChip({ filters, onChange, ...shared }: ScoreProps) {
  const [typed, setTyped] = useState('')
  const { scoreFrom, scoreTo } = filters
  const options = scoreRanges(typed).map(([from, to]) => ({ value: `${from}-${to}`, label: `${from} to ${to}` }))
  return (
    <FilterChip
      {...shared}
      value={`${scoreFrom ?? 0}-${scoreTo ?? 100}`}
      options={options}
      onTyped={setTyped}
      onChange={(value) => {
        const [from = '0', to = '100'] = value.split('-')
        onChange({ scoreFrom: from === '0' ? undefined : from, scoreTo: to === '100' ? undefined : to })
      }}
    />
  )
}

const usualRanges: [number, number][] = [
  [80, 100],
  [60, 100],
  [40, 100],
  [0, 39],
]

/** Parses a typed range: '55' means 55 to 100; '30 to 55' and '30-55' are ranges. */
function scoreRanges(typed: string): [number, number][] {
  const [, from, to = '100'] = /^\s*(\d{1,3})(?:\s*(?:-|to)\s*(\d{1,3}))?\s*$/.exec(typed) ?? []
  if (from === undefined) return typed.trim() === '' ? usualRanges : []
  const range: [number, number] = [Number(from), Number(to)]
  return range[0] <= range[1] && range[1] <= 100 ? [range] : []
}

function TagChip(props: ChipProps) {
  const [typed, setTyped] = useState('')
  const prefix = typed.trim().slice(0, 100)
  const { data, error, isFetching, isPlaceholderData } = useQuery(tagsStartingWith(prefix))
  const known = (data?.items ?? []).map(({ tag }) => ({ value: tag, label: nameText(tag) }))
  // Until the tags for the typed text arrive, show only matching ones of the previous list, because Enter selects the first.
  const options = isPlaceholderData
    ? known.filter(({ label }) => label.toLowerCase().startsWith(prefix.toLowerCase()))
    : known
  return (
    <FilterChip
      {...props}
      options={options}
      onTyped={setTyped}
      isLoading={isFetching && data === undefined}
      error={error === null ? null : sentenceOf(error)}
    />
  )
}

function UpdatedChip(props: EditorProps & { words: string | null }) {
  const { filters, words, onChange } = props
  const { timeZone } = useSession().tenant
  const today = dayIn(serverNow().toISOString(), timeZone)
  // By the calendar, because a day on which clocks change does not have 24 hours.
  const since = (days: number): string => daysBefore(today, days)
  const none = clearedField('updatedAt')
  const presets: { label: string; patch: FilterPatch }[] = [
    { label: 'Today', patch: { ...none, updatedFrom: since(0) } },
    { label: `Since ${formatDay(since(6))}`, patch: { ...none, updatedFrom: since(6) } },
    { label: `Since ${formatDay(since(29))}`, patch: { ...none, updatedFrom: since(29) } },
    // Relative to the day on which the list is read, so that a saved filter stays current.
    { label: 'Last 7 days (always current)', patch: { ...none, updatedWithinDays: '7' } },
    { label: 'Last 30 days (always current)', patch: { ...none, updatedWithinDays: '30' } },
  ]
  return (
    <PopoverChip
      name="Updated"
      words={words}
      startOpen={props.startOpen}
      onClose={props.onClose}
      onClear={props.onClear}
    >
      {(shut) => (
        <>
          <div className={classes.presets}>
            {presets.map(({ label, patch }) => (
              <Button
                key={label}
                variant="subtle"
                color="gray"
                justify="flex-start"
                onClick={() => {
                  onChange(patch)
                  shut()
                }}
              >
                {label}
              </Button>
            ))}
          </div>
          <div className={classes.days}>
            <DayField
              direction="past"
              label="From"
              value={filters.updatedFrom}
              onChange={(updatedFrom) => onChange({ updatedFrom, updatedWithinDays: undefined })}
            />
            <DayField
              direction="past"
              label="To"
              value={filters.updatedTo}
              first={filters.updatedFrom}
              onChange={(updatedTo) => onChange({ updatedTo, updatedWithinDays: undefined })}
            />
          </div>
        </>
      )}
    </PopoverChip>
  )
}
