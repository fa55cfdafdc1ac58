import { ActionIcon } from '@mantine/core'
import { getTileOptions } from '@prospect/api-client/query'
import { IconLayoutSidebar, IconSearch, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isOffered } from '../../ui/actions/actions.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { FloatingMenu } from '../../ui/layout/menu.ts'
import { lazyPart, usePrefetchParts } from '../../ui/lazy/lazy-part.tsx'
import type { Place } from '../../ui/rooms/room.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { KeyCaps } from '../keys/key-caps.tsx'
import { places } from '../places.ts'
import { PersonMenu } from './person-menu.tsx'
import classes from './shell.module.css'
import { TenantMenu } from './tenant-menu.tsx'

const SidebarTooltip = lazyPart('tooltip', () =>
  import('./sidebar-tooltip.tsx').then((module) => module.SidebarTooltip),
)
const nextParts = [FloatingMenu, SidebarTooltip]

type SidebarProps = {
  isCollapsed: boolean
  /** Undefined in the drawer, which has its own close button. */
  toggle?: () => void
  openPalette: () => void
}

export function Sidebar({ isCollapsed, toggle, openPalette }: SidebarProps) {
  usePrefetchParts(nextParts)
  return (
    <aside aria-label="Sidebar" className={classes.sidebar} data-collapsed={isCollapsed || undefined}>
      <div className={classes.top}>
        <TenantMenu isCollapsed={isCollapsed} />
      </div>
      <Hint label="Search and commands" isOn={isCollapsed}>
        <button
          type="button"
          className={classes.search}
          onClick={openPalette}
          aria-label={isCollapsed ? 'Search and commands' : undefined}
        >
          <IconSearch size={16} stroke={1.75} aria-hidden />
          {!isCollapsed && (
            <>
              <span>Search</span>
              <KeyCaps keys="mod+k" />
            </>
          )}
        </button>
      </Hint>
      <nav aria-label="Places" className={classes.nav}>
        <PlaceList name="Work" group="desk" isCollapsed={isCollapsed} />
        <PlaceList name="Operations" group="machinery" isCollapsed={isCollapsed} />
      </nav>
      <div className={classes.bottom}>
        <Hint label="Settings" isOn={isCollapsed}>
          <Link to="/settings" className={classes.place}>
            <IconSettings size={17} stroke={1.6} aria-hidden />
            <span className={isCollapsed ? 'pp-visually-hidden' : classes.label}>Settings</span>
          </Link>
        </Hint>
        <div className={classes.foot}>
          <PersonMenu isCollapsed={isCollapsed} />
          {toggle !== undefined && (
            <Hint label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'} isOn>
              <ActionIcon
                onClick={toggle}
                aria-label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
                aria-expanded={!isCollapsed}
              >
                <IconLayoutSidebar size={17} stroke={1.6} />
              </ActionIcon>
            </Hint>
          )}
        </div>
      </div>
    </aside>
  )
}

function PlaceList({ name, group, isCollapsed }: { name: string; group: Place['group']; isCollapsed: boolean }) {
  const { permissions } = useSession()
  const waiting = useWaiting()
  return (
    <section aria-label={`${name} places`} className={classes.group}>
      {!isCollapsed && <p className={classes.groupName}>{name}</p>}
      <ul>
        {places
          .filter((place) => place.group === group && isOffered(place, permissions))
          .map((place) => (
            <li key={place.id}>
              <PlaceLink place={place} isCollapsed={isCollapsed} waiting={waiting(place.id)} />
            </li>
          ))}
      </ul>
    </section>
  )
}

/** `waiting`: number of decisions and answers that wait there for the person, which describes the link and is not part of its name. */
function PlaceLink({ place, isCollapsed, waiting }: { place: Place; isCollapsed: boolean; waiting: string }) {
  return (
    <Hint label={place.label} isOn={isCollapsed}>
      <Link to={place.to} className={classes.place} title={waiting && `${waiting} waiting for you`}>
        <place.Icon size={17} stroke={1.6} aria-hidden />
        <span className={isCollapsed ? 'pp-visually-hidden' : classes.label}>{place.label}</span>
        {!isCollapsed && (
          <span aria-hidden className={classes.waiting}>
            {waiting}
          </span>
        )}
      </Link>
    </Hint>
  )
}

/** Places of the lists that are no places themselves. */
const placeOf = (desk: string): string => (desk === 'my_drafts' || desk === 'approved_drafts' ? 'drafts' : desk)

/**
 * Returns how many decisions and answers wait for the person at a desk; at the dashboard all of them. Empty if there are none, or none are known yet.
 */
function useWaiting(): (place: string) => string {
  const { data } = useQuery({
    ...getTileOptions({ path: { key: 'waiting' } }),
    enabled: useCan('dashboard.read'),
  })
  return (place) => {
    const parts =
      data?.parts.filter(({ link }) => place === 'dashboard' || (link !== null && placeOf(link.desk) === place)) ?? []
    const count = parts.reduce((sum, { value }) => sum + value, 0)
    if (count === 0) return ''
    return parts.some(({ isAtLeast }) => isAtLeast) ? `${formatNumber(count)}+` : formatNumber(count)
  }
}

function Hint({ label, isOn, children }: { label: string; isOn: boolean; children: ReactNode }) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [isUnderMouse, setUnderMouse] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const [wasWanted, setWanted] = useState(false)
  const isWanted = isOn && (isUnderMouse || hasFocus)
  if (isWanted && !wasWanted) setWanted(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of its children
    <div
      ref={setTarget}
      onPointerEnter={(event) => setUnderMouse(event.pointerType === 'mouse')}
      onPointerLeave={() => setUnderMouse(false)}
      onFocus={(event) => setHasFocus(event.target.matches(':focus-visible'))}
      onBlur={() => setHasFocus(false)}
      onKeyDown={(event) => event.key === 'Escape' && setHasFocus(false)}
    >
      {children}
      {wasWanted && target !== null && <SidebarTooltip label={label} target={target} isShown={isWanted} />}
    </div>
  )
}
