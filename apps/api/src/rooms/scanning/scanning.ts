/**
 * Public module of the scanning room. A scan records facts of pages of a prospect's website with the time of observation, never the pages themselves
 * (docs/scanning.md). Page content stays in memory for some minutes; the contacts room reads it in a thread through `scanning.thread.ts`.
 */
export { type HeldPage, heldContentOf } from './pages/held-content.ts'
export { bareHost, isSameSite, storedUrl } from './pages/page-urls.rules.ts'
export { findScan, type StoredScan } from './scans/scans.queries.ts'
export { hasApprovedSite, type SiteOfRecord, sitesOfRecord } from './sites/official-sites.ts'
