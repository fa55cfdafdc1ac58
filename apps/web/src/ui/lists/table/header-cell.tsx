import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconChevronDown,
  IconEyeOff,
  IconPin,
  IconPinnedOff,
} from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useOpener } from '../../layout/floating.tsx'
import { FloatingMenu } from '../../layout/menu.ts'
import {
  type ColumnPreferences,
  maxWidth,
  minWidth,
  moveColumn,
  placeColumn,
  placeWords,
  resizeColumn,
  toggleColumn,
  togglePinned,
} from './column-preferences.ts'
import classes from './data-table.module.css'
import { cellStyle } from './table-row.tsx'
import type { DataColumn } from './table-types.ts'

type HeaderCellProps = {
  column: Pick<DataColumn<never>, 'id' | 'label' | 'sort' | 'isFixed' | 'align'>
  /** True if the column stays in place while the others scroll: it is pinned and there is room for it. */
  isStuck: boolean
  isGrowing: boolean
  isResizing: boolean
  startResize: (event: unknown) => void
  width: number
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
  sort: string
  onSort: ((sort: string) => void) | undefined
  /** Announces a change of the column to screen readers. */
  tell: (text: string) => void
}

/** Header of a column. A click sorts; the menu moves, pins, resizes and hides, also by keyboard; the mouse can drag it. */
export function HeaderCell(props: HeaderCellProps) {
  const { column, isStuck, preferences, onPreferences, sort, onSort } = props
  const isPinned = preferences.pinned.includes(column.id)
  const { element, dropSide } = useColumnDrag(props)
  const { button, floating } = useOpener('menu')
  const direction =
    column.sort?.ascending === sort ? 'ascending' : column.sort?.descending === sort ? 'descending' : null

  const sortOn = (): void => {
    if (column.sort === undefined) return
    const next =
      direction === null
        ? column.sort.first
        : direction === 'ascending'
          ? ('descending' as const)
          : ('ascending' as const)
    onSort?.(column.sort[next])
  }
  const move = (by: -1 | 1): void => {
    const next = moveColumn(preferences, column.id, by)
    onPreferences(next)
    props.tell(placeWords(next, column))
  }
  const widen = (by: number): void => {
    const next = resizeColumn(preferences, column.id, props.width + by)
    onPreferences(next)
    props.tell(`${column.label}: ${next.widths[column.id]} pixels wide`)
  }

  return (
    <th
      ref={element}
      scope="col"
      // The label alone: otherwise the name of the menu button would be read as part of the header with every cell.
      aria-label={column.label}
      aria-sort={direction ?? (column.sort === undefined ? undefined : 'none')}
      className={classes.headCell}
      data-pinned={isStuck || undefined}
      data-grows={props.isGrowing || undefined}
      data-align={column.align}
      data-drop={dropSide ?? undefined}
      style={cellStyle(column.id, isStuck)}
    >
      {column.sort === undefined ? (
        <span className={classes.headLabel}>{column.label}</span>
      ) : (
        <button
          type="button"
          className={classes.headLabel}
          onClick={sortOn}
          data-sorted={direction !== null || undefined}
        >
          {column.label}
          {direction === 'ascending' && <IconArrowUp size={13} stroke={2} aria-hidden />}
          {direction === 'descending' && <IconArrowDown size={13} stroke={2} aria-hidden />}
        </button>
      )}
      <button type="button" className={classes.headMenu} aria-label={`Column ${column.label}`} {...button}>
        <IconChevronDown size={14} stroke={1.8} aria-hidden />
      </button>
      {floating !== null && (
        <FloatingMenu {...floating} position="bottom-end" width={190}>
          {(Menu) => (
            <>
              {column.sort !== undefined && (
                <>
                  <Menu.Item
                    leftSection={<IconArrowUp size={15} />}
                    onClick={() => onSort?.(column.sort?.ascending ?? sort)}
                  >
                    Sort ascending
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconArrowDown size={15} />}
                    onClick={() => onSort?.(column.sort?.descending ?? sort)}
                  >
                    Sort descending
                  </Menu.Item>
                  <Menu.Divider />
                </>
              )}
              <Menu.Item closeMenuOnClick={false} leftSection={<IconArrowLeft size={15} />} onClick={() => move(-1)}>
                Move left
              </Menu.Item>
              <Menu.Item closeMenuOnClick={false} leftSection={<IconArrowRight size={15} />} onClick={() => move(1)}>
                Move right
              </Menu.Item>
              <Menu.Item closeMenuOnClick={false} disabled={props.width >= maxWidth} onClick={() => widen(24)}>
                Wider
              </Menu.Item>
              <Menu.Item closeMenuOnClick={false} disabled={props.width <= minWidth} onClick={() => widen(-24)}>
                Narrower
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
                onClick={() => onPreferences(togglePinned(preferences, column.id))}
              >
                {isPinned ? 'Unpin' : 'Pin to the left'}
              </Menu.Item>
              {column.isFixed !== true && (
                <Menu.Item
                  leftSection={<IconEyeOff size={15} />}
                  onClick={() => onPreferences(toggleColumn(preferences, column.id))}
                >
                  Hide
                </Menu.Item>
              )}
            </>
          )}
        </FloatingMenu>
      )}
      {/* Resize handle for the mouse. Keyboard users resize with "Wider" and "Narrower" in the menu. */}
      <span
        aria-hidden
        className={classes.resizer}
        data-resize-handle
        data-resizing={props.isResizing || undefined}
        onMouseDown={props.startResize}
        onTouchStart={props.startResize}
      />
    </th>
  )
}

function useColumnDrag({ column, preferences, onPreferences }: HeaderCellProps) {
  const element = useRef<HTMLTableCellElement>(null)
  const [dropSide, setDropSide] = useState<'before' | 'after' | null>(null)
  const onDrop = useEffectEvent((id: string, side: 'before' | 'after') =>
    onPreferences(placeColumn(preferences, id, column.id, side)),
  )

  useEffect(() => {
    const node = element.current
    if (node === null) return
    let isGone = false
    let stop: (() => void) | null = null
    // Loaded separately, because nobody drags a column in the first second.
    import('./column-drag.ts').then(
      ({ makeDraggable }) => {
        if (isGone) return
        stop = makeDraggable(node, column.id, setDropSide, (id, side) => onDrop(id, side))
      },
      // If loading fails, columns can still be moved with their menu.
      () => undefined,
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [column.id])
  return { element, dropSide }
}
