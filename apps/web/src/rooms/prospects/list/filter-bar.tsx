import { Button } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import type { FilterInput, PersonRef, RemovedFilterValue } from '@prospect/api-client'
import { IconFilter, IconPlus, IconTrendingUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useSession } from '../../../ui/api/session.ts'
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts'
import { useOpener } from '../../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../../ui/layout/menu.ts'
import { lazyPart, usePrefetchParts } from '../../../ui/lazy/lazy-part.tsx'
import { type ScoreBands, useScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { withoutValue } from '../../../ui/prospects/without-value.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { canonicalText } from './condition-text.ts'
import classes from './filter-bar.module.css'
import {
  conditionOf,
  type FilterCondition,
  type FilterField,
  type FollowUpTerm,
  fieldNames,
  fields,
  followUpTerms,
  inOrder,
  isComplete,
} from './filter-fields.ts'
import { conditionWords, filterSentence } from './filter-words.ts'
import { conditionsOf, filterPatch, isUsed, type ProspectSearch, type SearchPatch } from './prospect-search.ts'
import { useRemovedValues } from './removed-values.ts'

// Loaded when a filter is used: an unfiltered list needs none of this code.
const ConditionChip = lazyPart('filter', () => import('./filter-editor.tsx').then((module) => module.ConditionChip))
const RemovedNotice = lazyPart('removed-filter-values', () =>
  import('./removed-notice.tsx').then((module) => module.RemovedNotice),
)
const nextParts = [ConditionChip]

type FilterBarProps = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  /** Clears all filters. */
  clear: () => void
}

/** Filters as one sentence, "Prospects in New, assigned to me", in which every part can be changed or removed. */
export function FilterBar({ search, change, clear }: FilterBarProps) {
  const { timeZone } = useSession().tenant
  /** The condition that is being chosen, until the address contains it. */
  const [begun, setBegun] = useState<FilterCondition | null>(null)
  const { button, floating } = useOpener('menu')
  usePrefetchParts(nextParts)
  const all = conditionsOf(search, timeZone)
  const set = (next: FilterInput) => change(filterPatch(next, timeZone))
  if (begun !== null && all.some((one) => canonicalText([one]) === canonicalText([begun]))) setBegun(null)
  const add = useRef<HTMLButtonElement>(null)
  useFocusAfter(begun !== null, add)
  const addRef = useMergedRef(add, button.ref)
  const conditions = all.filter((one) => isUsed(one, search))
  const removed = useRemovedValues(conditions)
  const namesPeople = conditions.some(({ field }) => field === 'assignee')
  const members = useQuery({ ...assigneesQuery, enabled: namesPeople }).data ?? []
  const people = [...members, ...removed.flatMap(formerMember)]
  const bands = useScoreBands()
  const context = { people, bands, timeZone }
  // The search text has its own input.
  const chips = inOrder([...conditions, ...(begun === null ? [] : [begun])]).filter(({ field }) => field !== 'q')
  const addable = fieldNames.filter((field) => {
    const { kind, isSingle = false } = fields[field]
    const isTaken = isSingle && conditions.some((one) => one.field === field)
    return kind !== 'search' && !isTaken && isUsed({ field }, search)
  })

  const chipOf = (condition: FilterCondition, index: number): ReactNode => {
    const { field, op } = condition
    const isBegun = condition === begun
    const isPlain = isBegun && op === fields[field].ops[0]
    // A condition keeps its place among those of its field when the address contains it, so its editor stays open.
    const place = chips.slice(0, index).filter((one) => one.field === field).length
    return (
      <ConditionChip
        key={`${field} ${place}`}
        condition={condition}
        words={isPlain ? null : conditionWords(condition, context)}
        startOpen={isBegun}
        context={context}
        onChange={(next) => {
          if (isBegun) setBegun(next)
          if (isComplete(next)) set(isBegun ? [...all, next] : all.map((one) => (one === condition ? next : one)))
        }}
        onClear={() => (isBegun ? setBegun(null) : set(all.filter((one) => one !== condition)))}
        // A condition without a value stays if another operator was chosen for it.
        onClose={() => isBegun && setBegun((left) => (left !== null && isBareField(left) ? null : left))}
      />
    )
  }

  return (
    <div>
      <div className={classes.bar}>
        <p className="pp-visually-hidden" role="status">
          {filterSentence(conditions, context)}
        </p>
        {chips.length > 0 && (
          <span className={classes.lead} aria-hidden>
            Prospects
          </span>
        )}
        {chips.map(chipOf)}
        {addable.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.add}
            leftSection={chips.length === 0 ? <IconFilter size={15} stroke={1.7} /> : <IconPlus size={14} />}
            aria-label="Add filter"
            {...button}
            ref={addRef}
          >
            Filter
          </Button>
        )}
        {addable.length > 0 && floating !== null && (
          <FloatingMenu {...floating} position="bottom-start" width={190} returnFocus={false}>
            {(Menu) => (
              <>
                {addable.map((field) => (
                  <Menu.Item key={field} onClick={() => setBegun(bareField(field))}>
                    {fields[field].name}
                  </Menu.Item>
                ))}
                {followUpTerms.map((term) => (
                  <Menu.Item key={term} onClick={() => set(withFollowUp(all, term))}>
                    {followUpNames[term]}
                  </Menu.Item>
                ))}
              </>
            )}
          </FloatingMenu>
        )}
        {conditions.length === 0 && (
          <CouldReach
            choose={(best) =>
              change({
                ...filterPatch(
                  [
                    ...all,
                    conditionOf('reachable', 'any_of', [best.id]),
                    conditionOf('score', 'between', [null, best.from - 1]),
                  ],
                  timeZone,
                ),
                sort: '-score',
              })
            }
            bands={bands}
          />
        )}
        {conditions.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" className={classes.add} onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {removed.length > 0 && <RemovedNotice removed={removed} remove={(one) => set(withoutValue(all, one))} />}
    </div>
  )
}

const bareField = (field: FilterField): FilterCondition => conditionOf(field, fields[field].ops[0] ?? 'any_of', [])
const isBareField = (one: FilterCondition) => !isComplete(one) && one.op === bareField(one.field).op

/** A former member as a person with a name, for the words of the chips. */
function formerMember({ field, value, name }: RemovedFilterValue): PersonRef[] {
  return field === 'assignee' && name !== null ? [{ id: value, name }] : []
}

const followUpNames: Record<FollowUpTerm, string> = {
  overdue: 'Follow-up overdue',
  today: 'Follow-up due today',
  this_week: 'Follow-up due this week',
  next_week: 'Follow-up due next week',
}

/** The conditions with this term in place of an earlier one. */
const withFollowUp = (conditions: FilterInput, term: FollowUpTerm): FilterInput => [
  ...conditions.filter(({ field }) => field !== 'followUp'),
  conditionOf('followUp', 'any_of', [term]),
]

/** Button for the prospects to verify next: those below the best band with possible priority it, best first. */
function CouldReach({ bands, choose }: { bands: ScoreBands; choose: (best: ScoreBands[number]) => void }) {
  const [best] = bands
  const label = best === undefined ? '' : `Possible priority ${nameText(best.name)}`
  const show: Action = {
    id: 'prospects.could_reach',
    label,
    group: 'List',
    Icon: IconTrendingUp,
    keywords: 'score priority verify next',
    unavailable: best === undefined || best.from === 0,
    run: () => best && choose(best),
  }
  useActions('screen', [show])
  return <ActionButton action={show} variant="subtle" color="gray" size="compact-sm" className={classes.add} />
}
