import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import { totalWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { sentenceCase } from '../../../ui/text/sentence-case.ts'
import classes from '../review.module.css'
import { newsQuery, predicateQuery, type Wanted } from '../review.queries.ts'

/** Conditions of the queue, with kind and time of its count, and the number of prospects added since the user started. */
export function PredicateBar({ wanted, since }: { wanted: Wanted; since: string }) {
  const counted = useQuery(predicateQuery(wanted))
  if (counted.data === undefined)
    return (
      <div className={classes.predicate} role="status">
        {counted.isError ? `The filter could not be read. ${sentenceOf(counted.error)}` : 'Loading the filter'}
      </div>
    )
  const { predicate, total } = counted.data
  return (
    <section className={classes.predicate} aria-label="Filter of the queue">
      <p>{localSentence(predicate.words)}</p>
      <p>
        {total === null ? (
          'Not counted'
        ) : (
          <>
            {totalWords(total, 'prospect', 'prospects')} {total.counts === 'page' ? 'on this page' : 'in the queue'}, as
            of <DateTime at={total.asOf} as="dateTime" />
          </>
        )}
        .
      </p>
      <details>
        <summary>Details</summary>
        Filter <code>{predicate.hash.slice(0, 12)}</code>, version {predicate.schemaVersion} of the conditions.
      </details>
      {!predicate.filter.some(({ field }) => field === 'updatedAt') && (
        <News conditions={predicate.filter} since={since} />
      )}
    </section>
  )
}

function News({ conditions, since }: { conditions: NonNullable<Wanted['conditions']>; since: string }) {
  const queryClient = useQueryClient()
  const total = useQuery(newsQuery(conditions, since)).data?.total
  return (
    <p role="status">
      {total && total.value > 0 && (
        <>
          {sentenceCase(totalWords(total, 'prospect', 'prospects'))} were added or changed since you started.{' '}
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => void queryClient.invalidateQueries({ queryKey: answersOf('listReviewQueue') })}
          >
            Refresh the list
          </Button>
        </>
      )}
    </p>
  )
}
