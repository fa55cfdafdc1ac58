import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { withdrawDomainCandidate } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { Name } from '../../ui/text/name.tsx'
import { refreshDecided } from './domains.queries.ts'

export type Withdrawing = { candidateId: string; domain: string; businessName: string }

type Props = Withdrawing & { close: () => void; reopen: () => void }

/** Dialog that withdraws an accepted domain. */
export function WithdrawDomainDialog({ candidateId, domain, businessName, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName={`withdraw-domain-${candidateId}`}
      title={`Withdraw ${domain}?`}
      confirmLabel="Withdraw the domain"
      description="The audit log shows it"
      missing="Enter why the domain is withdrawn."
      send={(reason, key) =>
        dataOf(withdrawDomainCandidate({ path: { candidateId }, body: { reason }, ...withKey(key) }))
      }
      sent={async () => {
        close()
        notifications.show({ message: 'The domain is withdrawn.' })
        await refreshDecided(queryClient)
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        The domain no longer counts as one of <Name of={businessName} />. A domain that was added to the record stays
        there.
      </Text>
    </ReasonDialog>
  )
}
