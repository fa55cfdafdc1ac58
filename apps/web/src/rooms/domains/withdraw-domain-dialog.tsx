import { withdrawDomainCandidate } from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { Name } from '../../ui/text/name.tsx'
import { refreshDecided } from './domains.queries.ts'

export type Withdrawing = { candidateId: string; domain: string; businessName: string }

/** Dialog that withdraws an accepted domain. */
export function WithdrawDomainDialog({ candidateId, domain, businessName, ...dialog }: Withdrawing & DialogProps) {
  return (
    <DecisionDialog
      title={`Withdraw ${domain}?`}
      label="Withdraw the domain"
      next={
        <>
          The domain no longer counts as a domain of <Name of={businessName} />. A domain that was added to the record
          stays there.
        </>
      }
      reason="The audit log shows this reason"
      missing="Enter why the domain is withdrawn."
      draftName={`withdraw-domain-${candidateId}`}
      send={({ reason }, key) =>
        dataOf(withdrawDomainCandidate({ path: { candidateId }, body: { reason }, ...withKey(key) }))
      }
      done="Domain withdrawn."
      refresh={refreshDecided}
      {...dialog}
    />
  )
}
