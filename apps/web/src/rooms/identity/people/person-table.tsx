import { ActionIcon, Menu } from '@mantine/core'
import type { User } from '@prospect/api-client'
import { IconDots, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { useSession } from '../../../ui/api/session.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { roleName } from '../role-names.ts'
import classes from './people.module.css'
import type { PersonTask } from './person-dialogs.tsx'

type Props = { users: User[]; choose: (task: PersonTask) => void }

export function PersonTable({ users, choose }: Props) {
  const { user: me } = useSession()
  return (
    <table className={classes.table} aria-label="People">
      <thead>
        <tr>
          <th scope="col">Person</th>
          <th scope="col">Role</th>
          <th scope="col">Second step</th>
          <th scope="col">Last sign-in</th>
          <th scope="col">
            <span className="pp-visually-hidden">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id} data-disabled={user.status === 'disabled' || undefined}>
            <td className={classes.who}>
              <span className={classes.name}>
                <Name of={user.name} />
                {user.id === me.id && <span className={classes.mark}>You</span>}
                {user.status === 'disabled' && <span className={classes.mark}>Disabled</span>}
                {user.mustChangePassword && <span className={classes.mark}>Must change the password</span>}
              </span>
              <span className={classes.email}>{user.email}</span>
            </td>
            <td className={classes.role}>{roleName(user.role)}</td>
            <td className={classes.factor}>
              <SecondStep user={user} />
            </td>
            <td className={classes.seen}>
              {user.lastSignInAt === null ? 'Never' : <DateTime at={user.lastSignInAt} />}
            </td>
            <td className={classes.actions}>
              <PersonMenu user={user} isMe={user.id === me.id} choose={choose} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SecondStep({ user: { secondFactors, role } }: { user: User }) {
  const { totp, passkeys } = secondFactors
  if (!totp && passkeys === 0) {
    return (
      <span data-missing={role === 'administrator' || undefined}>
        <IconShieldOff size={15} stroke={1.7} aria-hidden /> None
      </span>
    )
  }
  const words = [
    ...(totp ? ['App'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
  ]
  return (
    <span>
      <IconShieldCheck size={15} stroke={1.7} aria-hidden /> {words.join(', ')}
    </span>
  )
}

function PersonMenu({ user, isMe, choose }: { user: User; isMe: boolean; choose: (task: PersonTask) => void }) {
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
        {!isMe && <Menu.Item onClick={() => choose({ name: 'reset-password', user })}>Reset the password…</Menu.Item>}
        {!isMe && hasFactor && (
          <Menu.Item onClick={() => choose({ name: 'reset-factors', user })}>Take the second step away…</Menu.Item>
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
            Your own role and status are another administrator’s to change; your password and second step are under
            Security.
          </Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
