import { TextInput } from '@mantine/core'
import { type InviteUserResponse, inviteUser, type Role } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../../ui/forms/use-save-form.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { invitationsQuery } from '../accounts.queries.ts'
import { isRole } from '../role-options.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { RoleSelect } from './role-select.tsx'

const blank = { email: '', name: '', role: 'operator' as Role }

export function InviteDialog({ close, reopen }: { close: () => void; reopen: () => void }) {
  const queryClient = useQueryClient()
  const [invited, setInvited] = useState<InviteUserResponse | null>(null)
  if (invited !== null) {
    return (
      <OneTimeLink title={`${nameText(invited.invitation.name)} invited`} link={invited.link} close={close}>
        With this link <Name of={invited.invitation.name} /> chooses a password and can then sign in as{' '}
        {invited.invitation.email}. It works once.
      </OneTimeLink>
    )
  }
  return (
    <FormDialog
      title="Invite person"
      submitLabel="Create link"
      what="the invitation"
      initial={blank}
      validate={({ email, name }): FieldErrors => ({
        ...(email.trim() === '' && { email: 'Enter the email address for signing in.' }),
        ...(name.trim() === '' && { name: 'Enter the name that others will see.' }),
      })}
      send={({ email, name, role }) => dataOf(inviteUser({ body: { email: email.trim(), name: name.trim(), role } }))}
      onSaved={(answer) => {
        void queryClient.invalidateQueries(invitationsQuery)
        setInvited(answer)
      }}
      explain={(error) =>
        isProblem(error) && error.status === 409
          ? { fields: { email: 'A person with this address is already in this workspace.' } }
          : undefined
      }
      draft={{
        name: 'invite',
        guards: { role: isRole },
        isBlank: ({ email, name }) => email.trim() === '' && name.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <TextInput
            label="Email address"
            type="email"
            autoComplete="off"
            data-autofocus
            maxLength={inputLimits.personEmail}
            description={restored === null ? null : <DraftHint draft={restored} />}
            {...form.getInputProps('email')}
          />
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={inputLimits.personName}
            {...form.getInputProps('name')}
          />
          <RoleSelect {...form.getInputProps('role')} />
        </>
      )}
    </FormDialog>
  )
}
