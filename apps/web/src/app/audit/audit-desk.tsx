import { AuditScreen } from '../../rooms/audit/audit-screen.tsx'
import { ExportButton } from '../../rooms/exports/export-button.tsx'

/** The audit log, with the export action of another room. */
export function AuditDesk() {
  return (
    <AuditScreen
      actions={(auditFilter, isFiltered) => (
        <ExportButton
          wanted={{
            source: 'audit',
            auditFilter,
            words: `${isFiltered ? 'The events that match the filters' : 'All events'}, with the newest signed checkpoint.`,
          }}
        />
      )}
    />
  )
}
