import { Button, Checkbox } from '@mantine/core'
import { type DomainCandidate, type DomainCandidateSummary, decideDomainCandidate } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { refusedWith } from '../../ui/forms/save-failure.tsx'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { bandWords, flagValueWords, flagWords, HIDDEN, uncertaintyWords } from './domain-words.ts'
import classes from './domains.module.css'
import { candidateQuery, refreshDecided } from './domains.queries.ts'
import { UnicodeName } from './unicode-name.tsx'

export type Deciding = { candidate: DomainCandidate; decision: 'accept' | 'reject' }

type CardProps = { summary: DomainCandidateSummary; decide: (deciding: Deciding) => void }

/** One candidate: the evidence for and against it, and what is in doubt. */
export function CandidateCard({ summary, decide }: CardProps) {
  const read = useQuery(candidateQuery(summary.id))
  const canDecide = useCan('domains.decide')
  return (
    <article
      className={classes.candidate}
      data-candidate
      tabIndex={-1}
      aria-label={`${summary.domain} for ${summary.business.name}`}
    >
      <RecordBody record={read} what="this candidate" lines={4} isPage={false}>
        {(candidate) => (
          <>
            <Compared candidate={candidate} />
            {canDecide && candidate.state === 'open' && (
              <div className={classes.buttons}>
                <Button
                  size="xs"
                  variant="light"
                  data-decision="accept"
                  onClick={() => decide({ candidate, decision: 'accept' })}
                >
                  Accept…
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  data-decision="reject"
                  onClick={() => decide({ candidate, decision: 'reject' })}
                >
                  Reject…
                </Button>
              </div>
            )}
          </>
        )}
      </RecordBody>
    </article>
  )
}

function Compared({ candidate }: { candidate: DomainCandidate }) {
  const { business, evidence, flags, uncertainty, freshness } = candidate
  const names = new Map(candidate.otherBusinesses.map(({ id, name }) => [id, name]))
  return (
    <div className={classes.sides}>
      <div>
        <h3>
          <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
            <Name of={business.name} />
          </Link>{' '}
          {candidate.doNotContact && <DoNotContactMark />}
        </h3>
        {candidate.host !== null && ![candidate.domain, HIDDEN].includes(candidate.host) && (
          <p className={classes.soft}>
            {candidate.origin === 'person' ? 'Typed as' : 'Named as'} <UnicodeName of={candidate.host} />
          </p>
        )}
        <p>
          <b>{bandWords[candidate.band]}</b>
        </p>
        <details className={classes.soft}>
          <summary>Details</summary>
          Evaluated by rules {candidate.algorithmVersion} and suffix list {candidate.suffixListVersion}.
        </details>
        {candidate.previousCandidateId !== null && (
          <p>Somebody decided this before, but the evidence has changed since then.</p>
        )}
        {candidate.lookalikes.length > 0 && (
          <p className={classes.foreign}>Looks like {candidate.lookalikes.map(({ domain }) => domain).join(', ')}</p>
        )}
      </div>
      <div>
        <h4>For</h4>
        <ul>
          {evidence.for.map((item) => (
            <li key={`${item.code} ${item.evidenceId ?? item.text}`}>{localSentence(item.text)}</li>
          ))}
        </ul>
        <h4>Against</h4>
        {evidence.against.length === 0 && <p>No evidence.</p>}
        <ul>
          {evidence.against.map((item) => (
            <li key={`${item.code} ${item.businessId}`}>
              {localSentence(item.text)}{' '}
              {item.businessId !== null && (
                <Link to="/prospects/$businessId" params={{ businessId: item.businessId }}>
                  <Name of={names.get(item.businessId) ?? 'Open prospect'} />
                </Link>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h4>Doubts</h4>
        <Facts className={classes.flags ?? ''}>
          {(Object.keys(flagWords) as (keyof typeof flagWords)[]).map((name) => (
            <Fact key={name} label={flagWords[name]}>
              {flagValueWords[flags[name].value]}. {localSentence(flags[name].reason)}
            </Fact>
          ))}
        </Facts>
        {uncertainty.map((code) => (
          <p key={code}>{uncertaintyWords[code]}</p>
        ))}
        {freshness.newestEvidenceAt !== null && (
          <p className={classes.soft}>
            Newest evidence: <DateTime at={freshness.newestEvidenceAt} as="date" />
          </p>
        )}
      </div>
    </div>
  )
}

export function DecideDomainDialog({ candidate, decision, ...dialog }: Deciding & DialogProps) {
  const queryClient = useQueryClient()
  const isAccept = decision === 'accept'
  const { id, domain, business, fingerprint, wouldMark } = candidate
  return (
    <DecisionDialog
      title={isAccept ? `Accept ${domain} for ${business.name}?` : `Reject ${domain} for ${business.name}?`}
      label={isAccept ? 'Accept domain' : 'Reject domain'}
      next={
        isAccept && (
          <>
            <p>
              The domain is accepted for {business.name}. The record changes only if you also add the domain to the
              record.
            </p>
            {wouldMark.length > 0 && (
              <p className={classes.doubts}>
                The domain is on the do-not-contact list, so {wouldMark.map(({ name }) => name).join(', ')} will be
                marked do not contact.
              </p>
            )}
          </>
        )
      }
      reason="Stored in the audit log"
      draftName={`decide-domain-${id}-${decision}`}
      extra={{
        initial: { addToRecord: false },
        fields: ({ form }) =>
          isAccept && (
            <Checkbox
              label="Also add the domain to the record"
              {...form.getInputProps('addToRecord', { type: 'checkbox' })}
            />
          ),
      }}
      send={({ reason, addToRecord }, key) =>
        dataOf(
          decideDomainCandidate({
            path: { candidateId: id },
            body: { decision, reason, fingerprint, ...(isAccept && { addToRecord }) },
            ...withKey(key),
          }),
        )
      }
      explain={async (error) => {
        if (!isProblem(error, 'candidate_changed', 'candidate_not_open')) return undefined
        await refreshDecided(queryClient)
        return { failure: refusedWith(`${error.message} ${error.errors.map(({ message }) => message).join(' ')}`) }
      }}
      refresh={refreshDecided}
      {...dialog}
    />
  )
}
