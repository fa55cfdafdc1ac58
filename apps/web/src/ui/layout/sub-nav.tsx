import type { Permission } from '@prospect/api-client'
import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import classes from './sub-nav.module.css'
import { useScrollCurrentIntoView } from './use-scroll-current-into-view.ts'

export type SubNavEntry = { to: NonNullable<LinkProps['to']>; label: string; permission?: Permission }

type Props = {
  label: string
  entries: readonly SubNavEntry[]
  /** The page. A list fills the remaining height. */
  children: ReactNode
}

/** Tabs above a page: links to the pages of one section that the user may see. */
export function SubNav({ children, ...links }: Props) {
  return (
    <div className={classes.frame}>
      <Links {...links} />
      {children}
    </div>
  )
}

/** The links render before the page, and their effects run first: when a page scrolls to a row on arrival, the links are already in view. */
function Links({ label, entries }: Omit<Props, 'children'>) {
  const { permissions } = useSession()
  const strip = useScrollCurrentIntoView<HTMLUListElement>(useLocation().pathname)
  const permitted = entries.filter(({ permission }) => permission === undefined || permissions.includes(permission))
  return (
    <nav aria-label={label} className={classes.nav}>
      <ul ref={strip}>
        {permitted.map(({ to, label: name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
