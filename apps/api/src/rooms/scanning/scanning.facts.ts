import { defineFacts } from '../define-facts.ts'

export const scanningFacts = defineFacts({
  room: 'scanning',
  permissions: {
    'scanning.read': { role: 'viewer', label: 'See scans of websites and official sites' },
    'scanning.supply': { role: 'operator', label: 'Supply saved pages' },
  },
  errors: {
    page_format_unsupported: [415, 'This is not a saved page'],
  },
  actions: {
    'page.supply': 'Page supplied',
    'scan.empty': 'Contents of scans emptied',
  },
  systemActors: ['scanning'],
  businessChildren: {
    scans: { table: 'scans', changed: 'has more scans' },
  },
  erasedCounts: { scans: 'Scans of websites that were emptied' },
  capabilities: [
    {
      phase: 8,
      area: 'Website scanning',
      status: 'contract_only',
      reason: 'People supply saved pages, whose facts are stored; no web adapter is loaded, so no page is fetched.',
    },
  ],
})
