import { RowWorkScreen } from '../../rooms/csv-preview/row-work-screen.tsx'
import { RowProspectForm } from '../../rooms/prospects/record/new-prospect-screen.tsx'

/** The rows of a file, each beside the form of a new prospect. */
export function CsvRowsDesk() {
  return <RowWorkScreen renderForm={(props) => <RowProspectForm {...props} />} />
}
