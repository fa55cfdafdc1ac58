import { Checkbox } from '@mantine/core'
import type { PersonRef } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { DayField } from '../../../ui/fields/day-field.tsx'
import { NameTagsInput } from '../../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { PopoverChip } from '../../../ui/lists/popover-chip.tsx'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { pipelineQuery } from '../../../ui/prospects/pipeline-query.ts'
import { pipelineStateName, statesInUse } from '../../../ui/prospects/pipeline-words.ts'
import { reviewFilters, reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { eligibilityWords } from '../../../ui/prospects/score-words.ts'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'
import { dayIn } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinces } from '../../../ui/text/provinces.ts'
import { type NumberValue, numberOf, numberProblem } from '../../../ui/text/typed-number.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import classes from './condition-editor.module.css'
import {
  type FilterCondition,
  fields,
  followUpTerms,
  identifierWords,
  isComplete,
  needsValues,
  opWords,
  withOp,
} from './filter-fields.ts'
import { eligibilities } from './prospect-search.ts'

/** Limits of the API. */
const MAX_VALUES = 20
const dayCount = { min: 1, max: 3_650 }

type EditorProps = {
  condition: FilterCondition
  onChange: (condition: FilterCondition) => void
  people: readonly PersonRef[]
  bands: ScoreBands
}
type ChipProps = EditorProps & {
  /** null: the condition is being chosen. */
  words: string | null
  onClear: () => void
  onClose: () => void
}

/** The chip of a condition with several values, an exclusion or a range. Changes apply as soon as the condition is complete. */
export function ConditionChip({ condition: given, words, onChange, onClear, onClose, ...names }: ChipProps) {
  const [draft, setDraft] = useState(given)
  const condition = isComplete(draft) ? given : draft
  const change = (next: FilterCondition): void => {
    setDraft(next)
    if (isComplete(next)) onChange(next)
  }
  return (
    <PopoverChip
      name={fields[condition.field].name}
      words={words}
      startOpen={words === null}
      onClose={onClose}
      onClear={onClear}
    >
      {() => <ConditionEditor condition={condition} onChange={change} {...names} />}
    </PopoverChip>
  )
}

function ConditionEditor(props: EditorProps) {
  const { condition, onChange } = props
  const field = fields[condition.field]
  if (field.ops.length === 0) return 'This condition can only be removed here.'
  return (
    <div className={classes.editor}>
      <Select
        label="Operator"
        size="xs"
        comboboxProps={{ withinPortal: false }}
        data={field.ops.map((op) => ({ value: op, label: opWords[op] }))}
        value={condition.op}
        onChange={(op) => op !== null && onChange(withOp(condition, op))}
      />
      {needsValues(condition.op) && <Values {...props} kind={field.kind} />}
    </div>
  )
}

function Values(props: EditorProps & { kind: (typeof fields)[FilterCondition['field']]['kind'] }) {
  const { condition, kind } = props
  if (condition.op === 'within_days') return <Days {...props} />
  if (kind === 'number') return <Numbers {...props} />
  if (condition.op === 'between') return <Range {...props} isMoment={kind === 'time'} />
  return kind === 'text' ? <Texts {...props} /> : <Choices {...props} />
}

