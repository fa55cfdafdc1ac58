import { useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceDesktop, IconKeyboard, IconMoon, IconSun } from '@tabler/icons-react'
import { useIsSwitchingTenant, useSwitchTenant } from '../rooms/identity/use-switch-tenant.ts'
import { type Action, useActions } from '../ui/actions/actions.ts'
import { useSingleKeys } from '../ui/actions/use-single-keys.ts'
import { useSession } from '../ui/api/session.ts'
import { takeUndo } from '../ui/forms/undo.ts'
import { openTerms } from '../ui/prospects/open-terms.tsx'
import type { Place, SubPage } from '../ui/rooms/room.ts'
import { nameText } from '../ui/text/name-text.ts'
import { places, profilePages, settingsPages } from './places.ts'
import { rooms } from './rooms.ts'

type Frame = { openPalette: () => void; openShortcuts: () => void; toggleSidebar: () => void }

const creating = rooms.flatMap(({ actions = [] }) => actions)

const openPlace = ({ id, label, key, purpose, permission, to }: Place): Action => ({
  id: `go-${id}`,
  label,
  group: 'Go to',
  keys: `g ${key}`,
  keywords: purpose,
  ...(permission !== undefined && { permission }),
  to,
})

const openPage = ({ to, label, name = label, ...found }: SubPage): Action => ({
  id: `go-${to}`,
  label: name,
  group: 'Go to',
  ...found,
  to,
})

/** Registers the actions that are available on every screen. */
export function useFrameActions(frame: Frame): void {
  const { tenant, tenants } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const switchTo = useSwitchTenant()
  const isSwitching = useIsSwitchingTenant()
  const [hasSingleKeys, setSingleKeys] = useSingleKeys()

  const tenantSwitches: Action[] = tenants
    .filter((other) => other.id !== tenant.id)
    .map((other) => ({
      id: `tenant-${other.id}`,
      label: `Switch to ${nameText(other.name)}`,
      shortLabel: nameText(other.name),
      group: 'Workspace',
      keywords: 'tenant workspace organisation',
      unavailable: isSwitching && 'Switching workspace…',
      run: () => switchTo(other.id),
    }))

  useActions('frame', [
    ...creating,
    ...places.map(openPlace),
    ...[...settingsPages, ...profilePages].map(openPage),
    {
      id: 'palette',
      label: 'Search and commands',
      group: 'Everywhere',
      keys: 'mod+k',
      inPalette: false,
      run: frame.openPalette,
    },
    {
      id: 'undo',
      label: 'Undo the last edit or move',
      group: 'Everywhere',
      keys: 'mod+z',
      inPalette: false,
      run: () => takeUndo()?.undo(),
    },
    {
      id: 'shortcuts',
      label: 'Shortcuts',
      group: 'Everywhere',
      Icon: IconKeyboard,
      keys: '?',
      run: frame.openShortcuts,
    },
    {
      id: 'terms',
      label: 'What the words mean',
      group: 'Everywhere',
      keywords: 'help glossary',
      run: openTerms,
    },
    {
      id: 'single-keys',
      label: hasSingleKeys ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on',
      group: 'Everywhere',
      keywords: 'keyboard letters profile',
      run: () => {
        setSingleKeys(!hasSingleKeys)
        notifications.show({ message: `Single-key shortcuts are ${hasSingleKeys ? 'off' : 'on'}.` })
      },
    },
    {
      id: 'sidebar',
      label: 'Collapse or expand sidebar',
      group: 'Everywhere',
      keys: '[',
      run: frame.toggleSidebar,
    },
    ...themes.map(
      ({ scheme, label, shortLabel, Icon }): Action => ({
        id: `theme-${scheme}`,
        label,
        shortLabel,
        group: 'Theme',
        Icon,
        run: () => setColorScheme(scheme),
      }),
    ),
    ...tenantSwitches,
  ])
}

/** Themes, in the order of the menu. */
export const themes = [
  { scheme: 'light', label: 'Light theme', shortLabel: 'Light', Icon: IconSun },
  { scheme: 'dark', label: 'Dark theme', shortLabel: 'Dark', Icon: IconMoon },
  { scheme: 'auto', label: 'System theme', shortLabel: 'System', Icon: IconDeviceDesktop },
] as const
