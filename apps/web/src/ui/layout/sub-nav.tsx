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
  /** The page: one that is a list fills the rest of the height. */
  children: ReactNode
}

/** Links to the pages of one place that the person may see, above the current page. */
export function SubNav({ children, ...links }: Props) {
  return (
    <div className={classes.frame}>
      <Links {...links} />
      {children}
    </div>
  )
}

/** Before the page, also in the order of effects: a page that scrolls to a row on arrival does so after the links are in view. */
function Links({ label, entries }: Omit<Props, 'children'>) {
  const { permissions } = useSession()
  const strip = useScrollCurrentIntoView<HTMLUListElement>(useLocation().pathname)
  const mine = entries.filter(({ permission }) => permission === undefined || permissions.includes(permission))
  return (
    <nav aria-label={label} className={classes.nav}>
      <ul ref={strip}>
        {mine.map(({ to, label: name }) => (
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
