import { Button, Menu } from '@mantine/core'
import type { JobKinds } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { StartDialog } from './start-dialog.tsx'

type Kind = JobKinds['items'][number]

/** Menu to start a job of a kind that the user may create. Renders nothing if there is none. */
export function NewJob({ kinds }: { kinds: readonly Kind[] }) {
  const [chosen, setChosen] = useState<Kind | null>(null)
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
            <Menu.Item key={kind.kind} onClick={() => setChosen(kind)}>
              {kind.title}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <DialogSlot>{chosen !== null && <StartDialog kind={chosen} close={() => setChosen(null)} />}</DialogSlot>
    </>
  )
}