function Choices(props: EditorProps) {
  const { condition, onChange } = props
  const options = useOptions(props)
  const chosen = condition.values.map(String)
  const gone = chosen.filter((value) => !options.some((option) => option.value === value))
  const nameOf = (value: string) => nameText(props.people.find(({ id }) => id === value)?.name ?? value)
  const all = [...options, ...gone.map((value) => ({ value, label: `${nameOf(value)} (no longer exists)` }))]
  return (
    <Checkbox.Group
      aria-label="Values"
      value={chosen}
      onChange={(values) => onChange({ ...condition, values: values.slice(0, MAX_VALUES) } as FilterCondition)}
    >
      <div className={classes.options}>
        {all.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  )
}

type Option = { value: string; label: string }

function useOptions({ condition, people, bands }: EditorProps): Option[] {
  const { user } = useSession()
  const pipeline = useQuery({ ...pipelineQuery, enabled: condition.field === 'state' }).data
  const assignees = useQuery({ ...assigneesQuery, enabled: condition.field === 'assignee' }).data ?? people
  switch (condition.field) {
    case 'state':
      return statesInUse(pipeline).map((state) => ({ value: state, label: pipelineStateName(state) }))
    case 'assignee':
      return [
        { value: 'me', label: 'Me' },
        ...assignees.filter(({ id }) => id !== user.id).map(({ id, name }) => ({ value: id, label: nameText(name) })),
      ]
    case 'province':
      return [
        ...provinces.map(({ code, name }) => ({ value: code, label: name })),
        { value: 'other', label: 'Another province' },
      ]
    case 'identifiers':
      return Object.entries(identifierWords).map(([value, label]) => ({ value, label }))
    case 'priority':
    case 'reachable':
      return bands.map(({ id, name }) => ({ value: id, label: nameText(name) }))
    case 'eligibility':
      return eligibilities.map((value) => ({ value, label: eligibilityWords[value] }))
    case 'review':
      return reviewFilters.map((value) => ({ value, label: reviewStateWords[value] }))
    case 'followUp':
      return followUpTerms.map((value) => ({ value, label: termNames[value] }))
    default:
      return []
  }
}

const termNames = { overdue: 'Overdue', today: 'Due today', this_week: 'Due this week' } as const

function Texts({ condition, onChange }: EditorProps) {
  const [typed, setTyped] = useState('')
  const tags = useQuery({ ...tagsStartingWith(typed.trim()), enabled: condition.field === 'tag' }).data?.items ?? []
  return (
    <NameTagsInput
      label="Values"
      description="End each with Enter."
      size="xs"
      maxTags={MAX_VALUES}
      comboboxProps={{ withinPortal: false }}
      data={tags.map(({ tag }) => tag)}
      onSearchChange={setTyped}
      value={condition.values.map(String)}
      onChange={(values) => onChange({ ...condition, values } as FilterCondition)}
    />
  )
}

function Days({ condition, onChange }: EditorProps) {
  const [typed, setTyped] = useState<NumberValue>(Number(condition.values[0] ?? 0) || '')
  return (
    <NumberField
      label="Days"
      size="xs"
      {...dayCount}
      value={typed}
      onChange={(days) => {
        setTyped(days)
        const isValid = typeof days === 'number' && numberProblem(days, dayCount) === null
        onChange({ ...condition, values: isValid ? [days] : [] } as FilterCondition)
      }}
    />
  )
}

/** Two whole numbers, both included. One of them may be blank. */
function Numbers({ condition, onChange }: EditorProps) {
  const { range = {} } = fields[condition.field]
  const [typed, setTyped] = useState<readonly NumberValue[]>([valueAt(condition, 0), valueAt(condition, 1)])
  const change = (end: number, value: NumberValue): void => {
    const next = [0, 1].map((one) => (one === end ? value : (typed[one] ?? '')))
    setTyped(next)
    const isValid = next.every((one) => numberProblem(one, range) === null)
    onChange({
      ...condition,
      values: isValid ? next.map((one) => numberOf(one, range)) : [null, null],
    } as FilterCondition)
  }
  return (
    <div className={classes.days}>
      <NumberField label="From" size="xs" {...range} value={typed[0] ?? ''} onChange={(value) => change(0, value)} />
      <NumberField label="To" size="xs" {...range} value={typed[1] ?? ''} onChange={(value) => change(1, value)} />
    </div>
  )
}

const valueAt = ({ values }: FilterCondition, end: number): NumberValue => {
  const value = values[end]
  return typeof value === 'number' ? value : ''
}

/** Two days, both included. A time of a record is stored as the moments at which they begin and end in the workspace's zone. */
function Range({ condition, onChange, isMoment }: EditorProps & { isMoment: boolean }) {
  const { timeZone } = useSession().tenant
  const dayOf = (value: unknown) => (typeof value !== 'string' ? undefined : isMoment ? dayIn(value, timeZone) : value)
  const [from, to] = condition.values.map(dayOf)
  // A follow-up is planned; the times of a record have passed.
  const direction = isMoment ? 'past' : 'future'
  const change = (first: string | undefined, last: string | undefined): void => {
    const start = first === undefined ? null : isMoment ? startOfDay(first, timeZone) : first
    const end = last === undefined ? null : isMoment ? endOfDay(last, timeZone) : last
    onChange({ ...condition, values: [start, end] } as FilterCondition)
  }
  return (
    <div className={classes.days}>
      <DayField direction={direction} label="From" value={from} onChange={(day) => change(day, to)} />
      <DayField direction={direction} label="To" value={to} first={from} onChange={(day) => change(from, day)} />
    </div>
  )
}
