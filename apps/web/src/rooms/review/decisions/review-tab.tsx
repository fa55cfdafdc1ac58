import type { Business, Review } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { By } from '../../../ui/layout/facts.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { Origin } from '../../../ui/prospects/origin.tsx'
import { reasonCodeWords, reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { useRecordPage } from '../../../ui/rooms/record-page.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { fieldName } from '../../../ui/text/field-names.ts'
import { formatDay, listWords } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import classes from '../review.module.css'
import { reviewsQuery, standingQuery } from '../review.queries.ts'

/** Review state of a record, its decisions and its history. */
export function ReviewTab({ business }: { business: Business }) {
  const reviewState = useQuery(standingQuery(business.id))
  const list = useInfiniteQuery(reviewsQuery(business.id))
  const { actions } = useRecordPage()
  return (
    <div className={classes.tab}>
      <section aria-labelledby="review-state">
        <h2 id="review-state">Review</h2>
        {reviewState.data === undefined ? (
          <NotLoaded read={reviewState} lines={1} what="the state of the review" />
        ) : (
          <p className={classes.state}>
            <b>{reviewStateWords[reviewState.data.state]}</b>
            {reviewState.data.decidedAt !== null && (
              <>
                , decided <DateTime at={reviewState.data.decidedAt} />
              </>
            )}
            {reviewState.data.dueFrom !== null && (
              <>
                , due from <DateTime at={reviewState.data.dueFrom} as="date" />
              </>
            )}
            {reviewState.data.isDue && ', due for review'}
          </p>
        )}
        <div className={classes.buttons}>
          {actions
            .filter(({ id }) => id.startsWith('review.') && id !== 'review.assign')
            .map((action) => (
              <ActionButton key={action.id} action={action} size="compact-sm" variant="default" />
            ))}
        </div>
      </section>
      <section aria-labelledby="review-history">
        <h2 id="review-history">History</h2>
        <ListBody
          list={list}
          data={list.data}
          noun="reviews"
          lines={3}
          empty={
            <Empty title="No reviews yet">
              A review shows that a person checked this prospect, and what the person decided.
            </Empty>
          }
        >
          {(items) => (
            <ol className={classes.history} aria-label="Reviews, newest first">
              {items.map((review) => (
                <li key={review.id}>
                  <Entry review={review} shownOn={business.id} />
                </li>
              ))}
            </ol>
          )}
        </ListBody>
      </section>
    </div>
  )
}

const decisionWords: Record<Review['decision'], string> = {
  verify: 'Verified',
  reject: 'Rejected',
  defer: 'Deferred',
  reopen: 'Reopened',
}

function Entry({ review, shownOn }: { review: Review; shownOn: string }) {
  const { decision, reasonCode, reason, checkedFields, until, method, bulkId, undoes } = review
  return (
    <>
      <p>
        <b>{decisionWords[decision]}</b>
        {reasonCode !== null && `: ${reasonCodeWords[reasonCode].toLowerCase()}`}
        {until !== null && ` until ${formatDay(until)}`}
        {undoes !== null && ', which undoes an earlier decision'}
      </p>
      {reason !== null && (
        <p>
          <GivenReason of={reason} isQuoted />
        </p>
      )}
      {checkedFields.length > 0 && <p>Checked: {listWords(checkedFields.map(fieldName))}</p>}
      <p className={classes.meta}>
        <span>
          <By person={review.by} at={review.at} />
        </span>
        {method === 'bulk' && bulkId !== null && (
          <Link to="/review/bulks/$bulkId" params={{ bulkId }}>
            in bulk
          </Link>
        )}
        <Origin of={review.businessId} on={shownOn} />
      </p>
    </>
  )
}
