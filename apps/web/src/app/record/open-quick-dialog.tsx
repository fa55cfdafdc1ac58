import { showOverPage } from '../../ui/dialogs/over-page.tsx'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import { loadRecordParts } from './load-record-parts.ts'
import type { QuickDialogProps } from './quick-dialog.tsx'

const QuickDialog = lazyPart<QuickDialogProps>('quick-dialog', async () => {
  const [Dialog, parts] = await Promise.all([
    import('./quick-dialog.tsx').then((module) => module.QuickDialog),
    loadRecordParts(),
  ])
  return (props) => <Dialog parts={parts} {...props} />
})

const close = () => showOverPage(null)

/** Opens a dialog of a record over the list that it is selected in. */
export function openQuickDialog(businessId: string, dialog: string): void {
  const reopen = () => openQuickDialog(businessId, dialog)
  showOverPage(
    <QuickDialog key={businessId + dialog} businessId={businessId} dialog={dialog} close={close} reopen={reopen} />,
  )
}
