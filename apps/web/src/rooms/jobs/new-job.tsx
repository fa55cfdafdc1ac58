import { Button, Menu } from '@mantine/core'
import type { JobKinds } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'

type Kind = JobKinds['items'][number]

/** Menu to start a job of a kind that the user may create. Renders nothing if there is none. */
export function NewJob({ kinds }: { kinds: readonly Kind[] }) {
  const starting = useDialog<Kind>()
  const offered = kinds.filter(({ isOffered }) => isOffered)
  if (offered.length === 0) return null
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}>New job</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((kind) => (
            <Menu.Item key={kind.kind} onClick={() => starting.open(kind)}>
              {kind.title}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {starting.slot((kind, { close }) => (
        <StartDialog kind={kind} close={close} />
      ))}
    </>
  )
}
