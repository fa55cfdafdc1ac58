import { ActionIcon, Menu } from '@mantine/core'
import type { User } from '@prospect/api-client'
import { IconDots, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { roleName } from '../role-names.ts'
import classes from './people.module.css'
import type { PersonTask } from './person-dialogs.tsx'

/** Opens the dialog of a task for a person. */
export const ChooseTask = createContext<(task: PersonTask) => void>(() => {})

export const personColumns: readonly DataColumn<User>[] = [
  {
    id: 'person',
    label: 'Person',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (user) => <Person user={user} />,
  },
  { id: 'role', label: 'Role', width: 9, render: (user) => <Soft of={user}>{roleName(user.role)}</Soft> },
  { id: 'factor', label: 'Second factor', width: 11, render: (user) => <SecondStep user={user} /> },
  {
    id: 'seen',
    label: 'Last sign-in',
    width: 9,
    render: (user) => (
      <Soft of={user}>{user.lastSignInAt === null ? 'Never' : <DateTime at={user.lastSignInAt} />}</Soft>
    ),
  },
  { id: 'actions', label: 'Actions', width: 6, align: 'end', render: (user) => <PersonMenu user={user} /> },
]

/** Fades the content of a disabled account's row. */
function Soft({ of: { status }, children }: { of: User; children: ReactNode }) {
  return <span className={status === 'disabled' ? classes.faint : undefined}>{children}</span>
}

function Person({ user }: { user: User }) {
  const { user: me } = useSession()
  return (
    <>
      <span className={classes.name}>
        <Soft of={user}>
          <Name of={user.name} />
        </Soft>
        {user.id === me.id && <span className={classes.mark}>You</span>}
        {user.status === 'disabled' && <span className={classes.mark}>Disabled</span>}
        {user.mustChangePassword && <span className={classes.mark}>Must change the password</span>}
      </span>
      <span className={classes.email}>{user.email}</span>
    </>
  )
}

function SecondStep({ user }: { user: User }) {
  const { totp, passkeys } = user.secondFactors
  const company = user.hasCompanyAccount && <span className={classes.mark}>Company account</span>
  if (!totp && passkeys === 0) {
    return (
      <span className={classes.factor} data-missing={user.role === 'administrator' || undefined}>
        <IconShieldOff size={15} stroke={1.7} aria-hidden /> None {company}
      </span>
    )
  }
  const words = [...(totp ? ['App'] : []), ...(passkeys > 0 ? [countWords(passkeys, 'passkey', 'passkeys')] : [])]
  return (
    <span className={classes.factor}>
      <IconShieldCheck size={15} stroke={1.7} aria-hidden /> {words.join(', ')} {company}
    </span>
  )
}

function PersonMenu({ user }: { user: User }) {
  const choose = useContext(ChooseTask)
  const isMe = useSession().user.id === user.id
  const hasFactor = user.secondFactors.totp || user.secondFactors.passkeys > 0
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon data-manage={user.id} aria-label={`Manage ${nameText(user.name)}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => choose({ name: 'edit', user })}>Name and role…</Menu.Item>
        <Menu.Item onClick={() => choose({ name: 'sign-out', user })}>End sessions…</Menu.Item>
        {!isMe && <Menu.Item onClick={() => choose({ name: 'reset-password', user })}>Reset password…</Menu.Item>}
        {!isMe && hasFactor && (
          <Menu.Item onClick={() => choose({ name: 'reset-factors', user })}>Reset second factor…</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => choose({ name: user.status === 'active' ? 'disable' : 'enable', user })}>
          {user.status === 'active' ? 'Disable…' : 'Enable…'}
        </Menu.Item>
        <Menu.Item className={classes.danger} onClick={() => choose({ name: 'delete', user })}>
          Delete…
        </Menu.Item>
        {isMe && (
          <Menu.Label className={classes.ownNote}>
            Another administrator can change your role and status. Your password and second factor are under Security.
          </Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
