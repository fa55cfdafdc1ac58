import { ActionIcon, Button, Checkbox, Popover, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPin, IconPinnedFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { ButtonProxy, type Floating, useIsDrawn } from '../../layout/floating.tsx'
import {
  type ColumnPreferences,
  defaultPreferences,
  moveColumn,
  placeWords,
  toggleColumn,
  togglePinned,
} from './column-preferences.ts'
import classes from './columns-menu.module.css'
import type { DataColumn } from './table-types.ts'

export type Columns = {
  columns: readonly Pick<DataColumn<never>, 'id' | 'label' | 'isFixed' | 'width' | 'isOptional' | 'isPinned'>[]
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
}

/** Panel to choose the columns, their order and the density. */
export function ColumnsPanel({ columns, preferences, onPreferences, id, button, isOpen, setOpen }: Columns & Floating) {
  const isDrawn = useIsDrawn()
  const [announcement, setAnnouncement] = useState('')
  const ordered = [
    ...preferences.pinned,
    ...preferences.order.filter((id) => !preferences.pinned.includes(id)),
  ].flatMap((id) => columns.find((column) => column.id === id) ?? [])
  const move = (column: Columns['columns'][number], by: -1 | 1): void => {
    const next = moveColumn(preferences, column.id, by)
    onPreferences(next)
    setAnnouncement(placeWords(next, column))
  }
  return (
    <Popover id={id} opened={isOpen && isDrawn} onChange={setOpen} position="bottom-end" trapFocus width={300}>
      <Popover.Target>
        <ButtonProxy button={button} />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Columns and density">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Density"
          value={preferences.density}
          data={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
          onChange={(value) =>
            onPreferences({ ...preferences, density: value === 'compact' ? 'compact' : 'comfortable' })
          }
        />
        <ul className={classes.list}>
          {ordered.map((column) => {
            const isPinned = preferences.pinned.includes(column.id)
            return (
              <li key={column.id} className={classes.line}>
                <Checkbox
                  size="xs"
                  label={column.label}
                  className={classes.check}
                  checked={!preferences.hidden.includes(column.id)}
                  disabled={column.isFixed === true}
                  onChange={() => onPreferences(toggleColumn(preferences, column.id))}
                />
                <ActionIcon
                  size={24}
                  aria-label={`Pin ${column.label}`}
                  aria-pressed={isPinned}
                  onClick={() => onPreferences(togglePinned(preferences, column.id))}
                >
                  {isPinned ? <IconPinnedFilled size={14} /> : <IconPin size={14} stroke={1.6} />}
                </ActionIcon>
                <ActionIcon size={24} aria-label={`Move ${column.label} up`} onClick={() => move(column, -1)}>
                  <IconArrowUp size={14} stroke={1.6} />
                </ActionIcon>
                <ActionIcon size={24} aria-label={`Move ${column.label} down`} onClick={() => move(column, 1)}>
                  <IconArrowDown size={14} stroke={1.6} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
        <Button fullWidth variant="subtle" color="gray" onClick={() => onPreferences(defaultPreferences(columns))}>
          Reset columns
        </Button>
        <p role="status" className="pp-visually-hidden">
          {announcement}
        </p>
      </Popover.Dropdown>
    </Popover>
  )
}
