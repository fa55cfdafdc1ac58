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
        With it <Name of={user.name} /> chooses a new password. It works once. Their sessions ended, and the old
        password no longer works.
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
  const detail = `${sentenceOf(error)} Another administrator can do this. If there is none, make someone else an administrator first.`
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
        text: `All their sessions in this workspace end immediately, on every device.${user.isShared ? ' Their sessions in other workspaces continue.' : ''} They can sign in again. Unsaved text stays as a draft in their browser.`,
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
        text: 'You get a one-time link, valid for one hour. Send it yourself; nothing is sent from here. Make sure the request is really from them. Their sessions and old password stop working immediately.',
        send: () => dataOf(resetPassword({ path, body: {} })),
        done: () => '',
      }
    case 'reset-factors':
      return {
        title: `Reset the second factor of ${name}?`,
        confirmLabel: 'Reset second factor',
        tone: 'danger',
        text: 'For a lost phone or key. Their authenticator app, passkeys and recovery codes stop working, their sessions end, and they sign in with the password alone until they set up a new one. Make sure the request is really from them.',
        send: () => dataOf(resetFactors({ path, body: {} })).then(() => ({})),
        done: () => `Second factor of ${name} reset`,
      }
    case 'disable':
      return {
        title: `Disable ${name}?`,
        confirmLabel: 'Disable',
        tone: 'danger',
        text: 'They are signed out of this workspace and cannot sign in to it until you enable them again. Their work stays under their name, and prospects stay assigned to them.',
        send: edit({ status: 'disabled' }),
        done: () => `${name} disabled`,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        confirmLabel: 'Enable',
        tone: 'normal',
        text: 'They can sign in again with the same role and second factor.',
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
              They are signed out and removed from this workspace.
              {user.isShared
                ? ' Their account stays, because they belong to other workspaces.'
                : ' Their account is deleted.'}{' '}
              This cannot be undone, but you can invite them again.
            </p>
            <p>Their notes, evidence, moves and audit events are kept under “Former user” and a number.</p>
          </>
        ),
        send: () => dataOf(removeUser({ path })).then(() => ({})),
        done: () => `${name} deleted`,
      }
  }
}
