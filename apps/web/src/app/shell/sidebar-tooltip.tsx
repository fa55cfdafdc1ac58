import { Tooltip } from '@mantine/core'
import { useIsDrawn } from '../../ui/layout/floating.tsx'

/** Tooltip with the name of a collapsed sidebar entry. */
export function SidebarTooltip(props: { label: string; target: HTMLElement; isShown: boolean }) {
  const { label, target, isShown } = props
  const isDrawn = useIsDrawn()
  return <Tooltip label={label} position="right" target={target} opened={isShown && isDrawn} />
}
