import { ExportButton } from '../../rooms/exports/export-button.tsx'
import { ReportScreen } from '../../rooms/reports/report-screen.tsx'
import { reportName } from '../../ui/text/report-name.ts'

/** A report, with the export action of another room. */
export function ReportDesk() {
  return (
    <ReportScreen
      actions={(report) => (
        <ExportButton
          wanted={{
            source: 'report',
            reportId: report.id,
            words: `All figures of ${reportName(report)}, unchanged.`,
          }}
        />
      )}
    />
  )
}
