import { ActionIcon, CloseButton, SegmentedControl, TextInput } from '@mantine/core'
import { IconChevronDown, IconLayoutKanban, IconSearch, IconTable } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { useActions } from '../../../ui/actions/actions.ts'
import { useCan } from '../../../ui/api/session.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { useOpener } from '../../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../../ui/layout/menu.ts'
import { useDebouncedAddress } from '../../../ui/lists/use-address-later.ts'
import { newProspect } from '../new-prospect.ts'
import { FilterBar } from './filter-bar.tsx'
import type { ProspectSearch, SearchPatch } from './prospect-search.ts'
import classes from './prospect-toolbar.module.css'

type ProspectToolbarProps = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  clear: () => void
  /** Settings of the table, at the end of the row. */
  children?: ReactNode
}

/** Toolbar above the table or board: the view, the text search, the filters, and the button for a new prospect. */
export function ProspectToolbar({ search, change, clear, children }: ProspectToolbarProps) {
  return (
    <header className={classes.toolbar}>
      <div className={classes.first}>
        <h1 className={classes.title}>Prospects</h1>
        <SegmentedControl
          size="xs"
          className={classes.views}
          aria-label="View"
          value={search.view ?? 'table'}
          onChange={(view) => change({ view: view === 'board' ? 'board' : undefined })}
          data={[
            { value: 'table', label: <ViewLabel icon={<IconTable size={15} stroke={1.7} />} text="Table" /> },
            { value: 'board', label: <ViewLabel icon={<IconLayoutKanban size={15} stroke={1.7} />} text="Board" /> },
          ]}
        />
        <SearchField q={search.q ?? ''} onChange={(q) => change({ q: q === '' ? undefined : q })} />
        <span className={classes.end}>
          {children}
          <ActionButton action={newProspect} size="xs" className={classes.create} />
          <NewMenu />
        </span>
      </div>
      <FilterBar search={search} change={change} clear={clear} />
    </header>
  )
}

/** Menu beside the button for a new prospect. */
function NewMenu() {
  const { button, floating } = useOpener('menu')
  const isOffered = [useCan('businesses.write'), useCan('sources.preview')].every(Boolean)
  if (!isOffered) return null
  return (
    <>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="New prospects from a list"
        className={classes.more}
        {...button}
      >
        <IconChevronDown size={15} stroke={1.7} aria-hidden />
      </ActionIcon>
      {floating !== null && (
        <FloatingMenu {...floating} position="bottom-end" width={200}>
          {(Menu) => (
            <Menu.Item component={Link} to="/sources/csv-preview">
              Open a CSV file
            </Menu.Item>
          )}
        </FloatingMenu>
      )}
    </>
  )
}

function ViewLabel({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className={classes.view}>
      {icon}
      <span>{text}</span>
    </span>
  )
}

function SearchField({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(q)
  const send = useDebouncedAddress((text: string) => {
    sent.current = text.trim()
    onChange(sent.current)
  }, 200)

  // Show the search text of the address when the address changes by other means (Back, "Clear"). Text that is still being typed is not replaced.
  useEffect(() => {
    if (q !== sent.current) {
      send.cancel()
      sent.current = q
      setTyped(q)
    }
  }, [q, send])
  useActions('screen', [
    {
      id: 'search',
      label: 'Search this list',
      group: 'List',
      keys: '/',
      inPalette: false,
      run: () => input.current?.select(),
    },
  ])

  return (
    <TextInput
      ref={input}
      className={classes.search}
      size="xs"
      role="searchbox"
      aria-label="Search prospects"
      placeholder="Name, email, phone or domain"
      maxLength={inputLimits.search}
      leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size={24}
            aria-label="Clear search"
            onClick={() => {
              setTyped('')
              send('')
              input.current?.focus()
            }}
          />
        )
      }
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        send(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}
