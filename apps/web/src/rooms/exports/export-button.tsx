import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCommands } from '../../ui/commands.ts'
import { useCan } from '../../ui/session.ts'
import type { Wanted } from './export-dialog.tsx'
import classes from './exports.module.css'

const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })))

/** Opens the dialog that writes a file of what is on screen, for those who may. */
export function ExportButton({ wanted, size = 'sm' }: { wanted: Wanted; size?: 'xs' | 'sm' }) {
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
        size={size}
        leftSection={<IconFileExport size={15} stroke={1.7} />}
        aria-haspopup="dialog"
        aria-label="Export"
        className={size === 'xs' ? classes.small : ''}
        onClick={open}
      >
        Export
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ExportDialog wanted={wanted} close={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
