import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editUser, type User } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { refreshSession, useSession } from '../../../ui/api/session.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { changedFields } from '../../../ui/forms/changed-fields.ts'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../../ui/forms/use-save-form.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { roleName } from '../role-names.ts'
import { isRole } from '../role-options.ts'
import { RoleSelect } from './role-select.tsx'
import { useNewestUser } from './use-newest-user.ts'

type Props = { user: User; close: () => void; reopen: () => void }

export function EditPersonDialog({ user: opened, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { user, reload } = useNewestUser(opened)
  const isMe = user.id === useSession().user.id
  const current = { name: user.name, role: user.role }
  return (
    <FormDialog
      title={`Name and role of ${nameText(user.name)}`}
      submitLabel="Save"
      what={nameText(user.name)}
      initial={current}
      edits={{ reload, labels: { name: 'Name' }, lines: { role: (role) => [roleName(role)] } }}
      validate={({ name }): FieldErrors => (name.trim() === '' ? { name: 'Enter a name.' } : {})}
      send={async ({ name, role }) => {
        const body = changedFields(current, { name: name.trim(), role })
        if (Object.keys(body).length === 0) return null
        return dataOf(editUser({ path: { id: user.id }, body, ...ifMatch(user.version) }))
      }}
      onSaved={(saved) => {
        close()
        if (saved === null) return
        void queryClient.invalidateQueries({ queryKey: answersOf('listUsers') })
        void queryClient.invalidateQueries(assigneesQuery)
        // The sidebar shows the user's name from the session. If the refresh fails, the next page load corrects it.
        if (isMe) refreshSession(queryClient).catch(() => undefined)
        notifications.show({ message: `Saved ${nameText(saved.name)}` })
      }}
      draft={{ name: `person-${user.id}`, guards: { role: isRole } }}
      close={close}
      reopen={reopen}
    >
      {({ form, values: { role }, restored }) => (
        <>
          <TextInput
            label="Name"
            data-autofocus
            maxLength={inputLimits.personName}
            variant={user.isShared ? 'filled' : 'default'}
            description={
              (user.isShared || restored !== null) && (
                <>
                  {user.isShared && 'This person also belongs to other workspaces, so the name cannot be changed here.'}
                  <DraftHint draft={restored} />
                </>
              )
            }
            {...form.getInputProps('name')}
            {...(user.isShared && { readOnly: true })}
          />
          {isMe ? (
            <TextInput
              label="Role"
              description="You cannot change your own role. Ask another administrator."
              readOnly
              variant="filled"
              value={roleName(role)}
            />
          ) : (
            <RoleSelect {...form.getInputProps('role')} />
          )}
          {role !== user.role && (
            <p className="pp-quiet">
              <Name of={user.name} /> is signed out of this workspace. After the next sign-in, the role is{' '}
              {roleName(role).toLowerCase()}.
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}
