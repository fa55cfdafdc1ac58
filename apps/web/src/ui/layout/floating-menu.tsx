import { Menu, type MenuProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { ButtonProxy, type Floating, useIsDrawn } from './floating.tsx'

type FloatingMenuProps = Floating &
  Pick<MenuProps, 'width' | 'position' | 'returnFocus'> & {
    /** Receives the menu component for its items, so that the caller of the button need not import it. */
    children: (menu: typeof Menu) => ReactNode
  }

export function FloatingMenu({ button, isOpen, setOpen, children, ...props }: FloatingMenuProps) {
  const isDrawn = useIsDrawn()
  return (
    <Menu opened={isOpen && isDrawn} onChange={setOpen} {...props}>
      <Menu.Target>
        <ButtonProxy button={button} />
      </Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  )
}
