import { Button } from '@mantine/core'
import { type AuditVerification, verifyAuditChain } from '@prospect/api-client'
import {
  IconCircleCheck,
  IconProgressCheck,
  IconShieldCheck,
  IconShieldQuestion,
  IconShieldX,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './audit-screen.module.css'

/** Combined result of the verification steps so far. A long log is verified in limited steps, each started by the user. */
type Checked = { last: AuditVerification; events: number; checkpoints: number; from: number }

/** Recomputes the audit chain and compares it with the signed checkpoints. States exactly which part was checked. */
export function Verification() {
  const canVerify = useCan('audit.verify')
  const [checked, setChecked] = useState<Checked | null>(null)
  const verify = useMutation({
    meta: { isTold: true },
    mutationFn: (before: Checked | null) => {
      const after = before?.last.nextAfter ?? null
      return dataOf(verifyAuditChain({ query: { ...(after !== null && { after }) } }))
    },
    // After a restore, the log has fewer events than were checked, and the next step begins with the first.
    onError: (error) => isProblem(error, 'cursor_ahead') && setChecked(null),
    onSuccess: (last, before) =>
      setChecked({
        last,
        events: (before?.events ?? 0) + last.checkedEvents,
        checkpoints: (before?.checkpoints ?? 0) + last.checkpoints.checked,
        from: before?.from ?? last.fromSequence,
      }),
  })
  if (!canVerify) return null
  const isPartial = checked?.last.status === 'partial'
  return (
    <section className={classes.verification} data-status={checked?.last.status} aria-label="Verification">
      <div role="status" className={classes.result}>
        {verify.isError ? (
          <p>The log could not be verified, so its state is unknown. {sentenceOf(verify.error)}</p>
        ) : checked === null ? (
          <p>
            <IconShieldCheck size={18} aria-hidden />
            <span>
              Each event is linked to the event before, and the links are signed regularly. Verify the log to detect
              changed, removed or rewritten events.
            </span>
          </p>
        ) : (
          <Result checked={checked} />
        )}
      </div>
      <div className={classes.verify}>
        {isPartial && (
          <Button loading={verify.isPending} onClick={() => verify.mutate(checked)}>
            {' '}
            Continue
          </Button>
        )}
        <Button variant="default" loading={verify.isPending && !isPartial} onClick={() => verify.mutate(null)}>
          {checked === null ? 'Verify' : 'Verify again'}
        </Button>
      </div>
    </section>
  )
}

function Result({ checked: { last, events, checkpoints, from } }: { checked: Checked }) {
  const latest = last.checkpoints.latest
  return (
    <>
      <p>
        {last.status === 'intact' && <IconCircleCheck size={18} aria-hidden />}
        {last.status === 'unproven' && <IconShieldQuestion size={18} aria-hidden />}
        {last.status === 'broken' && <IconShieldX size={18} aria-hidden />}
        {last.status === 'partial' && <IconProgressCheck size={18} aria-hidden />}
        <span>
          <b>{headline(last)}</b> {countWords(events, 'event', 'events')} checked, numbers {formatNumber(from)} to{' '}
          {formatNumber(last.toSequence)}, <DateTime at={last.verifiedAt} as="dateTime" />.
        </span>
      </p>
      {last.status !== 'partial' && (
        <p className={classes.checkpoints}>
          {latest === null
            ? 'The log has no signed checkpoint yet. Without a checkpoint, this check cannot detect that somebody replaced the whole log. The service signs one within a minute of a change.'
            : `${countWords(checkpoints, 'signed checkpoint', 'signed checkpoints')} compared. The latest checkpoint signs event ${formatNumber(latest.sequence)}, `}
          {latest !== null && (
            <>
              <DateTime at={latest.at} as="dateTime" />.
            </>
          )}
        </p>
      )}
    </>
  )
}

function headline({ status, firstBroken, unproven, provenTo }: AuditVerification): string {
  if (status === 'intact') return `Intact up to event ${formatNumber(provenTo)}, not compared with a copy.`
  if (status === 'partial') return 'No faults so far. The rest of the log is not verified yet.'
  if (status === 'unproven')
    return `No fault was found, but the checkpoints do not prove the log. ${unproven ?? ''} Inform the server operator.`
  if (firstBroken === null) return 'Broken.'
  const place =
    firstBroken.sequence === 0 ? 'The checkpoints are damaged' : `Broken at event ${formatNumber(firstBroken.sequence)}`
  return `${place}: ${firstBroken.reason} Do not change the data, and inform the server operator.`
}
