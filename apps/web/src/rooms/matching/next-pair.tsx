import type { MatchSuggestionSummary, Merge } from '@prospect/api-client'
import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { isFocusLost } from '../../ui/focus/lost-focus.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './matching.module.css'
import { suggestionsQuery } from './matching.queries.ts'
import { percent } from './matching-words.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set when arriving from a merge: id of the next pair in its list, or null at the end of the list. */
    pairAfterMerge?: string | null
  }
}

/** Suggestions of the survivor are recomputed within about a second after a merge; poll for them this long. */
const LOOK_EVERY_MS = 1_000
const LOOK_FOR_MS = 10_000

/** Link to the next pair to decide: one of the surviving record if there is one, otherwise of the list from which the merged pair was opened. */
export function NextPair({ merge: { survivor, mergedAt, suggestionId } }: { merge: Merge }) {
  const search = useSearch({ from: '/desk/duplicates/merges/$mergeId' })
  const afterMerge = useLocation({ select: ({ state }) => state.pairAfterMerge })
  const isFresh = () => serverNow().getTime() - Date.parse(mergedAt) < LOOK_FOR_MS
  const { data, isPending } = useInfiniteQuery({
    ...suggestionsQuery({ businessId: survivor.id }),
    refetchInterval: () => (isFresh() ? LOOK_EVERY_MS : false),
  })
  const { status: _, ...openPairs } = search
  const list = useInfiniteQuery(suggestionsQuery(openPairs))
  const another = data?.items[0]
  const other = another?.businesses.find(({ id }) => id !== survivor.id)
  const next = another ?? nextIn(list.data?.items ?? [], suggestionId, afterMerge)
  const nextActions: Action[] =
    next === undefined
      ? []
      : [
          {
            id: 'merge-next',
            label: 'Next pair',
            group: 'This merge',
            keys: 'j',
            to: '/duplicates/$suggestionId',
            params: { suggestionId: next.id },
            search,
          },
        ]
  useActions('screen', nextActions)
  const section = useRef<HTMLElement>(null)
  const isKnown = next !== undefined
  useEffect(() => {
    // Focus the link so that Enter continues immediately, as after a rejection.
    if (isKnown && afterMerge !== undefined && isFocusLost()) section.current?.querySelector('a')?.focus()
  }, [isKnown, afterMerge])
  return (
    <section ref={section} className={classes.note} aria-label="Next">
      <IconArrowRight size={18} aria-hidden />
      {nextActions.map((action) => (
        <ActionButton key={action.id} action={action} size="compact-sm" />
      ))}
      <p role="status">
        {other === undefined || another === undefined ? (
          <>
            {data !== undefined ? (
              <>
                No other possible duplicate of <Name of={survivor.name} />.
              </>
            ) : isPending ? (
              'Searching for other possible duplicates.'
            ) : (
              'Could not check for other possible duplicates.'
            )}{' '}
            <Link to="/duplicates" search={search}>
              Back to list
            </Link>
          </>
        ) : (
          <>
            <b>
              <Name of={other.name} />
            </b>{' '}
            may also be the same business as <Name of={survivor.name} />, {percent(another.score)}.
          </>
        )}
      </p>
    </section>
  )
}

/** The pair that followed the merged one, or the first remaining one. Skips the merged pair, which an older list may still contain. */
function nextIn(
  items: readonly MatchSuggestionSummary[],
  mergedId: string,
  afterMerge: string | null | undefined,
): MatchSuggestionSummary | undefined {
  return items.find(({ id }) => id === afterMerge) ?? items.find(({ id }) => id !== mergedId)
}
