import { SubNav } from '../layout/sub-nav.tsx'

/** The tabs of the place Sources. */
export function SourceNav() {
  return (
    <SubNav
      label="Sources"
      entries={[
        { to: '/sources', label: 'Registry', permission: 'sources.read' },
        { to: '/sources/csv-preview', label: 'CSV preview', permission: 'sources.preview' },
        { to: '/sources/incidents', label: 'Incidents', permission: 'sources.read' },
      ]}
    />
  )
}
