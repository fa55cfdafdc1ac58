import { useMantineColorScheme } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from '../../rooms/identity/use-sign-out.ts'
import { useSession } from '../../ui/api/session.ts'
import { currentCommands } from '../../ui/commands/commands.ts'
import { useOpener } from '../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../ui/layout/menu.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './shell.module.css'
import { initialsOf } from './tenant-menu.tsx'

const themes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'Like the system', Icon: IconDeviceDesktop },
] as const

export function PersonMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const { signOut } = useSignOut()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
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
              <Menu.Item
                leftSection={<IconKeyboard size={16} stroke={1.6} />}
                onClick={() =>
                  currentCommands()
                    .find(({ id }) => id === 'shortcuts')
                    ?.run()
                }
              >
                Shortcuts
              </Menu.Item>
              <Menu.Divider />
              <Menu.Label>Theme</Menu.Label>
              {themes.map(({ value, label, Icon }) => (
                <Menu.Item
                  key={value}
                  leftSection={<Icon size={16} stroke={1.6} />}
                  rightSection={colorScheme === value ? <IconCheck size={15} aria-label="current" /> : null}
                  onClick={() => setColorScheme(value)}
                >
                  {label}
                </Menu.Item>
              ))}
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
