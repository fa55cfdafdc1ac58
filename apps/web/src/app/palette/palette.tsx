import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { BusinessSummary } from '@prospect/api-client'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { currentActions, perform, type RunnableAction, reasonAgainst } from '../../ui/actions/actions.ts'
import { useSingleKeys } from '../../ui/actions/use-single-keys.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { PipelineBadge } from '../../ui/prospects/pipeline-badge.tsx'
import { prospectSearchQuery } from '../../ui/prospects/prospect-search-queries.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { Name } from '../../ui/text/name.tsx'
import { KeyCaps } from '../keys/key-caps.tsx'
import { isOfSingleKeys } from '../keys/key-sequence.ts'
import classes from './palette.module.css'
import { inGroups, rankActions } from './rank.ts'

type Entry = { id: string; run: () => void; business?: BusinessSummary; action?: RunnableAction }

type Props = {
  typed: string
  type: (text: string) => void
  /** True if Enter was pressed before the results were complete: then the first result runs when they are. */
  isEntered: boolean
  enter: () => void
  close: () => void
}

const look = { padding: 0, size: 620, yOffset: '10vh', transitionProps: { duration: 60 } }

/** Palette (Ctrl/Cmd+K) to find prospects, pages and actions. The list follows the typed text; arrow keys select and Enter runs. */
export function Palette({ typed, type, isEntered, enter, close }: Props) {
  useDialogSlot(close, look)
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = useFoundProspects(typed)
  const navigate = useNavigate()
  const [actions] = useState(currentActions)

  const groups = useMemo(() => {
    const businesses: Entry[] = found.items.map((business) => ({
      id: business.id,
      business,
      run: () => void navigate({ to: '/prospects/$businessId', params: { businessId: business.id } }),
    }))
    const ranked = inGroups(rankActions(actions, typed)).map(([name, inside]): [string, Entry[]] => [
      name,
      inside.map((action) => ({ id: action.id, action, run: () => perform(action) })),
    ])
    return businesses.length === 0 ? ranked : [['Prospects', businesses] satisfies [string, Entry[]], ...ranked]
  }, [found.items, actions, typed, navigate])
  const entries = groups.flatMap(([, inside]) => inside)
  const current = Math.min(chosen, Math.max(0, entries.length - 1))
  const optionId = (entry: Entry | undefined): string | undefined => entry && `${listId}-${entry.id}`

  useEffect(() => {
    list.current?.querySelector(`[data-index="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    close()
    entry.run()
  }
  const awaited = isEntered && typed.trim() !== '' && found.isSettled ? entries[current] : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the results for the pending Enter are there
  useEffect(() => run(awaited), [awaited?.id])
  const onKeyDown = (event: KeyboardEvent): void => {
    // Safari ends a composition before it sends the Enter that ended it; only key code 229 identifies that Enter.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      setChosen((current + by + entries.length) % Math.max(1, entries.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const entry = entries[current]
      // Prospects found for a shorter text may not match the whole text, so wait for the final results.
      if (entry === undefined || (entry.business !== undefined && !found.isSettled)) enter()
      else run(entry)
    } else if (event.key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      close()
    }
  }

  return (
    <>
      <Modal.Overlay />
      <Modal.Content aria-label="Search and commands" radius="lg">
        <div className={classes.search}>
          <IconSearch size={18} stroke={1.6} aria-hidden />
          <input
            data-autofocus
            data-palette-field
            type="text"
            role="combobox"
            aria-label="Search prospects and commands"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={optionId(entries[current])}
            aria-autocomplete="list"
            placeholder="Find a prospect or run a command"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              type(event.currentTarget.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div ref={list} id={listId} role="listbox" aria-label="Results" className={classes.list}>
          {groups.map(([name, inside]) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox is not a fieldset
            <div key={name} role="group" aria-label={name}>
              <p className={classes.group} aria-hidden>
                {name}
              </p>
              {inside.map((entry) => {
                const index = entries.indexOf(entry)
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the search field keeps the focus and handles the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant instead of focused
                  <div
                    key={entry.id}
                    id={optionId(entry)}
                    role="option"
                    aria-selected={index === current}
                    data-index={index}
                    className={classes.option}
                    onClick={() => run(entry)}
                    onMouseMove={() => setChosen(index)}
                  >
                    {entry.business === undefined ? (
                      <ActionLine action={entry.action} />
                    ) : (
                      <BusinessLine business={entry.business} />
                    )}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p className={classes.status} role="status">
          {found.status ?? (entries.length === 0 ? 'No results.' : '')}
          {found.status === null && found.isSettled && typed.trim() !== '' && entries.length > 0 && (
            <span className="pp-visually-hidden">{countWords(entries.length, 'result', 'results')}</span>
          )}
        </p>
      </Modal.Content>
    </>
  )
}

function ActionLine({ action }: { action: RunnableAction | undefined }) {
  const [hasSingleKeys] = useSingleKeys()
  if (action === undefined) return null
  const { id, label, keys } = action
  // Show keys only if they would run this action: the innermost action with the same keys wins. Actions are created on each render, so compare ids.
  const isByKeys =
    keys !== undefined &&
    (hasSingleKeys || !isOfSingleKeys(keys)) &&
    currentActions().find((other) => other.keys === keys)?.id === id
  const reason = reasonAgainst(action)
  return (
    <>
      <span className={classes.label}>
        {label}
        {reason !== null && <span className={classes.soft}> {reason}</span>}
      </span>
      {isByKeys && <KeyCaps keys={keys} />}
    </>
  )
}

function BusinessLine({ business }: { business: BusinessSummary }) {
  return (
    <>
      <span className={classes.label}>
        <Name of={business.name} />
        {business.city !== null && (
          <span className={classes.soft}>
            {' '}
            <Name of={business.city} />
          </span>
        )}
      </span>
      {business.doNotContact && <DoNotContactMark />}
      <span className={classes.state}>
        <PipelineBadge state={business.pipelineState} />
      </span>
    </>
  )
}

const none: BusinessSummary[] = []

type Found = {
  items: BusinessSummary[]
  status: string | null
  /** True if the items match the complete typed text. */
  isSettled: boolean
}

function useFoundProspects(typed: string): Found {
  const wanted = typed.trim()
  const [query] = useDebouncedValue(wanted, 120)
  const mayRead = useCan('businesses.read')
  const isAsking = query !== '' && mayRead
  const { data, error, isPlaceholderData } = useQuery({
    ...prospectSearchQuery(query),
    enabled: isAsking,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isSettled = !mayRead || (query === wanted && data !== undefined && !isPlaceholderData)
  if (wanted === '' || !mayRead) return { items: none, status: null, isSettled }
  if (error !== null) {
    return { items: none, status: `Could not search prospects. ${sentenceOf(error)}`, isSettled: true }
  }
  // Until the debounced search has finished, an empty result is not reported as "nothing found".
  const status = !isSettled && (data ?? none).length === 0 ? 'Searching prospects' : null
  return { items: data ?? none, status, isSettled }
}
