import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSession } from '../../ui/api/session.ts'
import { LazyDialogSlot } from '../../ui/dialogs/lazy-dialog-slot.tsx'
import { OverPage } from '../../ui/dialogs/over-page.tsx'
import { useStored } from '../../ui/forms/use-stored.ts'
import { media } from '../../ui/layout/media.ts'
import { lazyPart, usePrefetchParts } from '../../ui/lazy/lazy-part.tsx'
import { ownMoves, storedMovesKey } from '../../ui/prospects/pending-moves.ts'
import { useKeyboard } from '../keys/use-keyboard.ts'
import { OpenPalette, Palette } from '../palette/open-palette.tsx'
import { interruptionParts } from '../session-interruptions.tsx'
import { useFrameActions } from '../use-frame-actions.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { FocusKeeper } from './focus-keeper.tsx'
import { ScreenAnnouncer } from './screen-announcer.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TabbedPage } from './tabbed-page.tsx'

const ShortcutList = lazyPart('shortcuts', () =>
  import('../keys/shortcut-list.tsx').then((module) => module.ShortcutList),
)
const PlacesDrawer = lazyPart('drawer', () => import('./places-drawer.tsx').then((module) => module.PlacesDrawer))
// Loaded only if an earlier page of this tab left unsent moves.
const LeftMoves = lazyPart('left-moves', () =>
  import('../../rooms/pipeline/delayed/left-moves.tsx').then((module) => module.LeftMoves),
)
const LiveUpdates = lazyPart('live', () => import('../live/live-updates.tsx').then((module) => module.LiveUpdates))
const nextParts = [LiveUpdates, LazyDialogSlot, Palette, ShortcutList, ...interruptionParts]

/** Frame around every screen: sidebar, palette, shortcuts and the notice of a lost connection. */
export function DeskFrame() {
  const [floating, setFloating] = useState<'palette' | 'shortcuts' | 'drawer' | null>(null)
  const close = useCallback((): void => setFloating(null), [])
  const isNarrow = useMediaQuery(media.drawer, false, { getInitialValueInEffect: false })
  const isMedium = useMediaQuery(media.collapsed, false, { getInitialValueInEffect: false })
  const [stored, setStored] = useStored('prospect-sidebar', (value) => (typeof value === 'boolean' ? value : null))
  const isCollapsed = stored ?? isMedium
  const { pathname } = useLocation()
  const { user, tenant } = useSession()
  const movesKey = storedMovesKey(user.id, tenant.id)
  const hasLeftMoves = useMemo(() => ownMoves(movesKey), [movesKey])

  useKeyboard(floating !== null)
  useFrameActions({
    openPalette: () => setFloating('palette'),
    openShortcuts: () => setFloating('shortcuts'),
    toggleSidebar: () => setStored(!isCollapsed),
  })
  usePrefetchParts(nextParts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the drawer after a navigation and on a wide screen
  useEffect(() => setFloating((current) => (current === 'drawer' ? null : current)), [pathname, isNarrow])

  return (
    <div className={classes.frame} data-narrow={isNarrow || undefined}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      {isNarrow ? (
        <section aria-label="Bar" className={classes.bar}>
          <ActionIcon size={36} onClick={() => setFloating('drawer')} aria-label="Open menu">
            <IconMenu2 size={20} stroke={1.6} />
          </ActionIcon>
          <span className={classes.brand}>Prospect Platform</span>
          <ActionIcon size={36} onClick={() => setFloating('palette')} aria-label="Search and commands">
            <IconSearch size={20} stroke={1.6} />
          </ActionIcon>
        </section>
      ) : (
        <Sidebar
          isCollapsed={isCollapsed}
          toggle={() => setStored(!isCollapsed)}
          openPalette={() => setFloating('palette')}
        />
      )}
      <div className={classes.body}>
        <ConnectionNotice />
        <main id="main" tabIndex={-1} className={classes.main}>
          <TabbedPage />
        </main>
      </div>
      {isNarrow && (
        <PlacesDrawer opened={floating === 'drawer'} close={close} openPalette={() => setFloating('palette')} />
      )}
      <LazyDialogSlot>{floating === 'shortcuts' && <ShortcutList close={close} />}</LazyDialogSlot>
      <OpenPalette isOpen={floating === 'palette'} close={close} />
      {hasLeftMoves && <LeftMoves key={movesKey} />}
      <LiveUpdates.Fetched />
      <OverPage />
      <ScreenAnnouncer />
      <FocusKeeper />
    </div>
  )
}
