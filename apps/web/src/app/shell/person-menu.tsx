import { useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from '../../rooms/identity/use-sign-out.ts'
import { useSession } from '../../ui/api/session.ts'
import { useOpener } from '../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../ui/layout/menu.ts'
import { Name } from '../../ui/text/name.tsx'
import { themes } from '../use-frame-actions.ts'
import { menuAction, menuFace } from './menu-action.tsx'
import classes from './shell.module.css'
import { initialsOf } from './tenant-menu.tsx'

export function PersonMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const { signOut } = useSignOut()
  const { colorScheme } = useMantineColorScheme()
  const { button, floating } = useOpener('menu')
  return (
    <>
      <button type="button" className={classes.person} title={user.email} {...button}>
        <span className={classes.face} aria-hidden>
          {initialsOf(user.name)}
        </span>
        <span className={isCollapsed ? 'pp-visually-hidden' : classes.label}>
          <Name of={user.name} />
        </span>
      </button>
      {floating !== null && (
        <FloatingMenu {...floating} width={230} position="top-start">
          {(Menu) => (
            <>
              <Menu.Item
                leftSection={<IconUserCircle size={16} stroke={1.6} />}
                onClick={() => void navigate({ to: '/profile' })}
              >
                Profile
              </Menu.Item>
              {menuAction('shortcuts').map((action) => (
                <Menu.Item key={action.id} {...menuFace(action)}>
                  {action.label}
                </Menu.Item>
              ))}
              <Menu.Divider />
              <Menu.Label>Theme</Menu.Label>
              {themes.map(({ scheme }) =>
                menuAction(`theme-${scheme}`).map((action) => (
                  <Menu.Item
                    key={action.id}
                    {...menuFace(action)}
                    rightSection={colorScheme === scheme ? <IconCheck size={15} aria-label="current" /> : null}
                  >
                    {action.shortLabel}
                  </Menu.Item>
                )),
              )}
              <Menu.Divider />
              <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => signOut()}>
                Sign out
              </Menu.Item>
            </>
          )}
        </FloatingMenu>
      )}
    </>
  )
}
