import { ActionIcon } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useOpener } from '../../layout/floating.tsx'
import { lazyPart, usePrefetchParts } from '../../lazy/lazy-part.tsx'
import type { Columns } from './columns-panel.tsx'

const ColumnsPanel = lazyPart('columns', () => import('./columns-panel.tsx').then((module) => module.ColumnsPanel))
const nextParts = [ColumnsPanel]

/** Button for the panel of columns and density, which are stored per user and tenant. */
export function ColumnsMenu(props: Columns) {
  const { button, floating } = useOpener('dialog')
  usePrefetchParts(nextParts)
  return (
    <>
      <ActionIcon variant="default" size={30} aria-label="Columns and density" {...button}>
        <IconAdjustmentsHorizontal size={16} stroke={1.7} />
      </ActionIcon>
      {floating !== null && <ColumnsPanel {...props} {...floating} />}
    </>
  )
}
