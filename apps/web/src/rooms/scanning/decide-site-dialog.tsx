import { Checkbox, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { decideOfficialSite, type OfficialSite } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { EndDayField, useEndDay } from '../../ui/fields/end-day-field.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { refreshScanning } from './scanning.queries.ts'

export type SiteDecision = { site: OfficialSite; decision: 'approve' | 'reject' | 'withdraw' }

type Props = SiteDecision & { close: () => void; reopen: () => void }
type Values = { reason: string; endsOn: string; confirmUsedByOthers: boolean }

const labels = { approve: 'Approve', reject: 'Reject', withdraw: 'Withdraw' } as const
/** The API accepts an approval of at most 366 days. */
const approvalTerm = { usualDays: 365, maxDays: 366 }

/** Dialog to decide about a site as shown. If it has changed, the server rejects the decision with the changes. */
export function DecideSiteDialog({ site, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const isApproval = decision === 'approve'
  const end = useEndDay(isApproval ? approvalTerm : null)
  return (
    <FormDialog<Values, OfficialSite>
      title={`${labels[decision]} ${site.host ?? 'this site'}?`}
      submitLabel={labels[decision]}
      isAction
      initial={{ reason: '', endsOn: end.usual, confirmUsedByOthers: false }}
      what="the decision on the site"
      draft={{ name: `site-${site.id}-${decision}` }}
      close={close}
      reopen={reopen}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...end.problems(values),
      })}
      fieldOf={(path, values) => (path === 'validUntil' ? 'endsOn' : Object.hasOwn(values, path) ? path : undefined)}
      send={({ reason, endsOn, confirmUsedByOthers }, { key }) =>
        dataOf(
          decideOfficialSite({
            path: { siteId: site.id },
            body: {
              decision,
              reason,
              fingerprint: site.fingerprint,
              ...(isApproval ? { validUntil: end.instant({ endsOn }), confirmUsedByOthers } : {}),
            },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshScanning(queryClient)
        notifications.show({ message: 'Decision recorded' })
        close()
      }}
    >
      {({ form, restored }) => (
        <>
          {isApproval && (
            <Text size="sm">
              Contacts are read from approved sites only. An approval confirms that the host belongs to the prospect; it
              does not permit contact.
            </Text>
          )}
          <ReasonField form={form} restored={restored} description="Stored with the site" data-autofocus />
          {isApproval && <EndDayField end={end} {...form.getInputProps('endsOn')} />}
          {isApproval && site.usedByOthers > 0 && (
            <Checkbox
              label={`This is the prospect’s site, although ${countWords(site.usedByOthers, 'other prospect has', 'other prospects have')} this host`}
              {...form.getInputProps('confirmUsedByOthers', { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
