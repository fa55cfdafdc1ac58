import type { Tile } from '@prospect/api-client'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type TileTarget = NonNullable<Tile['link']>

const paths = {
  prospects: '/prospects',
  review: '/review',
  duplicates: '/duplicates',
  jobs: '/jobs',
  audit: '/audit',
} as const

/** Link to the list that a number counts. */
export function TileLink({ link, label, children }: { link: TileTarget | null; label?: string; children: ReactNode }) {
  if (link === null) return children
  return (
    <Link {...targetOf(link)} {...(label !== undefined && { 'aria-label': label })}>
      {children}
    </Link>
  )
}

/**
 * Address in the web app of a list of the API. The cast is needed because the type of the search depends on the address, which is known only at run
 * time.
 */
function targetOf({ desk, query }: TileTarget): LinkProps {
  return { to: paths[desk], search: searchOf(desk, query) } as LinkProps
}

function searchOf(desk: TileTarget['desk'], query: TileTarget['query']): Record<string, string> {
  if (desk === 'review') {
    const { filterId, ...rest } = query
    return { ...rest, ...(filterId !== undefined && { saved: filterId }) }
  }
  if (desk !== 'audit') return query
  const { from, to: _, ...rest } = query
  return { ...rest, ...(from !== undefined && { utcDay: from.slice(0, 10) }) }
}
