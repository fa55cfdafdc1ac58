import type { Tile } from '@prospect/api-client'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../ui/api/session.ts'
import { dayIn } from '../../ui/text/format.ts'

type TileTarget = NonNullable<Tile['link']>

const paths = {
  prospects: '/prospects',
  review: '/review',
  duplicates: '/duplicates',
  jobs: '/jobs',
  audit: '/audit',
  approved_drafts: '/drafts/approved',
  assistance: '/settings/assistance',
  contacts: '/contacts',
  domains: '/domains/candidates',
  draft_policies: '/settings/draft-policies',
  drafts: '/drafts/approvals',
  incidents: '/sources/incidents',
  my_drafts: '/drafts',
  registry: '/suppression/registry',
  requests: '/subject-requests',
  scan_policy: '/websites/policy',
  scoring: '/scoring',
  sources: '/sources',
  suppression: '/suppression',
  websites: '/websites/proposed-sites',
} as const

/** Link to the list that a number counts. */
export function TileLink({ link, label, children }: { link: TileTarget | null; label?: string; children: ReactNode }) {
  const { timeZone } = useSession().tenant
  if (link === null) return children
  return (
    <Link {...targetOf(link, timeZone)} {...(label !== undefined && { 'aria-label': label })}>
      {children}
    </Link>
  )
}

/**
 * Address in the web app of a list of the API. The cast is needed because the type of the search depends on the address, which is known only at run
 * time.
 */
function targetOf({ desk, query }: TileTarget, zone: string): LinkProps {
  return { to: paths[desk], search: searchOf(desk, query, zone) } as LinkProps
}

function searchOf(desk: TileTarget['desk'], query: TileTarget['query'], zone: string): Record<string, string> {
  if (desk === 'review') {
    const { filterId, ...rest } = query
    return { ...rest, ...(filterId !== undefined && { saved: filterId }) }
  }
  if (desk !== 'audit') return query
  // The API compares times, and the screen has days of the workspace.
  const { from, to, ...rest } = query
  return {
    ...rest,
    ...(from !== undefined && { from: dayIn(from, zone) }),
    ...(to !== undefined && { to: dayIn(to, zone) }),
  }
}
