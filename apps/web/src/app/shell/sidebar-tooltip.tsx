import { Tooltip } from '@mantine/core'
import { useIsDrawn } from '../../ui/layout/floating.tsx'

/** What something in the sidebar is called, beside it. */
export function SidebarTooltip(props: { label: string; target: HTMLElement; isShown: boolean }) {
  const { label, target, isShown } = props
  const isDrawn = useIsDrawn()
  return <Tooltip label={label} position="right" target={target} opened={isShown && isDrawn} />
}
