import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Failed, LoadingLines, NoPermission } from '../../../ui/layout/states.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { usersQuery } from '../accounts.queries.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialogs, type PersonTask } from './person-dialogs.tsx'
import { PersonTable } from './person-table.tsx'

export function PeopleScreen() {
  if (!useCan('users.manage')) return <NoPermission isPage what="the people of this tenant" />
  return <People />
}

function People() {
  const { tenant } = useSession()
  const users = useInfiniteQuery(usersQuery)
  const [isInviting, setInviting] = useState(false)
  const [task, setTask] = useState<PersonTask | null>(null)

  return (
    <Page
      title="People"
      lead={
        <>
          Who works in <Name of={tenant.name} />, and what they may do.
        </>
      }
      actions={
        <Button leftSection={<IconUserPlus size={16} stroke={1.7} aria-hidden />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <Invitations />
      {users.isPending && <LoadingLines lines={8} />}
      {users.isError && !users.data && (
        <Failed error={users.error} retry={() => void users.refetch()} what="the people" />
      )}
      {users.data && (
        <>
          <PersonTable users={users.data.items} choose={setTask} />
          <LoadMore what="people" {...users} data={users.data} />
        </>
      )}
      <DialogSlot>
        {isInviting && <InviteDialog close={() => setInviting(false)} reopen={() => setInviting(true)} />}
        {task !== null && (
          <PersonDialogs
            key={`${task.name} ${task.user.id}`}
            task={task}
            close={() => setTask(null)}
            reopen={() => setTask(task)}
          />
        )}
      </DialogSlot>
    </Page>
  )
}
