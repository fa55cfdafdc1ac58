import { IconUserPlus } from '@tabler/icons-react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useSession } from '../../../ui/api/session.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { userPages } from '../accounts.queries.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ChooseTask, personColumns } from './person-columns.tsx'
import { PersonDialogs, type PersonTask } from './person-dialogs.tsx'

export function PeopleScreen() {
  const { tenant } = useSession()
  const inviting = useDialog()
  const choosing = useDialog<PersonTask>()
  const invite: Action = {
    id: 'people.invite',
    label: 'Invite person',
    shortLabel: 'Invite',
    group: 'People',
    Icon: IconUserPlus,
    permission: 'users.manage',
    run: () => inviting.open(),
  }
  useActions('screen', [invite])
  return (
    <ChooseTask value={choosing.open}>
      <ListScreen
        name="people"
        nouns={{ one: 'person', many: 'people' }}
        title="People"
        label="People"
        lead={
          <>
            The people who work in <Name of={tenant.name} />, and their roles.
          </>
        }
        actions={<ActionButton action={invite} iconSize={16} />}
        isWrapped
        columns={personColumns}
        pages={userPages}
        notices={<Invitations />}
        clear={null}
        empty={<Empty title="No people yet" />}
      >
        {inviting.slot((_, dialog) => (
          <InviteDialog {...dialog} />
        ))}
        {choosing.slot((task, dialog) => (
          <PersonDialogs task={task} {...dialog} />
        ))}
      </ListScreen>
    </ChooseTask>
  )
}
