import type { MatchSuggestion } from '@prospect/api-client'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { By } from '../../ui/layout/facts.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import classes from './matching.module.css'
import { mergesQuery } from './matching.queries.ts'
import { statusWords } from './matching-words.ts'

type Props = { suggestion: MatchSuggestion }

/** Notice on a rejected pair that is suggested again because its records changed. */
export function ProposedAgain({ suggestion: { renews } }: Props) {
  if (renews === null) return null
  return (
    <section className={classes.note} aria-label="Suggested again">
      <IconHistory size={18} aria-hidden />
      <p>
        <b>Suggested again because the records changed.</b> This pair, or a pair with a record that was merged since,
        was rejected <DateTime at={renews.rejectedAt} as="dateTime" />: <GivenReason of={renews.reason} isQuoted />{' '}
        <Link to="/duplicates/$suggestionId" params={{ suggestionId: renews.id }}>
          Rejected suggestion
        </Link>
      </p>
    </section>
  )
}

/** Outcome of a decided suggestion, with links to the result. */
export function DecisionSummary({ suggestion }: Props) {
  const { status, decision, businesses } = suggestion
  const merged = businesses.find(({ mergedInto }) => mergedInto !== null)
  return (
    <section className={classes.note} aria-label="Outcome">
      <IconHistory size={18} aria-hidden />
      <p>
        <b>{statusWords[status]}</b>
        {decision === null ? (
          '. The records have changed since then.'
        ) : (
          <>
            {' '}
            by <By person={decision.by} at={decision.at} />
            {decision.reason !== null && (
              <>
                : <GivenReason of={decision.reason} isQuoted />
              </>
            )}
          </>
        )}{' '}
        {status === 'merged' && <MergeLink suggestion={suggestion} />}
        {status === 'superseded' && merged?.mergedInto != null && (
          <Link to="/duplicates" search={{ businessId: merged.mergedInto }}>
            Suggestions for the record that was kept
          </Link>
        )}
      </p>
    </section>
  )
}

function MergeLink({ suggestion }: Props) {
  const { data } = useInfiniteQuery(mergesQuery({ businessId: suggestion.businesses[0].id }))
  const merge = data?.items.find(({ suggestionId }) => suggestionId === suggestion.id)
  if (merge === undefined) return null
  return (
    <Link to="/duplicates/merges/$mergeId" params={{ mergeId: merge.id }}>
      Open merge
    </Link>
  )
}
