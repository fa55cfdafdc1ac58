import { RowWorkScreen } from '../../rooms/csv-preview/row-work-screen.tsx'
import { RowProspectForm } from '../../rooms/prospects/record/new-prospect-screen.tsx'
import { useCan } from '../../ui/api/session.ts'
import { NoPermission } from '../../ui/layout/states.tsx'

/** The rows of a file, each beside the form of a new prospect. */
export function CsvRowsDesk() {
  const [canPreview, canCreate] = [useCan('sources.preview'), useCan('businesses.write')]
  if (!canPreview || !canCreate) return <NoPermission isPage to="add prospects" />
  return <RowWorkScreen renderForm={(props) => <RowProspectForm {...props} />} />
}
