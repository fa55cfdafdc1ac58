import { defineFacts } from '../define-facts.ts'

export const scanningFacts = defineFacts({
  room: 'scanning',
  permissions: {
    'scanning.read': { role: 'viewer', label: 'See scans of websites and official sites' },
    'scanning.supply': { role: 'operator', label: 'Supply saved pages' },
    'scanning.plan': { role: 'operator', label: 'Plan scans without sending anything' },
    'scanning.fetch': { role: 'manager', label: 'Fetch pages of websites' },
    'scanning.propose_site': { role: 'operator', label: 'Propose official sites' },
    'scanning.approve_site': { role: 'manager', label: 'Approve, reject and withdraw official sites' },
    'scanning.write_policy': { role: 'manager', label: 'Write versions of the scan policy' },
    'scanning.approve_policy': { role: 'administrator', label: 'Approve versions of the scan policy' },
  },
  errors: {
    page_format_unsupported: [415, 'This is not a saved page'],
    site_changed: [409, 'The site changed'],
    policy_not_pending: [409, 'The version is not pending'],
    host_not_on_record: [422, 'The host is not on the record'],
    shared_host: [422, 'A shared host'],
    confirmation_required: [422, 'Confirm first'],
    fact_not_known: [422, 'The page does not tell'],
  },
  workActions: {
    'page.supply': 'Page supplied',
    'scan.request': 'Scan requested',
    'scan.defer': 'Scan deferred',
    'scan.start': 'Scan started',
    'scan.page': 'Page of a scan read',
    'scan.end': 'Scan ended',
    'scan.reevaluate': 'Scans judged again',
    'scan.empty': 'Contents of scans emptied',
    'official_site.propose': 'Official site proposed',
    'official_site.decide': 'Official site decided',
    'official_site.approval_failed': 'Approval of an official site failed',
    'official_site.expire': 'Official site expired',
    'scan_policy.create': 'Scan policy written',
    'scan_policy.approve': 'Scan policy approved',
    'scan_policy.approval_failed': 'Approval of a scan policy failed',
  },
  auditSubjects: {
    official_site: { label: 'Official website', visibleTo: 'scanning.read' },
    scan: { label: 'Scan', visibleTo: 'scanning.read' },
    scan_policy: { label: 'Scan policy', visibleTo: 'scanning.read' },
  },
  systemActors: ['scanning'],
  businessChildren: {
    scans: { table: 'scans', changed: 'has more scans' },
    officialSites: { table: 'official_sites', changed: 'has more official sites' },
  },
  otherBusinessTables: { scan_cache: 'refers to scans that are fresh, and leaves with them' },
  erasedCounts: {
    scans: 'Scans of websites that were emptied',
    officialSites: 'Official sites that were emptied',
  },
  capabilities: [
    {
      phase: 8,
      area: 'Website scanning',
      status: 'contract_only',
      reason:
        'People supply saved pages, whose facts are stored, and approve official sites; no adapter is loaded, so no page is fetched.',
    },
  ],
})
