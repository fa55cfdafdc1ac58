import { ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { readService } from '../sources/sources.ts'
import { dayLimits } from './day-limits.ts'
import { fetchingRoutes } from './fetching/fetching.routes.ts'
import { startReleasingContent } from './pages/held-content.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { scanRetention } from './retention.ts'
import { scanReevaluation, websiteScan } from './scanning.jobs.ts'
import { scanRoutes } from './scans/scans.routes.ts'
import { siteRoutes } from './sites/sites.routes.ts'
import { pageSize } from './supplied/receive-page.ts'
import { suppliedRoutes } from './supplied/supplied.routes.ts'
import { emptiedScans, emptyDueScans, releaseContent } from './upkeep/empty-scans.ts'
import { expireSites } from './upkeep/expire-sites.ts'
import { queueScanReevaluation } from './upkeep/queue-reevaluation.ts'
import { waitingInScanning } from './waiting.ts'

export const scanningRoom: Room = {
  name: 'scanning',
  routes: [scanRoutes, suppliedRoutes, siteRoutes, policyRoutes, fetchingRoutes],
  waiting: waitingInScanning,
  limits: dayLimits,
  otherLimits: [pageSize, { name: 'waiting_pages' }],
  jobKinds: [websiteScan, scanReevaluation],
  loops: [{ name: 'held page content', start: ({ store }) => startReleasingContent(store) }],
  upkeep: [expireSites, queueScanReevaluation, emptyDueScans],
  retention: scanRetention,
  erase: async (tx, businessIds) => {
    await releaseContent(tx, businessIds)
    return {}
  },
  holds: {
    scans: {
      title: 'Scans of websites',
      permission: 'scanning.read',
      columns: {
        id: 'Id',
        origin: 'Origin',
        url: 'Address',
        requested_at: 'Requested at',
        requested_by: 'Requested by',
      },
    },
    scan_results: {
      title: 'Results of scans',
      permission: 'scanning.read',
      by: 'scan_id',
      of: 'scans',
      json: ['reasons', 'spent'],
      columns: {
        scan_id: 'Scan',
        state: 'State',
        reasons: 'Reasons',
        observed_at: 'Observed at',
        ended_at: 'Ended at',
        spent: 'Use',
        delete_after: 'Deleted after',
        emptied_at: 'Emptied at',
      },
    },
    scan_pages: {
      title: 'Pages of scans',
      permission: 'scanning.read',
      by: 'scan_id',
      of: 'scans',
      json: ['facts', 'suspected', 'reasons'],
      columns: {
        scan_id: 'Scan',
        position: 'Page',
        url: 'Address',
        role: 'Role',
        outcome: 'Outcome',
        class: 'Class',
        facts: 'Facts',
        suspected: 'Suspected',
        reasons: 'Reasons',
      },
    },
    scan_hops: {
      title: 'Redirects of scans',
      permission: 'scanning.read',
      by: 'scan_id',
      of: 'scans',
      columns: {
        scan_id: 'Scan',
        page: 'Page',
        position: 'Redirect',
        url: 'Address',
        status: 'Status',
        address: 'IP address',
        verdict: 'Verdict',
        reason: 'Reason',
      },
    },
    official_sites: {
      title: 'Official sites',
      permission: 'scanning.read',
      columns: { id: 'Id', host: 'Host', origin: 'Origin', created_at: 'Proposed at', created_by: 'Proposed by' },
    },
    official_site_decisions: {
      title: 'Decisions on official sites',
      permission: 'scanning.read',
      by: 'site_id',
      of: 'official_sites',
      columns: {
        id: 'Id',
        site_id: 'Site',
        decision: 'Decision',
        reason: 'Reason',
        valid_until: 'Valid until',
        at: 'At',
        actor: 'By',
      },
    },
  },
  holdsNothing: { scan_cache: 'refers to scans that are fresh' },
  erases: {
    ...emptiedScans,
    official_site_decisions: { by: 'site_id', of: 'official_sites', set: { reason: ERASED } },
    official_sites: { set: { host: null }, counts: 'officialSites' },
  },
  sample: async (desk) => (await import('./scanning.sample.ts')).sampleScanning(desk),
  capability: async (context) => {
    const { served, because } = await readService(context, ['web_pages'], 'web pages')
    if (served.length > 0)
      return {
        status: 'operational',
        reason:
          'People supply saved pages and approve official sites, and pages are fetched through an enabled source.',
      }
    if (because === null) return {}
    return {
      reason: `People supply saved pages, whose facts are stored, and approve official sites; ${because}, so no page is fetched.`,
    }
  },
}
