import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { FieldEditor } from '../cells/field-editor.tsx'

/** The assignee of a prospect, from the record, a list or the review queue. A choice is saved as it is made. */
export function AssignDialog({ business, close }: OpenProps) {
  return (
    <Dialog title={`Assign ${nameText(business.name)}`} onClose={close}>
      <FieldEditor business={business} field="assigneeId" close={close} />
    </Dialog>
  )
}
