import { ExportButton } from '../../rooms/exports/export-button.tsx'
import { ReportScreen } from '../../rooms/reports/report-screen.tsx'

/** A report with what another room offers to do with its figures. */
export function ReportDesk() {
  return (
    <ReportScreen
      actions={({ id, name }) => (
        <ExportButton wanted={{ source: 'report', reportId: id, words: `Every figure of ${name}, as it was made.` }} />
      )}
    />
  )
}
