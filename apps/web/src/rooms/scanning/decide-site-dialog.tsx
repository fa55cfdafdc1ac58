import { Checkbox } from '@mantine/core'
import { decideOfficialSite, type OfficialSite } from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { refreshScanning } from './scanning.queries.ts'

export type SiteDecision = { site: OfficialSite; decision: 'approve' | 'reject' | 'withdraw' }

const words = {
  approve: {
    label: 'Approve',
    next: 'Contacts are read from approved sites only. By approving, you confirm that the site belongs to the prospect. An approval does not permit contact.',
    // The API accepts an approval of at most 366 days.
    term: { usualDays: 365, maxDays: 366 },
  },
  reject: { label: 'Reject', next: null, term: null },
  withdraw: { label: 'Withdraw', next: null, term: null },
} as const

/** Dialog to decide about a site as shown. If it has changed, the server rejects the decision with the changes. */
export function DecideSiteDialog({ site, decision, ...dialog }: SiteDecision & DialogProps) {
  const isApproval = decision === 'approve'
  return (
    <DecisionDialog
      {...words[decision]}
      title={`${words[decision].label} ${site.host ?? 'this site'}?`}
      reason="Stored with the site"
      draftName={`site-${site.id}-${decision}`}
      extra={{
        initial: { confirmUsedByOthers: false },
        fields: ({ form }) =>
          isApproval &&
          site.usedByOthers > 0 && (
            <Checkbox
              label={`This site belongs to this prospect, although ${countWords(site.usedByOthers, 'other prospect has', 'other prospects have')} this host`}
              {...form.getInputProps('confirmUsedByOthers', { type: 'checkbox' })}
            />
          ),
      }}
      send={({ reason, endsAt, confirmUsedByOthers }, key) =>
        dataOf(
          decideOfficialSite({
            path: { siteId: site.id },
            body: {
              decision,
              reason,
              fingerprint: site.fingerprint,
              ...(isApproval && { validUntil: endsAt, confirmUsedByOthers }),
            },
            ...withKey(key),
          }),
        )
      }
      done="Decision recorded"
      refresh={refreshScanning}
      {...dialog}
    />
  )
}
