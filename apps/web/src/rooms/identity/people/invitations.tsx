import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Invitation, type InviteUserResponse, inviteUser, withdrawInvitation } from '@prospect/api-client'
import { IconMailForward } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Failed } from '../../../ui/layout/states.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { invitationsQuery } from '../accounts.queries.ts'
import { roleName } from '../role-names.ts'
import { OneTimeLink } from './one-time-link.tsx'
import classes from './people.module.css'

/** Invitations that are not used yet. Renders nothing if there are none. */
export function Invitations() {
  const invitations = useInfiniteQuery(invitationsQuery)
  const queryClient = useQueryClient()
  const withdrawing = useDialog<Invitation>()
  const renewed = useDialog<InviteUserResponse>()
  const withdraw = useMutation({
    meta: { notDone: 'Withdraw invitation' },
    mutationFn: ({ id }: Invitation) => dataOf(withdrawInvitation({ path: { id } })),
    onSuccess: (_, { name }) => {
      notifications.show({ message: `Invitation of ${nameText(name)} withdrawn` })
      withdrawing.close()
    },
    onSettled: () => queryClient.invalidateQueries(invitationsQuery),
  })
  const renew = useMutation({
    meta: { notDone: 'Create new link' },
    mutationFn: ({ email, name, role }: Invitation) => dataOf(inviteUser({ body: { email, name, role } })),
    onSuccess: renewed.open,
    onSettled: () => queryClient.invalidateQueries(invitationsQuery),
  })
  if (invitations.isError && !invitations.data) {
    return <Failed error={invitations.error} retry={() => void invitations.refetch()} what="the invitations" />
  }
  if (invitations.data === undefined || invitations.data.items.length === 0) return null
  return (
    <section aria-label="Invitations" className={classes.invitations}>
      <h2>Open invitations</h2>
      <ul>
        {invitations.data.items.map((invitation) => (
          <li key={invitation.id}>
            <IconMailForward size={18} stroke={1.6} aria-hidden />
            <div>
              <p className={classes.name}>
                <Name of={invitation.name} />
              </p>
              <p className={classes.email}>
                {invitation.email} · {roleName(invitation.role).toLowerCase()} · by{' '}
                <Name of={invitation.createdBy.name} />, expires <DateTime at={invitation.expiresAt} as="dateTime" />
              </p>
            </div>
            <div className={classes.rowActions}>
              <Button
                variant="default"
                loading={renew.isPending && renew.variables.id === invitation.id}
                aria-label={`New link for ${nameText(invitation.name)}`}
                onClick={() => renew.mutate(invitation)}
              >
                New link
              </Button>
              <Button
                variant="default"
                aria-label={`Withdraw invitation of ${nameText(invitation.name)}`}
                onClick={() => withdrawing.open(invitation)}
              >
                Withdraw…
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {renew.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(renew.error)}
        </p>
      )}
      <LoadMore what="invitations" {...invitations} data={invitations.data} />
      {withdrawing.slot((invitation, { close }) => (
        <ConfirmDialog
          title={`Withdraw invitation of ${nameText(invitation.name)}?`}
          confirmLabel="Withdraw"
          tone="danger"
          isBusy={withdraw.isPending}
          error={withdraw.error}
          onConfirm={() => withdraw.mutate(invitation)}
          onClose={() => {
            withdraw.reset()
            close()
          }}
        >
          The link stops working immediately. You can invite the person again.
        </ConfirmDialog>
      ))}
      {renewed.slot(({ invitation, link }, { close }) => (
        <OneTimeLink title={`A new link for ${nameText(invitation.name)}`} link={link} close={close}>
          The earlier link no longer works. With this link, <Name of={invitation.name} /> chooses a password and can
          then sign in as {invitation.email}.
        </OneTimeLink>
      ))}
    </section>
  )
}
