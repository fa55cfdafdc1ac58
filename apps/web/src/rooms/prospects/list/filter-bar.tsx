import { Button } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import type { PersonRef, RemovedFilterValue } from '@prospect/api-client'
import { IconFilter, IconPlus, IconTrendingUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useSession } from '../../../ui/api/session.ts'
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts'
import { useOpener } from '../../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../../ui/layout/menu.ts'
import { lazyPart, usePrefetchParts } from '../../../ui/lazy/lazy-part.tsx'
import { type ScoreBands, useScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { type ChipField, chipFields, clearedField, conditionsFrom, furtherOf, hasFilter } from './address-filters.ts'
import { canonicalText, writeConditions } from './condition-text.ts'
import classes from './filter-bar.module.css'
import { editedFields, type FilterCondition, type FollowUpTerm, fields, followUpTerms } from './filter-fields.ts'
import { filterSentence } from './filter-words.ts'
import { ignoredOnBoard, shownFilters } from './prospect-query.ts'
import type { ProspectFilters, ProspectSearch, SearchPatch } from './prospect-search.ts'
import { useRemovedValues } from './removed-values.ts'

// Loaded when a filter is used: an unfiltered list needs none of this code.
const FieldChip = lazyPart('filter', () => import('./filter-editors.tsx').then((module) => module.FieldChip))
const FurtherChips = lazyPart('further-filters', () =>
  import('./further-chips.tsx').then((module) => module.FurtherChips),
)
const RemovedNotice = lazyPart('removed-filter-values', () =>
  import('./removed-notice.tsx').then((module) => module.RemovedNotice),
)
const nextParts = [FieldChip, FurtherChips]

type FilterBarProps = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  /** Clears all filters. */
  clear: () => void
}

/** Filters as one sentence, "Prospects in New, assigned to me", in which every part can be changed or removed. */
export function FilterBar({ search, change, clear }: FilterBarProps) {
  const { timeZone } = useSession().tenant
  const [adding, setAdding] = useState<ChipField | null>(null)
  const { button, floating } = useOpener('menu')
  usePrefetchParts(nextParts)
  const filters = shownFilters(search)
  // The new filter was chosen and is in the address now.
  if (adding !== null && hasFilter(filters, adding)) setAdding(null)
  const [editing, setEditing] = useState<FilterCondition | null>(null)
  const further = furtherOf(filters)
  // The address has the condition now: its chip shows it from here on.
  if (editing !== null && further.some((one) => canonicalText([one]) === canonicalText([editing]))) setEditing(null)
  const edit = (field: FilterCondition['field'], values: string[]): void => {
    setAdding(null)
    setEditing(firstCondition(field, values))
  }
  const addCondition = (condition: FilterCondition): void => {
    setEditing(condition)
    const simple = chipFields.find((field) => field === condition.field)
    change({
      ...(simple !== undefined && clearedField(simple)),
      conditions: writeConditions([...further, condition]),
    })
  }
  const editable = editedFields.filter(
    (field) => fields[field].isSingle !== true || !further.some((one) => one.field === field),
  )
  const add = useRef<HTMLButtonElement>(null)
  useFocusAfter(adding !== null || editing !== null, add)
  const addRef = useMergedRef(add, button.ref)
  const removed = useRemovedValues(filters)
  const members =
    useQuery({ ...assigneesQuery, enabled: filters.assignee !== undefined || filters.conditions !== undefined }).data ??
    []
  const people = [...members, ...removed.flatMap(formerMember)]
  const bands = useScoreBands()
  const context = { people, bands, timeZone }
  const usable = chipFields.filter((field) => search.view !== 'board' || !ignoredOnBoard.includes(field))
  const shown = usable.filter((field) => hasFilter(filters, field) || field === adding)
  const addable = usable.filter((field) => !hasFilter(filters, field))

  return (
    <div>
      <div className={classes.bar}>
        <p className="pp-visually-hidden" role="status">
          {filterSentence(conditionsFrom(filters, timeZone), context)}
        </p>
        {shown.length > 0 && (
          <span className={classes.lead} aria-hidden>
            Prospects
          </span>
        )}
        {shown.map((field) => (
          <FieldChip
            key={field}
            field={field}
            filters={filters}
            context={context}
            startOpen={field === adding}
            onClose={() => setAdding((current) => (current === field ? null : current))}
            onChange={change}
            onClear={() => change(clearedField(field))}
            onMore={edit}
          />
        ))}
        {(filters.conditions !== undefined || editing !== null) && (
          <FurtherChips
            filters={filters}
            people={people}
            bands={bands}
            added={editing}
            change={change}
            onAdd={addCondition}
            onClose={() => setEditing(null)}
          />
        )}
        {addable.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.add}
            leftSection={shown.length === 0 ? <IconFilter size={15} stroke={1.7} /> : <IconPlus size={14} />}
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
                  <Menu.Item key={field} onClick={() => setAdding(field)}>
                    {fields[field].name}
                  </Menu.Item>
                ))}
                {editable.map((field) => (
                  <Menu.Item key={field} onClick={() => edit(field, [])}>
                    {fields[field].name}
                  </Menu.Item>
                ))}
                {followUpTerms.map((term) => (
                  <Menu.Item key={term} onClick={() => change({ conditions: withFollowUp(filters, term) })}>
                    {followUpNames[term]}
                  </Menu.Item>
                ))}
              </>
            )}
          </FloatingMenu>
        )}
        {Object.keys(filters).length === 0 && <CouldReach bands={bands} change={change} />}
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" className={classes.add} onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {removed.length > 0 && <RemovedNotice removed={removed} filters={filters} change={change} />}
    </div>
  )
}

/** A former member as a person with a name, for the words of the chips. */
function formerMember({ field, value, name }: RemovedFilterValue): PersonRef[] {
  return field === 'assignee' && name !== null ? [{ id: value, name }] : []
}

const followUpNames: Record<FollowUpTerm, string> = {
  overdue: 'Follow-up overdue',
  today: 'Follow-up due today',
  this_week: 'Follow-up due this week',
}

/** The condition with which the editor opens: the value of the chip that it replaces, or none. */
function firstCondition(field: FilterCondition['field'], values: string[]): FilterCondition {
  const op = fields[field].ops[0] ?? 'any_of'
  return { field, op, values: op === 'within_days' ? [7] : values } as FilterCondition
}

/** The further conditions with this term in place of an earlier one. */
function withFollowUp(filters: ProspectFilters, term: FollowUpTerm): string {
  const others = furtherOf(filters).filter(({ field }) => field !== 'followUp')
  return writeConditions([...others, { field: 'followUp', op: 'any_of', values: [term] }])
}

/** Button for the prospects to verify next: those below the best band that could reach it, best first. */
function CouldReach({ bands, change }: { bands: ScoreBands; change: (patch: SearchPatch) => void }) {
  const [best] = bands
  const label = best === undefined ? '' : `Possible priority ${nameText(best.name)}`
  const show: Action = {
    id: 'prospects.could_reach',
    label,
    group: 'List',
    Icon: IconTrendingUp,
    keywords: 'score priority verify next',
    unavailable: best === undefined || best.from === 0,
    run: () => best && change({ reachable: best.id, scoreTo: String(best.from - 1), sort: '-score' }),
  }
  useActions('screen', [show])
  return <ActionButton action={show} variant="subtle" color="gray" size="compact-sm" className={classes.add} />
}
