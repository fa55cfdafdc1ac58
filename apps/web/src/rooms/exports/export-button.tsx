import { IconFileExport } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { LazyDialogSlot } from '../../ui/dialogs/lazy-dialog-slot.tsx'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import type { ExportRequest } from './export-dialog.tsx'
import classes from './exports.module.css'

const ExportDialog = lazyPart('export', () => import('./export-dialog.tsx').then((module) => module.ExportDialog))

type Props = {
  wanted: ExportRequest
  /** True if only the icon is shown on a narrow screen. */
  shrinks?: boolean
}

const labels = {
  prospects: 'Export these prospects',
  report: 'Export these figures',
  audit: 'Export these events',
} as const

/** Button for the export dialog of the visible list, report or log, for users with the permission. */
export function ExportButton({ wanted, shrinks = false }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const label = labels[wanted.source]
  const open: Action = {
    id: 'export',
    label,
    shortLabel: 'Export',
    group: 'Export',
    Icon: IconFileExport,
    keywords: 'csv download file',
    permission: 'exports.create',
    run: () => setIsOpen(true),
  }
  useActions('screen', [open])
  return (
    <>
      <ActionButton
        action={open}
        variant="default"
        aria-haspopup="dialog"
        aria-label="Export"
        className={shrinks ? classes.small : ''}
      />
      <LazyDialogSlot>{isOpen && <ExportDialog wanted={wanted} close={() => setIsOpen(false)} />}</LazyDialogSlot>
    </>
  )
}
