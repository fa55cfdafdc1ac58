import { Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type DomainCandidate, proposeDomainCandidate } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { refreshDomains } from './domains.queries.ts'

type Values = { domain: string; businessId: string | null; reason: string }

type Props = {
  /** Set if the dialog opens from a domain. */
  domain?: string
  /** Set if the dialog opens from a record. */
  business?: { id: string; name: string }
  close: () => void
  reopen: () => void
}

/** Proposes that a domain belongs to a prospect. A user with the permission decides. */
export function ProposeDomainDialog({ domain, business, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <FormDialog<Values, DomainCandidate>
      title={domain === undefined ? `Propose a domain for ${business?.name}` : `Propose ${domain} for a prospect`}
      submitLabel="Propose the domain"
      what="the proposal"
      initial={{ domain: domain ?? '', businessId: business?.id ?? null, reason: '' }}
      validate={(values) => ({
        ...(values.domain.trim() === '' && { domain: 'Enter a domain.' }),
        ...(values.businessId === null && { businessId: 'Choose a prospect.' }),
        ...missingReason(values, 'Enter why the domain may belong to the prospect.'),
      })}
      send={({ domain: typed, businessId, reason }, { key }) =>
        dataOf(
          proposeDomainCandidate({ body: { domain: typed, businessId: businessId ?? '', reason }, ...withKey(key) }),
        )
      }
      onSaved={async () => {
        close()
        notifications.show({ message: 'Domain proposed. It waits for a decision under Domain candidates.' })
        await refreshDomains(queryClient)
      }}
      draft={{ name: `propose-domain-${domain ?? business?.id}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored, values, set }) => (
        <>
          <Text size="sm">The record does not change. A person who may decide accepts or rejects the proposal.</Text>
          {domain === undefined && (
            <TextInput
              label="Domain"
              placeholder="example.co.za"
              withAsterisk
              aria-required
              data-autofocus
              spellCheck={false}
              maxLength={inputLimits.domain}
              {...form.getInputProps('domain')}
            />
          )}
          {business === undefined && (
            <ProspectSelect
              label="Prospect"
              withAsterisk
              chosen={values.businessId}
              choose={(businessId) => set({ businessId })}
              error={form.errors.businessId}
            />
          )}
          <ReasonField
            form={form}
            restored={restored}
            description="The suggestion and the audit log show this reason"
          />
        </>
      )}
    </FormDialog>
  )
}

/** Dialog to propose a domain, opened from a record. */
export function ProposeForRecord({ business, close, reopen }: OpenProps) {
  return <ProposeDomainDialog business={business} close={close} reopen={reopen} />
}
