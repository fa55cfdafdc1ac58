import type { Merge } from '@prospect/api-client'
import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCommands } from '../../ui/commands/commands.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { serverNow } from '../../ui/text/server-clock.ts'
import classes from './matching.module.css'
import { suggestionsQuery } from './matching.queries.ts'
import { percent } from './matching-words.ts'

/** What follows a merge is compared within a second or so; for so long it is looked for again. */
const LOOK_EVERY_MS = 1_000
const LOOK_FOR_MS = 10_000

/** Three records of one business: the next pair of the survivor. A merge that was made long ago leads back to the list alone. */
export function GoOn({ merge: { survivor, mergedAt } }: { merge: Merge }) {
  const navigate = useNavigate()
  const query = suggestionsQuery({ businessId: survivor.id })
  const isFresh = () => serverNow().getTime() - Date.parse(mergedAt) < LOOK_FOR_MS
  const { data, isPending } = useInfiniteQuery({ ...query, refetchInterval: () => (isFresh() ? LOOK_EVERY_MS : false) })
  const next = data?.items[0]
  const other = next?.businesses.find(({ id }) => id !== survivor.id)
  const search = { businessId: survivor.id }
  useCommands(
    next === undefined
      ? []
      : [
          {
            id: 'merge-next',
            label: 'Next pair of the surviving record',
            group: 'This merge',
            keys: 'j',
            run: () => void navigate({ to: '/duplicates/$suggestionId', params: { suggestionId: next.id }, search }),
          },
        ],
  )
  return (
    <section className={classes.note} aria-label="What comes next">
      <IconArrowRight size={18} aria-hidden />
      <p role="status">
        {next === undefined || other === undefined ? (
          <>
            {data !== undefined ? (
              <>
                No other record is suggested for <Name of={survivor.name} />.
              </>
            ) : isPending ? (
              'Looking for other records of the same business.'
            ) : (
              'Whether another record is suggested could not be loaded.'
            )}{' '}
            <Link to="/duplicates">Go on with the list</Link>
          </>
        ) : (
          <>
            <b>
              <Name of={other.name} />
            </b>{' '}
            may be the same business too, {percent(next.score)}.{' '}
            <Link
              to="/duplicates/$suggestionId"
              params={{ suggestionId: next.id }}
              search={search}
              aria-label={`Compare it with ${nameText(survivor.name)}`}
            >
              Compare it with <Name of={survivor.name} />
            </Link>
          </>
        )}
      </p>
    </section>
  )
}
