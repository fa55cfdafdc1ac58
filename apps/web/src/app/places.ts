import type { Permission } from '@prospect/api-client'
import type { SubNavEntry } from '../ui/layout/sub-nav.tsx'

/** The places of the frame, in their order; `g` and then `key` goes there. */
export type Place = {
  id: string
  label: string
  group: 'desk' | 'machinery'
  key: string
  /** What it is for, in one sentence; the palette finds it by these words. */
  purpose: string
  /** Needed to see it at all. */
  permission?: Permission
  to:
    | '/prospects'
    | '/duplicates'
    | '/suppression'
    | '/reports'
    | '/exports'
    | '/audit'
    | '/jobs'
    | '/sources'
    | '/planned'
}

/** A place that is not built yet. The page "Planned" lists all of them, so the sidebar shows only working places. */
export type PlannedPlace = {
  /** Also its address, which redirects to its part of the page. */
  id: string
  label: string
  purpose: string
  /** The phase under which GET /capabilities tells its status. */
  phase: number
}

export const plannedPlaces: readonly PlannedPlace[] = [
  {
    id: 'dashboard',
    label: 'Dashboard',
    phase: 11,
    purpose: 'What waits for you today, with counts that open the very records they count.',
  },
  {
    id: 'review',
    label: 'Review',
    phase: 11,
    purpose: 'Saved filters and the queue of records to verify, reject or assign.',
  },
  {
    id: 'drafts',
    label: 'Drafts',
    phase: 14,
    purpose: 'Texts prepared and approved by people. Nothing is ever sent from here.',
  },
  {
    id: 'domains',
    label: 'Domains',
    phase: 7,
    purpose: 'What is known of a web domain, and how sure that is.',
  },
  {
    id: 'scoring',
    label: 'Scoring',
    phase: 10,
    purpose: 'Versioned rules that rank prospects, each score with its reasons.',
  },
]

export const places: readonly Place[] = [
  {
    id: 'prospects',
    label: 'Prospects',
    group: 'desk',
    key: 'p',
    to: '/prospects',
    permission: 'businesses.read',
    purpose: 'Every business you work.',
  },
  {
    id: 'duplicates',
    label: 'Duplicates',
    group: 'desk',
    key: 'd',
    to: '/duplicates',
    permission: 'matching.read',
    purpose: 'Suggested duplicates, side by side, merged only by a person and reversible.',
  },
  {
    id: 'suppression',
    label: 'Suppression',
    group: 'desk',
    key: 'u',
    to: '/suppression',
    permission: 'suppression.read',
    purpose: 'Addresses, domains and phones that must never be worked, with their history.',
  },
  {
    id: 'reports',
    label: 'Reports',
    group: 'desk',
    key: 't',
    to: '/reports',
    permission: 'reports.read',
    purpose: 'Counts over a stated interval that say what they count.',
  },
  {
    id: 'jobs',
    label: 'Jobs',
    group: 'machinery',
    key: 'j',
    to: '/jobs',
    permission: 'jobs.read',
    purpose: 'Long work with its progress and its events.',
  },
  {
    id: 'sources',
    label: 'Sources',
    group: 'machinery',
    key: 's',
    to: '/sources',
    permission: 'sources.preview',
    purpose: 'Where records may come from, with terms, approvals and limits.',
  },
  {
    id: 'exports',
    label: 'Exports',
    group: 'machinery',
    key: 'x',
    to: '/exports',
    permission: 'exports.read',
    purpose: 'Files of prospects and reports, each kept for a day.',
  },
  {
    id: 'audit',
    label: 'Audit',
    group: 'machinery',
    key: 'a',
    to: '/audit',
    permission: 'audit.read',
    purpose: 'Who changed what, when and why.',
  },
  {
    id: 'planned',
    label: 'Planned',
    group: 'machinery',
    key: 'l',
    to: '/planned',
    purpose: `Not built yet: ${plannedPlaces.map(({ label }) => label).join(', ')}.`,
  },
]

/** A page of the settings, or of one's own account. */
export type OwnPage = SubNavEntry & {
  /** What it is called where its neighbours are not beside it. */
  name?: string
  keys?: string
  /** More words to find it by. */
  keywords?: string
}

export const profilePages: readonly OwnPage[] = [
  { to: '/profile', label: 'Profile', keys: 'g i' },
  {
    to: '/profile/security',
    label: 'Security',
    keywords: 'password passkey second step authenticator sessions',
  },
]

export const settingsPages: readonly OwnPage[] = [
  { to: '/settings', label: 'General', name: 'Settings', keys: 'g ,' },
  {
    to: '/settings/people',
    label: 'People',
    keywords: 'users invite accounts administration',
    permission: 'users.manage',
  },
  { to: '/settings/roles', label: 'Roles', keywords: 'permissions matrix' },
  {
    to: '/settings/security-events',
    label: 'Security events',
    keywords: 'failed sign-in log',
    permission: 'users.manage',
  },
  {
    to: '/settings/acceptance',
    label: 'Acceptance',
    keywords: 'report gates checks blockers',
    permission: 'tenant.configure',
  },
]

/** A place that a role keeps from a person is not offered to them; its address says why. */
export function isOffered({ permission }: Pick<Place, 'permission'>, permissions: readonly Permission[]): boolean {
  return permission === undefined || permissions.includes(permission)
}
