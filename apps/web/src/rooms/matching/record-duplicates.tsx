import { Button } from '@mantine/core'
import type { Business, MatchSuggestionSummary, MergeSummary } from '@prospect/api-client'
import { IconCloudOff, IconCopyCheck, IconGitMerge } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { By } from '../../ui/layout/facts.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './matching.module.css'
import { mergesQuery, suggestionsQuery } from './matching.queries.ts'
import { percent } from './matching-words.ts'

/** Maximum number of suggestions listed on the record; a link leads to the others. */
const NAMED = 3

/** Part of a record's page with possible duplicates, records merged into it, or the record into which it was merged. */
export function RecordDuplicates({ business }: { business: Business }) {
  const canRead = useCan('matching.read')
  const merges = useInfiniteQuery({ ...mergesQuery({ businessId: business.id, status: 'merged' }), enabled: canRead })
  const suggestions = useInfiniteQuery({
    ...suggestionsQuery({ businessId: business.id }),
    enabled: canRead && business.status === 'active',
  })
  const own = merges.data?.items ?? []
  const into = own.find(({ loser }) => loser.id === business.id)
  const from = own.filter(({ survivor }) => survivor.id === business.id)
  const found = suggestions.data?.items ?? []
  const failed = [merges, suggestions].filter(({ isError, data }) => isError && data === undefined)
  return (
    <>
      {failed.length > 0 && (
        <section className={classes.recordNote} role="alert">
          <IconCloudOff size={18} aria-hidden />
          <p>
            Could not load the duplicates and merges of this prospect. {sentenceOf(failed[0]?.error)}{' '}
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => {
                for (const query of failed) void query.refetch()
              }}
            >
              Try again
            </Button>
          </p>
        </section>
      )}
      {into !== undefined && <MergedInto merge={into} />}
      {from.length > 0 && <StandsFor merges={from} hasMore={merges.hasNextPage} />}
      {found.length > 0 && (
        <PossibleDuplicates businessId={business.id} found={found} hasMore={suggestions.hasNextPage} />
      )}
    </>
  )
}

function MergedInto({ merge: { id, survivor, mergedAt, mergedBy, reason } }: { merge: MergeSummary }) {
  const canReverse = useCan('matching.reverse')
  return (
    <section className={classes.recordNote} aria-label="Merged into">
      <IconGitMerge size={18} aria-hidden />
      <p>
        Merged into{' '}
        <Link to="/prospects/$businessId" params={{ businessId: survivor.id }}>
          <ProspectName {...survivor} />
        </Link>{' '}
        by <By person={mergedBy} at={mergedAt} />: <GivenReason of={reason} isQuoted />{' '}
        <Link to="/duplicates/merges/$mergeId" params={{ mergeId: id }}>
          {canReverse ? 'Open or undo the merge' : 'Open merge'}
        </Link>
      </p>
    </section>
  )
}

function StandsFor({ merges, hasMore }: { merges: MergeSummary[]; hasMore: boolean }) {
  return (
    <section className={classes.recordNote} aria-label="Merged records">
      <IconGitMerge size={18} aria-hidden />
      <p>
        Also includes{' '}
        {merges.map(({ id, loser, mergedAt }, at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <Link to="/prospects/$businessId" params={{ businessId: loser.id }}>
              <ProspectName {...loser} />
            </Link>{' '}
            (
            <Link to="/duplicates/merges/$mergeId" params={{ mergeId: id }}>
              merged <DateTime at={mergedAt} as="date" />
            </Link>
            )
          </Fragment>
        ))}
        {hasMore && ' and more'}. The lists below mark the evidence, notes, moves and interactions of these records. The
        tab Activity shows the addresses, numbers and tags of each merge.
      </p>
    </section>
  )
}

type PossibleProps = { businessId: string; found: MatchSuggestionSummary[]; hasMore: boolean }

function PossibleDuplicates({ businessId, found, hasMore }: PossibleProps) {
  return (
    <section className={classes.recordNote} aria-label="Possible duplicates">
      <IconCopyCheck size={18} aria-hidden />
      <p>
        <Link to="/duplicates" search={{ businessId }}>
          {hasMore
            ? `${formatNumber(found.length)} or more possible duplicates`
            : countWords(found.length, 'possible duplicate', 'possible duplicates')}
        </Link>
        :{' '}
        {found.slice(0, NAMED).map(({ id, score, businesses }, at) => {
          const other = businesses.find((one) => one.id !== businessId)
          return (
            <Fragment key={id}>
              {at > 0 && ', '}
              <Link to="/duplicates/$suggestionId" params={{ suggestionId: id }} search={{ businessId }}>
                <Name of={other?.name ?? 'another record'} />
              </Link>{' '}
              {other?.doNotContact === true && <DoNotContactMark />} {percent(score)}
            </Fragment>
          )
        })}
        {found.length > NAMED && ', …'}
      </p>
    </section>
  )
}
