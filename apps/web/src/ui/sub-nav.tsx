import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './sub-nav.module.css'

export type SubNavEntry = { to: NonNullable<LinkProps['to']>; label: string }

/** The pages of one place, above them. */
export function SubNav({ label, entries }: { label: string; entries: readonly SubNavEntry[] }) {
  return (
    <nav aria-label={label} className={classes.nav}>
      <ul>
        {entries.map(({ to, label: name }) => (
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
