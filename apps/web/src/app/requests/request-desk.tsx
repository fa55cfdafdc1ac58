import { RequestScreen } from '../../rooms/requests/lazy.ts'
import { openQuickDialog } from '../record/open-quick-dialog.tsx'

/** Page of a subject request, with the dialogs that other rooms add to a record. */
export function RequestDesk() {
  return <RequestScreen openDialog={openQuickDialog} />
}
