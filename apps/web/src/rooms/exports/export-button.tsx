import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../ui/api/session.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import type { ExportRequest } from './export-dialog.tsx'
import classes from './exports.module.css'

const ExportDialog = lazyPart('export', () => import('./export-dialog.tsx').then((module) => module.ExportDialog))

type Props = {
  wanted: ExportRequest
  /** Where there is little room the sign stands alone. */
  shrinks?: boolean
}

/** Opens the dialog that writes a file of what is on screen, for those who may. */
export function ExportButton({ wanted, shrinks = false }: Props) {
  const canExport = useCan('exports.create')
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const label = wanted.source === 'report' ? 'Export these figures' : 'Export these prospects'
  useCommands(canExport ? [{ id: 'export', label, group: 'Export', keywords: 'csv download file', run: open }] : [])
  if (!canExport) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileExport size={15} stroke={1.7} />}
        aria-haspopup="dialog"
        aria-label="Export"
        className={shrinks ? classes.small : ''}
        onClick={open}
      >
        Export
      </Button>
      {isOpen && <ExportDialog wanted={wanted} close={() => setIsOpen(false)} />}
    </>
  )
}
