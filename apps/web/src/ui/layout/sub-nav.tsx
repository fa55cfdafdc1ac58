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
export function SubNav({ label, entries, children }: Props) {
  const { permissions } = useSession()
  const strip = useScrollCurrentIntoView<HTMLUListElement>(useLocation().pathname)
  const mine = entries.filter(({ permission }) => permission === undefined || permissions.includes(permission))
  return (
    <div className={classes.frame}>
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
      {children}
    </div>
  )
}
