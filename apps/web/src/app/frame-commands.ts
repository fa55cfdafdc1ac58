import { useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Permission } from '@prospect/api-client'
import { useNavigate } from '@tanstack/react-router'
import { useSwitchTenant } from '../rooms/identity/use-switch-tenant.ts'
import { useSession } from '../ui/api/session.ts'
import { type Command, useCommands } from '../ui/commands/commands.ts'
import { useSingleKeys } from '../ui/commands/use-single-keys.ts'
import { nameText } from '../ui/text/name-text.ts'
import { isOffered, places, profilePages, settingsPages } from './places.ts'

type Frame = { openPalette: () => void; openShortcuts: () => void; toggleSidebar: () => void }

/** What can be done from everywhere. */
export function useFrameCommands(frame: Frame): void {
  const navigate = useNavigate()
  const { tenant, tenants, permissions } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const { switchTo } = useSwitchTenant()
  const [hasSingleKeys, setSingleKeys] = useSingleKeys()

  const mine = <P extends { permission?: Permission }>(all: readonly P[]) =>
    all.filter((one) => isOffered(one, permissions))
  const going: Command[] = [
    ...mine(places).map((place) => ({
      id: `go-${place.id}`,
      label: place.label,
      group: 'Go to',
      keys: `g ${place.key}`,
      keywords: place.purpose,
      run: () => void navigate({ to: place.to }),
    })),
    ...mine([...settingsPages, ...profilePages]).map(({ to, label, name = label, permission: _, ...found }) => ({
      id: `go-${to}`,
      label: name,
      group: 'Go to',
      ...found,
      run: () => void navigate({ to }),
    })),
  ]
  const creating: Command[] = permissions.includes('businesses.write')
    ? [
        {
          id: 'new-prospect',
          label: 'New prospect',
          group: 'Create',
          keys: 'n',
          keywords: 'add business company',
          run: () => void navigate({ to: '/prospects/new' }),
        },
      ]
    : []
  const tenantSwitches: Command[] = tenants
    .filter((other) => other.id !== tenant.id)
    .map((other) => ({
      id: `tenant-${other.id}`,
      label: `Switch to ${nameText(other.name)}`,
      group: 'Tenant',
      keywords: 'tenant workspace organisation',
      run: () => switchTo(other.id),
    }))

  useCommands(
    [
      ...creating,
      ...going,
      {
        id: 'palette',
        label: 'Search and commands',
        group: 'Everywhere',
        keys: 'mod+k',
        inPalette: false,
        run: frame.openPalette,
      },
      { id: 'shortcuts', label: 'Shortcuts', group: 'Everywhere', keys: '?', run: frame.openShortcuts },
      {
        id: 'single-keys',
        label: hasSingleKeys ? 'Switch single-key shortcuts off' : 'Switch single-key shortcuts on: they are off',
        group: 'Everywhere',
        keywords: 'keyboard letters profile',
        run: () => {
          setSingleKeys(!hasSingleKeys)
          notifications.show({ message: `Single-key shortcuts are ${hasSingleKeys ? 'off' : 'on'}.` })
        },
      },
      { id: 'sidebar', label: 'Narrow or widen the sidebar', group: 'Everywhere', keys: '[', run: frame.toggleSidebar },
      { id: 'theme-light', label: 'Light theme', group: 'Theme', run: () => setColorScheme('light') },
      { id: 'theme-dark', label: 'Dark theme', group: 'Theme', run: () => setColorScheme('dark') },
      { id: 'theme-auto', label: 'Theme like the system', group: 'Theme', run: () => setColorScheme('auto') },
      ...tenantSwitches,
    ],
    true,
  )
}
