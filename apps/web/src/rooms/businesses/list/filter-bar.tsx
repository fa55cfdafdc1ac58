import { Button, Menu } from '@mantine/core'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { assigneesQuery } from '../../../ui/people.ts'
import classes from './filter-bar.module.css'
import {
  clearedField,
  type FilterField,
  filterFieldNames,
  filterFields,
  filterSentence,
  hasFilter,
} from './filter-words.ts'
import { filterKeys, filtersOf, type ProspectFilters, type ProspectSearch } from './prospect-search.ts'

// A list that nobody filters needs none of it.
const FieldChip = lazy(() => import('./filter-editors.tsx').then((module) => ({ default: module.FieldChip })))

type FilterBarProps = {
  search: ProspectSearch
  /** Fields of the address to change; undefined takes one away. */
  change: (patch: { [K in keyof ProspectFilters]?: ProspectFilters[K] | undefined }) => void
  /** The board has its columns for the states. */
  withoutState: boolean
}

/** The filters as one sentence, "Prospects in New, assigned to me", of which every part can be changed or taken away. */
export function FilterBar({ search, change, withoutState }: FilterBarProps) {
  const [adding, setAdding] = useState<FilterField | null>(null)
  const { state, ...others } = filtersOf(search)
  const filters: ProspectFilters = withoutState || state === undefined ? others : { ...others, state }
  const people = useQuery({ ...assigneesQuery, enabled: filters.assignee !== undefined }).data ?? []
  const fields = filterFields.filter((field) => !(withoutState && field === 'state'))
  const shown = fields.filter((field) => hasFilter(filters, field) || field === adding)
  const addable = fields.filter((field) => !hasFilter(filters, field))

  return (
    <div className={classes.bar}>
      <p className="pp-visually-hidden" role="status">
        {filterSentence(filters, { people })}
      </p>
      {shown.length > 0 && (
        <span className={classes.lead} aria-hidden>
          Prospects
        </span>
      )}
      <Suspense fallback={null}>
        {shown.map((field) => (
          <FieldChip
            key={field}
            field={field}
            filters={filters}
            people={people}
            startOpen={field === adding}
            onClose={() => setAdding((current) => (current === field ? null : current))}
            onChange={change}
            onClear={() => change(clearedField(field))}
          />
        ))}
      </Suspense>
      {addable.length > 0 && (
        <Menu position="bottom-start" width={190} returnFocus={false}>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              className={classes.add}
              leftSection={shown.length === 0 ? <IconFilter size={15} stroke={1.7} /> : <IconPlus size={14} />}
              aria-label="Add a filter"
            >
              Filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {addable.map((field) => (
              <Menu.Item key={field} onClick={() => setAdding(field)}>
                {filterFieldNames[field]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Object.keys(filters).length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.add}
          onClick={() => change(Object.fromEntries(filterKeys.map((key) => [key, undefined])))}
        >
          Clear
        </Button>
      )}
    </div>
  )
}
