import { Drawer } from '@mantine/core'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

/** The sidebar in a drawer, for narrow screens. */
export function PlacesDrawer(props: { opened: boolean; close: () => void; openPalette: () => void }) {
  return (
    <Drawer
      opened={props.opened}
      onClose={props.close}
      size={270}
      classNames={{
        content: classes.drawer ?? '',
        header: classes.drawerHead ?? '',
        body: classes.drawerBody ?? '',
      }}
      title="Prospect Platform"
      closeButtonProps={{ 'aria-label': 'Close menu' }}
    >
      <Sidebar isCollapsed={false} openPalette={props.openPalette} />
    </Drawer>
  )
}
