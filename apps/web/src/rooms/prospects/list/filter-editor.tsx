import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { findSimilarNamesOptions, listBusinessesOptions } from '@prospect/api-client/query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { serverNow } from '../../../ui/api/server-clock.ts'
import { useSession } from '../../../ui/api/session.ts'
import { DayField } from '../../../ui/fields/day-field.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { PopoverChip } from '../../../ui/lists/popover-chip.tsx'
import { type ListedValue, ValueList } from '../../../ui/lists/value-list.tsx'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { PipelineIcon } from '../../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../../ui/prospects/pipeline-query.ts'
import { pipelineOrder, statesInUse } from '../../../ui/prospects/pipeline-words.ts'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'
import { countWords, totalNumber } from '../../../ui/text/count-words.ts'
import { dayIn, formatDay, formatNumber } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { type NumberValue, numberOf, numberProblem } from '../../../ui/text/typed-number.ts'
import { daysBefore, endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import classes from './filter-editor.module.css'
import {
  conditionOf,
  type FilterCondition,
  fields,
  grouped,
  isComplete,
  isDays,
  isRange,
  needsValues,
  opWords,
  type Preset,
  type WordContext,
  withOp,
} from './filter-fields.ts'
import { queryOf } from './prospect-search.ts'

/** Limits of the API. */
const MAX_VALUES = 20
const MIN_TOWN_LETTERS = 3
const dayCount = { min: 1, max: 3_650 }

type ChipProps = {
  condition: FilterCondition
  /** null: the condition is being chosen. */
  words: string | null
  startOpen: boolean
  context: WordContext
  /** Called with each change, also if the condition is not complete yet. */
  onChange: (condition: FilterCondition) => void
  onClear: () => void
  /** Called when the editor was closed. */
  onClose: () => void
}

/** The chip of one condition with its editor, which also shows a condition that is not complete yet. */
export function ConditionChip({ condition: given, words, startOpen, onChange, onClear, onClose, context }: ChipProps) {
  const [draft, setDraft] = useState(given)
  const condition = isComplete(draft) ? given : draft
  const change = (next: FilterCondition): void => {
    setDraft(next)
    onChange(next)
  }
  return (
    <PopoverChip
      name={fields[condition.field].name}
      words={words}
      startOpen={startOpen}
      onClose={onClose}
      onClear={onClear}
    >
      {(close) => <ConditionEditor condition={condition} onChange={change} context={context} close={close} />}
    </PopoverChip>
  )
}

type EditorProps = {
  condition: FilterCondition
  onChange: (condition: FilterCondition) => void
  context: WordContext
  /** Closes the editor after a choice. */
  close: () => void
}

function ConditionEditor(props: EditorProps) {
  const { condition, onChange } = props
  const { field, op } = condition
  const { ops, none } = fields[field]
  const offered = ops.includes(op) ? ops : [...ops, op]
  return (
    <div className={classes.editor}>
      {offered.length > 1 && (
        <Select
          aria-label="Operator"
          size="xs"
          comboboxProps={{ withinPortal: false }}
          data={offered.map((one) => ({ value: one, label: opWords[one] }))}
          value={op}
          onChange={(next) => next !== null && onChange(withOp(condition, next))}
        />
      )}
      {(needsValues(op) || none !== undefined) && <Values {...props} />}
      <Presets {...props} />
    </div>
  )
}

function Values(props: EditorProps) {
  const { field, op } = props.condition
  const { kind } = fields[field]
  if (isDays(op)) return <Days {...props} />
  if (kind === 'number') return <Numbers {...props} />
  return isRange(op) ? <Range {...props} isMoment={kind === 'time'} /> : <Choices {...props} />
}

/** Known values, or texts with suggestions. The value `none` is the empty field, and a group stands for its values. */
function Choices({ condition, onChange, context, close }: EditorProps) {
  const { field, op, values } = condition
  const { name, kind, ops, groups = [], none } = fields[field]
  const { options, isLoading, error, onTyped } = useOptions(condition, context)
  const isOne = kind === 'flag' || !ops.includes('none_of')
  const texts = grouped(field, values).map(String)
  const chosen = op === 'is_empty' ? ['none'] : texts
  const choose = (value: string, isAdded: boolean): void => {
    if (value === 'none' && none !== undefined) {
      onChange(conditionOf(field, 'is_empty', []))
      close()
      return
    }
    const isList = !isOne && (isAdded || texts.length > 1)
    const next = !isList ? [value] : texts.includes(value) ? texts.filter((one) => one !== value) : [...texts, value]
    const whole = next.flatMap((one) => groups.find((group) => group.value === one)?.values ?? [one])
    const sent = kind === 'flag' ? whole.map((one) => one === 'true') : [...new Set(whole)].slice(0, MAX_VALUES)
    onChange(conditionOf(field, needsValues(op) ? op : 'any_of', sent))
    if (!isList) close()
  }
  return (
    <ValueList
      label={name}
      options={options}
      chosen={chosen}
      takesText={kind === 'text'}
      {...(!isOne && kind !== 'text' && { hint: 'Click a box or press Shift+Enter to choose several.' })}
      onTyped={onTyped}
      isLoading={isLoading}
      error={error}
      choose={choose}
      leave={close}
    />
  )
}

type Options = {
  options: ListedValue[]
  isLoading: boolean
  error: string | null
  onTyped: ((typed: string) => void) | undefined
}

/** Values to choose from: those of the table, or those that the server suggests for the typed text. Chosen values are always among them. */
function useOptions({ field, op, values }: FilterCondition, context: WordContext): Options {
  const { user } = useSession()
  const [typed, setTyped] = useState('')
  const { kind, options, groups = [], none } = fields[field]
  const pipeline = useQuery({ ...pipelineQuery, enabled: field === 'state' })
  const assignees = useQuery({ ...assigneesQuery, enabled: field === 'assignee' })
  const prefix = typed.trim().slice(0, 100)
  const tags = useQuery({ ...tagsStartingWith(prefix), enabled: field === 'tag' })
  const town = useTown(field === 'city' ? prefix : '')
  const used = field === 'state' ? pipeline : field === 'tag' ? tags : assignees
  const states = statesInUse(pipeline.data)
  const known: ListedValue[] =
    options?.({ ...context, people: assignees.data ?? context.people, states, userId: user.id }).map((option) => ({
      ...option,
      ...(field === 'state' && { icon: <PipelineIcon state={stateOf(option.value)} /> }),
    })) ?? []
  // Until the tags for the typed text arrive, show only matching ones of the previous list, because Enter selects the first.
  const suggested = (tags.data?.items ?? [])
    .filter(({ tag }) => !tags.isPlaceholderData || tag.toLowerCase().startsWith(prefix.toLowerCase()))
    .map(({ tag, count }) => ({ value: tag, label: nameText(tag), detail: formatNumber(count) }))
  const isSearched = field === 'tag'
  const listed = [
    ...groups.filter(() => states.length > 0),
    ...known,
    ...(isSearched ? suggested : town),
    ...(none !== undefined && (op === 'any_of' || op === 'is_empty') ? [{ value: 'none', label: none }] : []),
  ]
  const isFree = isSearched || kind === 'text'
  const others = grouped(field, values)
    .map(String)
    .filter((value) => !listed.some((option) => option.value === value) && (!isFree || prefix === ''))
    .map((value) => {
      const name = nameText(context.people.find(({ id }) => id === value)?.name ?? value)
      return { value, label: isFree || used.isPending ? name : `${name} (no longer exists)` }
    })
  return {
    options: [...others, ...listed],
    isLoading: used.isFetching && used.data === undefined,
    error: used.error === null ? null : sentenceOf(used.error),
    onTyped: isFree ? setTyped : undefined,
  }
}

/** The town of the workspace's prospects that the typed text names or resembles, also by another of its names, with the number of prospects. */
function useTown(typed: string): ListedValue[] {
  const [asked] = useDebouncedValue(typed, 200)
  const isAsked = typed !== '' && asked.length >= MIN_TOWN_LETTERS
  const similar = useQuery({
    ...findSimilarNamesOptions({ query: { q: asked } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const town = similar.data?.city ?? null
  const query = { ...queryOf([conditionOf('city', 'any_of', [town ?? ''])]), limit: 1 }
  const counted = useQuery({ ...listBusinessesOptions({ query }), enabled: isAsked && town !== null }).data?.page.total
  if (!isAsked || town === null) return []
  return [{ value: town, label: nameText(town), detail: counted ? totalNumber(counted) : undefined }]
}

const stateOf = (value: string) => pipelineOrder.find((state) => state === value) ?? 'new'

function Days({ condition: { field, op, values }, onChange }: EditorProps) {
  const [typed, setTyped] = useState<NumberValue>(Number(values[0] ?? 0) || '')
  return (
    <NumberField
      data-autofocus
      label="Days"
      size="xs"
      {...dayCount}
      value={typed}
      onChange={(days) => {
        setTyped(days)
        const isValid = typeof days === 'number' && numberProblem(days, dayCount) === null
        onChange(conditionOf(field, op, isValid ? [days] : []))
      }}
    />
  )
}

/** Two whole numbers, both included. One of them may be blank. */
function Numbers({ condition: { field, op, values }, onChange }: EditorProps) {
  const { range = {} } = fields[field]
  const valueAt = (end: number): NumberValue => (typeof values[end] === 'number' ? values[end] : '')
  const [typed, setTyped] = useState<readonly NumberValue[]>([valueAt(0), valueAt(1)])
  const change = (end: number, value: NumberValue): void => {
    const next = [0, 1].map((one) => (one === end ? value : (typed[one] ?? '')))
    setTyped(next)
    const isValid = next.every((one) => numberProblem(one, range) === null)
    onChange(conditionOf(field, op, isValid ? next.map((one) => numberOf(one, range)) : [null, null]))
  }
  const shared = { size: 'xs', ...range } as const
  return (
    <div className={classes.ends}>
      <NumberField data-autofocus label="From" {...shared} value={typed[0] ?? ''} onChange={(one) => change(0, one)} />
      <NumberField label="To" {...shared} value={typed[1] ?? ''} onChange={(one) => change(1, one)} />
    </div>
  )
}

/** Two days, both included. A time of a record is stored as the moments at which they begin and end in the workspace's zone. */
function Range({ condition, onChange, isMoment, context: { timeZone } }: EditorProps & { isMoment: boolean }) {
  const dayOf = (value: unknown) => (typeof value !== 'string' ? undefined : isMoment ? dayIn(value, timeZone) : value)
  const [from, to] = condition.values.map(dayOf)
  // A follow-up is planned; the times of a record have passed.
  const direction = isMoment ? 'past' : 'future'
  const change = (first: string | undefined, last: string | undefined): void => {
    const start = first === undefined ? null : isMoment ? startOfDay(first, timeZone) : first
    const end = last === undefined ? null : isMoment ? endOfDay(last, timeZone) : last
    onChange(conditionOf(condition.field, condition.op, [start, end]))
  }
  return (
    <div className={classes.ends}>
      <DayField isFocused direction={direction} label="From" value={from} onChange={(day) => change(day, to)} />
      <DayField direction={direction} label="To" value={to} first={from} onChange={(day) => change(from, day)} />
    </div>
  )
}

/** Usual ranges, which one click or Enter chooses. */
function Presets({ condition: { field }, onChange, context: { timeZone }, close }: EditorProps) {
  const { kind, presets: own } = fields[field]
  const presets = own?.() ?? (kind === 'time' ? timePresets(timeZone) : [])
  if (presets.length === 0) return null
  return (
    <div className={classes.presets}>
      {presets.map(({ label, op, values }) => (
        <Button
          key={label}
          variant="subtle"
          color="gray"
          size="compact-sm"
          justify="flex-start"
          onClick={() => {
            onChange(conditionOf(field, op, values))
            close()
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

function timePresets(timeZone: string): Preset[] {
  const today = dayIn(serverNow().toISOString(), timeZone)
  // By the calendar, because a day on which clocks change does not have 24 hours.
  const since = (days: number, label?: string): Preset => {
    const day = daysBefore(today, days)
    return { label: label ?? `Since ${formatDay(day)}`, op: 'between', values: [startOfDay(day, timeZone), null] }
  }
  // Relative to the day on which the list is read, so that a saved filter stays current.
  const last = (days: number): Preset => ({
    label: `Last ${countWords(days, 'day', 'days')} (always current)`,
    op: 'within_days',
    values: [days],
  })
  return [since(0, 'Today'), since(6), since(29), last(7), last(30)]
}
