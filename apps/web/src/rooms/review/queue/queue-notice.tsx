import { Button } from '@mantine/core'
import type { Business, ReviewOpening } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { useCan } from '../../../ui/api/session.ts'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { useRecordPage } from '../../../ui/rooms/record-page.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { fieldName } from '../../../ui/text/field-names.ts'
import { listWords } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../review.module.css'
import { openingQuery } from '../review.queries.ts'
import { type ReviewRun, useReviewRun } from './review-run.ts'

/** Notice on a record opened in the queue: its state when it was opened, and the decisions. */
export function QueueNotice({ business }: { business: Business }) {
  const run = useReviewRun()
  const canDecide = useCan('review.decide')
  if (run === null) return null
  if (!canDecide) return <p className={classes.opening}>Your role can read this queue, but not decide.</p>
  return <Opening business={business} run={run} />
}

function Opening({ business, run }: { business: Business; run: ReviewRun }) {
  const opening = useQuery(openingQuery(business.id, run.wanted))
  const { actions, openDialog } = useRecordPage()
  const { takeIntent } = run
  const isOpen = opening.data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the record opens for review
  useEffect(() => {
    const dialog = isOpen ? takeIntent() : null
    if (dialog !== null) openDialog(dialog)
  }, [isOpen])
  return (
    <section className={classes.opening} aria-label="Review of this prospect">
      {opening.data === undefined ? (
        <NotLoaded read={opening} lines={1} what="the review of this prospect" />
      ) : (
        <div role="status">
          <OpeningWords opening={opening.data} />
        </div>
      )}
      <div className={classes.buttons}>
        {actions
          .filter(({ id }) => id.startsWith('review.') && id !== 'review.reopen')
          .map((action) => (
            <ActionButton key={action.id} action={action} size="compact-sm" variant="default" />
          ))}
        <Button size="compact-sm" variant="subtle" loading={run.isSearching} onClick={run.next}>
          Skip to the next
        </Button>
      </div>
    </section>
  )
}

function OpeningWords({ opening }: { opening: ReviewOpening }) {
  const { reviewState, stillMatches, mergeEligible, doNotContact, contradictedFields, claim } = opening
  return (
    <ul className={classes.facts} aria-label="State of the prospect when you opened it">
      <li>{reviewStateWords[reviewState.state]}</li>
      <li>{stillMatches === false ? 'No longer belongs to this queue' : 'Belongs to this queue'}</li>
      <li>{mergeEligible ? 'Can be merged' : 'Cannot be merged, because the record is not active'}</li>
      {doNotContact && <li>Marked do not contact, so nobody can verify this prospect</li>}
      {contradictedFields.length > 0 && (
        <li>Evidence contradicts {listWords(contradictedFields.map((field) => fieldName(field).toLowerCase()))}</li>
      )}
      {claim !== null && !claim.isOwn && (
        <li>
          <Name of={claim.by.name} /> has this prospect open until <DateTime at={claim.until} as="dateTime" />
        </li>
      )}
    </ul>
  )
}
