import { Button, SegmentedControl, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSingleKeys } from '../../ui/actions/use-single-keys.ts'
import { useSession } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import { Name } from '../../ui/text/name.tsx'
import { rolesQuery } from './accounts.queries.ts'
import classes from './profile.module.css'
import { roleName } from './role-names.ts'
import { useSignOut } from './use-sign-out.ts'
import { useIsSwitchingTenant, useSwitchTenant } from './use-switch-tenant.ts'

/** The user's account, permissions and appearance of the app. */
export function ProfileScreen() {
  const { user } = useSession()
  const { signOut, isSigningOut } = useSignOut()
  return (
    <Page
      width="text"
      title={<Name of={user.name} />}
      tab="Profile"
      lead={user.email}
      actions={
        <Button variant="default" loading={isSigningOut} onClick={() => signOut()}>
          Sign out
        </Button>
      }
    >
      <Appearance />
      <Keyboard />
      <Tenants />
      <Permissions />
    </Page>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <TitledSection title="Theme">
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
        onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Stored in this browser.
      </Text>
    </TitledSection>
  )
}

function Keyboard() {
  const [hasSingleKeys, setSingleKeys] = useSingleKeys()
  return (
    <TitledSection title="Keyboard">
      <Switch
        label="Single-key shortcuts"
        description="Shortcuts without Ctrl or Cmd, such as N for a new prospect. Ctrl K or Cmd K always opens the list of commands."
        checked={hasSingleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" mt="xs">
        This setting is stored for you in this browser.
      </Text>
    </TitledSection>
  )
}

function Tenants() {
  const { tenant, tenants } = useSession()
  const switchTo = useSwitchTenant()
  const isSwitching = useIsSwitchingTenant()
  return (
    <TitledSection title="Workspaces">
      <ul>
        {tenants.map((one) => (
          <li key={one.id} className={classes.row}>
            <div>
              <Text size="sm" fw={500}>
                <Name of={one.name} />
              </Text>
              <Text size="xs" c="dimmed">
                {roleName(one.role)}
                {one.id === tenant.id && ` · times are shown in ${tenant.timeZone}`}
              </Text>
            </div>
            {one.id === tenant.id ? (
              <Text size="xs" c="dimmed">
                Current
              </Text>
            ) : (
              <Button variant="default" disabled={isSwitching} onClick={() => switchTo(one.id)}>
                Switch to <Name of={one.name} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        To get another workspace, ask the server operator.
      </Text>
    </TitledSection>
  )
}

function Permissions() {
  const session = useSession()
  const roles = useQuery(rolesQuery)
  return (
    <TitledSection title="Your permissions">
      <Text size="sm">
        In <Name of={session.tenant.name} /> you are {roleName(session.role).toLowerCase()}.{' '}
        {session.role !== 'administrator' && 'An administrator can change your role.'}
      </Text>
      {roles.isPending && <LoadingLines lines={5} />}
      {roles.isError && <Failed error={roles.error} retry={() => void roles.refetch()} what="the roles" />}
      {roles.data && (
        <ul className={classes.permissions}>
          {roles.data.permissions.map(({ permission, label }) => {
            const isMine = session.permissions.includes(permission)
            return (
              <li key={permission} data-mine={isMine}>
                {isMine ? <IconCheck size={15} aria-hidden /> : <IconMinus size={15} aria-hidden />}
                <span>
                  {label}
                  {!isMine && <span className={classes.not}> – not in your role</span>}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </TitledSection>
  )
}
