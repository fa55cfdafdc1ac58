import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useCanWork, useSession } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Name } from '../../ui/text/name.tsx'
import { type DroppedPage, proposalFrom } from './page-proposal.ts'
import classes from './scanning.module.css'
import { SupplyPageDialog } from './supply-page-dialog.tsx'

const savedPage = /\.(?:x?html?|txt)$/i

/** Opens the dialog to supply a page when a saved page is dropped anywhere on the record. */
export function DropPage({ business }: { business: Business }) {
  const canSupply = useCanWork('scanning.supply', business)
  return canSupply ? <DropTarget business={business} /> : null
}

function DropTarget({ business }: { business: Business }) {
  const { timeZone } = useSession().tenant
  const supplying = useDialog<DroppedPage>()
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: FileList) => {
    const [file] = files
    if (file === undefined) return
    if (files.length > 1 || !savedPage.test(file.name)) {
      notifications.show({ message: 'Drop one saved page: a file that ends in .html, .htm, .xhtml or .txt.' })
      return
    }
    void proposalFrom(file, timeZone).then((proposal) => supplying.open({ file, proposal }))
  })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // A field that takes the file itself has prevented the default action. An open dialog keeps its own fields.
    const isOurs = (event: DragEvent) =>
      !event.defaultPrevented &&
      event.dataTransfer?.types.includes('Files') === true &&
      document.querySelector('[role="dialog"][aria-modal="true"]') === null
    window.addEventListener(
      'dragover',
      (event) => {
        const ours = isOurs(event)
        if (ours) event.preventDefault()
        setOver(ours)
      },
      { signal },
    )
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal })
    window.addEventListener(
      'drop',
      (event) => {
        setOver(false)
        if (!isOurs(event)) return
        event.preventDefault()
        if (event.dataTransfer !== null) take(event.dataTransfer.files)
      },
      { signal },
    )
    return () => controller.abort()
  }, [])
  return (
    <>
      {isOver && (
        <p className={classes.drop} role="status">
          Drop the saved page to supply it for <Name of={business.name} />
        </p>
      )}
      {supplying.slot((dropped, dialog) => (
        <SupplyPageDialog business={business} dropped={dropped} {...dialog} />
      ))}
    </>
  )
}
