import type { Permission } from '@prospect/api-client'
import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import classes from './sub-nav.module.css'
import { useScrollCurrentIntoView } from './use-scroll-current-into-view.ts'

export type SubNavEntry = { to: NonNullable<LinkProps['to']>; label: string; permission?: Permission }

/** The pages of one place, above them; without those that the person's role keeps from them. */
export function SubNav({ label, entries }: { label: string; entries: readonly SubNavEntry[] }) {
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
