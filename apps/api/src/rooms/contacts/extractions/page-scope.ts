import type { HeldPage, SiteOfRecord, StoredScan } from '../../scanning/scanning.ts'
import { isSameSite, storedUrl } from '../../scanning/scanning.ts'
import type { ExtractionReason } from '../reasons.ts'

export type NotRead = { url: string; reason: ExtractionReason }

/** A page of an approved site that may be read. */
export type ReadablePage = { page: HeldPage; scan: StoredScan; site: SiteOfRecord; url: string }

export type PageScopeOf = { pages: ReadablePage[]; notRead: NotRead[]; reasons: Set<ExtractionReason> }

export type ScanWithPages = { scan: StoredScan; pages: readonly HeldPage[] }

/** Returns the approved site with this host. */
export function siteOfHost(sites: readonly SiteOfRecord[], host: string): SiteOfRecord | undefined {
  return sites.find((site) => site.state === 'approved' && isSameSite(site.host, host))
}

/** Returns the pages to read, contact and about pages first, and the other pages with the reason. */
export function pagesInScope(
  scans: readonly ScanWithPages[],
  sites: readonly SiteOfRecord[],
  maxPages: number,
): PageScopeOf {
  const reasons = new Set<ExtractionReason>()
  const notRead: NotRead[] = []
  const readable: ReadablePage[] = []
  const leave = (url: string, reason: ExtractionReason) => {
    reasons.add(reason)
    notRead.push({ url, reason })
  }
  for (const { scan, pages } of scans) {
    if (pages.length === 0) {
      leave(scan.url ?? '', 'content_gone')
      continue
    }
    if (scan.state !== 'complete') reasons.add('scan_incomplete')
    for (const page of pages) {
      const url = storedUrl(new URL(page.url))
      const site = siteOfHost(sites, new URL(page.url).hostname)
      const facts = scan.pages[page.position]
      if (site === undefined || scan.reasons.includes('other_host')) leave(url, 'page_out_of_scope')
      else if (facts === undefined || facts.class !== 'content' || facts.suspected.length > 0)
        leave(url, 'page_uncertain')
      else {
        if (page.isCut) leave(url, 'scan_incomplete')
        readable.push({ page, scan, site, url })
      }
    }
  }
  const ordered = readable.toSorted((a, b) => rankOf(a.page) - rankOf(b.page))
  for (const { url } of ordered.slice(maxPages)) leave(url, 'page_limit')
  return { pages: ordered.slice(0, maxPages), notRead, reasons }
}

function rankOf({ role }: HeldPage): number {
  return ['contact', 'about', 'start', 'other'].indexOf(role)
}
