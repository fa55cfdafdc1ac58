import { Button } from '@mantine/core'
import { type AssistSuggestion, type Business, decideSuggestion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan, useCanWork, useIsOwn } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './assist.module.css'
import { refreshAssist } from './assist.queries.ts'
import { purposeWords, standingOf } from './assist-words.ts'
import { CitedEvidence } from './cited-evidence.tsx'

const decisions = {
  approve: {
    label: 'Approve',
    next: 'By approving, you confirm that you compared each claim with its quotes. The prospect itself does not change.',
  },
  reject: { label: 'Reject', next: 'The suggestion remains in the history.' },
} as const
type Decision = keyof typeof decisions
type Props = { suggestion: AssistSuggestion; business: Business }

/** A suggestion: state and reason, claims beside their quotes, and the decision of another user. */
export function SuggestionItem({ suggestion, business }: Props) {
  const queryClient = useQueryClient()
  const deciding = useDialog<Decision>()
  const canDecide = useCanWork('assist.decide', business)
  const canDraft = useCanWork('drafts.write', business)
  const {
    id,
    fingerprint,
    state,
    label,
    purpose,
    jobId,
    claims,
    result,
    requestedAt,
    requestedBy,
    decision,
    fallbackUsed,
  } = suggestion
  const isOpen = state === 'queued' || state === 'running'
  // Only users who may request suggestions can read their jobs. For others the state follows by the live changes.
  const canFollow = useCan('assist.request')
  useFollowedJob(isOpen && canFollow ? jobId : null, () => void refreshAssist(queryClient))
  const { word, reason, next } = standingOf(suggestion)
  const isOwn = useIsOwn(requestedBy)
  return (
    <li>
      <div>
        <p>
          <strong>{label}</strong>
        </p>
        <p>
          {purposeWords[purpose]} · <strong>{word}</strong>. {reason !== null && <Name of={reason} />} {next}
          {result?.retryAfter != null && (
            <>
              {' '}
              Try again after <DateTime at={result.retryAfter} />.
            </>
          )}
        </p>
        <p className={classes.meta}>
          Requested by <Name of={requestedBy.name} /> <DateTime at={requestedAt} />
          {fallbackUsed && ' · The second source was used'}
          {decision !== null && (
            <>
              {' · '}
              {decision.decision === 'approve' ? 'Approved' : 'Rejected'} by <Name of={decision.by.name} />:{' '}
              <Name of={decision.reason} />
            </>
          )}
        </p>
        {claims.length > 0 && (
          <ul className={classes.sentences} aria-label="Claims">
            {claims.map(({ text, citations }) => (
              <Claim key={text} text={text} citations={citations} businessId={business.id} />
            ))}
          </ul>
        )}
      </div>
      {state === 'approved' && canDraft && business.doNotContact === null && (
        <p>
          <Link to="/drafts/new" search={{ businessId: business.id, suggestionId: suggestion.id }}>
            Start a draft
          </Link>
        </p>
      )}
      {state === 'proposed' && canDecide && !isOwn && (
        <div className={classes.actions}>
          <Button size="xs" onClick={() => deciding.open('approve')}>
            Approve…
          </Button>
          <Button size="xs" variant="default" onClick={() => deciding.open('reject')}>
            Reject…
          </Button>
        </div>
      )}
      {state === 'proposed' && isOwn && (
        <p className={classes.meta}>You requested this suggestion, so another person must decide.</p>
      )}
      {deciding.slot((kind, dialog) => (
        <DecisionDialog
          {...decisions[kind]}
          title={`${decisions[kind].label} this suggestion?`}
          reason="Stored with the suggestion and in the audit log"
          draftName={`suggestion-${id}-${kind}`}
          send={({ reason }, key) =>
            dataOf(
              decideSuggestion({
                path: { assistSuggestionId: id },
                body: { decision: kind, reason, fingerprint: fingerprint ?? '' },
                ...withKey(key),
              }),
            )
          }
          done="Decision recorded."
          refresh={refreshAssist}
          {...dialog}
        />
      ))}
    </li>
  )
}

type ClaimProps = AssistSuggestion['claims'][number] & { businessId: string }

function Claim({ text, citations, businessId }: ClaimProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <Name of={text} />
      {citations.flatMap(({ evidenceId, quotes }) =>
        quotes.map((quote) => (
          <blockquote key={`${evidenceId} ${quote}`} className={classes.quote}>
            <Name of={quote} />
          </blockquote>
        )),
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          Evidence<span className="pp-visually-hidden">: {text}</span>
        </summary>
        {isOpen && (
          <CitedEvidence businessId={businessId} evidenceIds={citations.map(({ evidenceId }) => evidenceId)} />
        )}
      </details>
    </li>
  )
}
