import { notifications } from '@mantine/notifications'
import type { OneTimeLink as ShownLink, User } from '@prospect/api-client'
import {
  type EditUserData,
  editUser,
  removeUser,
  resetFactors,
  resetPassword,
  revokeSessionsOfUser,
} from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiProblem, isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { EditPersonDialog } from './edit-person-dialog.tsx'
import { OneTimeLink } from './one-time-link.tsx'
import { useNewestUser } from './use-newest-user.ts'

type Deed = 'sign-out' | 'reset-password' | 'reset-factors' | 'disable' | 'enable' | 'delete'
export type PersonTask = { name: 'edit' | Deed; user: User }

type Props = { task: PersonTask; close: () => void; reopen: () => void }

export function PersonDialogs({ task: { name, user }, close, reopen }: Props) {
  return name === 'edit' ? (
    <EditPersonDialog user={user} close={close} reopen={reopen} />
  ) : (
    <Confirm deed={name} user={user} close={close} />
  )
}

type Answer = { link?: ShownLink; ended?: number }
type Plan = {
  title: string
  confirmLabel: string
  tone: 'normal' | 'danger'
  text: ReactNode
  send: () => Promise<Answer>
  done: (answer: Answer) => string
}

/** Confirmation of an action on a person. An error of the server (last administrator, own account) stays in the dialog. */
function Confirm({ deed, user: opened, close }: { deed: Deed; user: User; close: () => void }) {
  const queryClient = useQueryClient()
  const { user, reload } = useNewestUser(opened)
  const [link, setLink] = useState<ShownLink | null>(null)
  const plan = planOf(deed, user)
  const act = useMutation({
    meta: { notDone: plan.title.replace(/\?$/, '') },
    mutationFn: plan.send,
    onSuccess: (answer) => {
      void queryClient.invalidateQueries({ queryKey: answersOf('listUsers') })
      void queryClient.invalidateQueries(assigneesQuery)
      if (answer.link !== undefined) return setLink(answer.link)
      notifications.show({ message: plan.done(answer) })
      close()
    },
    onError: reload,
  })
  if (link !== null) {
    return (
      <OneTimeLink title={`Password reset link for ${nameText(user.name)}`} link={link} close={close}>
        With it <Name of={user.name} /> chooses a new password. The link works once. The sessions of this person ended,
        and the old password no longer works.
      </OneTimeLink>
    )
  }
  return (
    <ConfirmDialog
      title={plan.title}
      confirmLabel={plan.confirmLabel}
      tone={plan.tone}
      isBusy={act.isPending}
      error={explained(act.error)}
      onConfirm={() => act.mutate()}
      onClose={close}
    >
      {plan.text}
    </ConfirmDialog>
  )
}

/** Adds advice to the server's error. */
function explained(error: unknown): unknown {
  if (!isProblem(error, 'own_account')) return error
  const detail = `${sentenceOf(error)} Ask another administrator to do this. If you are the only administrator, make someone else an administrator first.`
  return new ApiProblem({ status: error.status, code: error.code, detail })
}

function planOf(deed: Deed, user: User): Plan {
  const { id, version } = user
  const name = nameText(user.name)
  const path = { id }
  const edit = (body: EditUserData['body']) => () =>
    dataOf(editUser({ path, body, ...ifMatch(version) })).then(() => ({}))
  switch (deed) {
    case 'sign-out':
      return {
        title: `End sessions of ${name}?`,
        confirmLabel: 'End sessions',
        tone: 'normal',
        text: `All sessions of this person in this workspace end immediately, on every device.${user.isShared ? ' Their sessions in other workspaces continue.' : ''} The person can sign in again. Unsaved text stays as a draft in the browser.`,
        send: () => dataOf(revokeSessionsOfUser({ path, body: {} })),
        done: ({ ended = 0 }) =>
          ended === 0
            ? `${name} had no sessions in this workspace`
            : `${name} signed out: ${countWords(ended, 'session', 'sessions')} ended`,
      }
    case 'reset-password':
      return {
        title: `Reset the password of ${name}?`,
        confirmLabel: 'Create link',
        tone: 'normal',
        text: 'You get a one-time link that is valid for one hour. Send the link yourself, because nothing is sent from here. First make sure that the request is really from this person. The sessions and the old password of this person stop working immediately.',
        send: () => dataOf(resetPassword({ path, body: {} })),
        done: () => '',
      }
    case 'reset-factors':
      return {
        title: `Reset the second factor of ${name}?`,
        confirmLabel: 'Reset second factor',
        tone: 'danger',
        text: 'Use this if the person lost a phone or key. First make sure that the request is really from this person. The authenticator app, passkeys and recovery codes stop working, and all sessions end. The person signs in with the password alone until a new second factor is set up.',
        send: () => dataOf(resetFactors({ path, body: {} })).then(() => ({})),
        done: () => `Second factor of ${name} reset`,
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        confirmLabel: 'Disable',
        tone: 'danger',
        text: 'The person is signed out of this workspace and cannot sign in again until you enable the account. Notes and other work keep the name of the person, and prospects stay assigned to the person.',
        send: edit({ status: 'disabled' }),
        done: () => `${name} disabled`,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        confirmLabel: 'Enable',
        tone: 'normal',
        text: 'The person can sign in again, with the same role and the same second factor.',
        send: edit({ status: 'active' }),
        done: () => `${name} enabled`,
      }
    case 'delete':
      return {
        title: `Delete ${name}?`,
        confirmLabel: 'Delete',
        tone: 'danger',
        text: (
          <>
            <p>
              The person is signed out and removed from this workspace.
              {user.isShared
                ? ' The account stays, because the person belongs to other workspaces.'
                : ' The account is deleted.'}{' '}
              You cannot undo this, but you can invite the person again.
            </p>
            <p>The notes, evidence, moves and audit events of the person are kept under “Former user” and a number.</p>
          </>
        ),
        send: () => dataOf(removeUser({ path })).then(() => ({})),
        done: () => `${name} deleted`,
      }
  }
}
