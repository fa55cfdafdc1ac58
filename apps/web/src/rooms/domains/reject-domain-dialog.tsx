import { Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type DomainRejectionPreview, rejectDomain } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { refreshDecided } from './domains.queries.ts'

export type Rejecting = { domain: string; preview: DomainRejectionPreview }

/** Rejects the candidates of one domain as previewed. Candidates with high confidence stay unless the person includes them. */
export function RejectDomainDialog({ domain, preview, ...dialog }: Rejecting & DialogProps) {
  const queryClient = useQueryClient()
  const { low, medium, high } = preview.open
  const { through } = preview
  return (
    <DecisionDialog
      title={`Reject the candidates of ${domain}?`}
      label="Reject the candidates"
      tone="danger"
      next={
        <>
          <p>
            {countWords(low + medium, 'candidate is', 'candidates are')} rejected: {formatNumber(low)} with low and{' '}
            {formatNumber(medium)} with medium confidence.{' '}
            {high > 0 && `${countWords(high, 'candidate', 'candidates')} with high confidence can be included.`}
          </p>
          <p>
            {preview.isMore && 'More candidates wait than one rejection takes: reject again for the others. '}
            Candidates that are added later stay open. No record changes. A candidate opens again if its evidence
            changes.
          </p>
        </>
      }
      reason="Stored with each candidate and in the audit log"
      draftName={`reject-domain-${domain}-${through}`}
      extra={{
        initial: { includesHigh: false },
        validate: ({ includesHigh }) =>
          through === null || (low + medium === 0 && !includesHigh)
            ? { includesHigh: 'No candidate is left to reject.' }
            : {},
        fields: ({ form }) =>
          (high > 0 || through === null) && (
            <Checkbox
              label={`Also reject ${countWords(high, 'candidate', 'candidates')} with high confidence`}
              {...form.getInputProps('includesHigh', { type: 'checkbox' })}
            />
          ),
      }}
      send={async ({ reason, includesHigh }, key) => {
        const bands = includesHigh ? (['low', 'medium', 'high'] as const) : (['low', 'medium'] as const)
        const body = { through: through ?? '', bands: [...bands], reason }
        let [rejected, stepKey] = [0, key]
        for (;;) {
          const step = await dataOf(rejectDomain({ body, ...withKey(stepKey) }))
          rejected += step.rejected
          if (!step.isMore) return rejected
          stepKey = newKey()
        }
      }}
      explain={async () => {
        // The steps before the failed one are done.
        await refreshDecided(queryClient)
        return undefined
      }}
      decided={(rejected) => {
        notifications.show({ message: `${countWords(rejected, 'candidate', 'candidates')} of ${domain} rejected.` })
        dialog.close()
      }}
      refresh={refreshDecided}
      {...dialog}
    />
  )
}
