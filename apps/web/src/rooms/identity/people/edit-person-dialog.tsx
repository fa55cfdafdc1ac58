import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Role, User } from '@prospect/api-client'
import { editUser } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { isProblem, messageAbout, sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { refreshSession, useSession } from '../../../ui/api/session.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { changedFields } from '../../../ui/forms/changed-fields.ts'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { assigneesQuery } from '../../../ui/prospects/assignees.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { useRoleText, usersQuery } from '../accounts.queries.ts'
import { roleName } from '../role-names.ts'
import { isRole, roleOptions } from '../role-options.ts'

type Fields = { name: string; role: Role }

function parseTyped(kept: unknown): Partial<Fields> | null {
  if (typeof kept !== 'object' || kept === null) return null
  return {
    ...('name' in kept && typeof kept.name === 'string' && { name: kept.name }),
    ...('role' in kept && isRole(kept.role) && { role: kept.role }),
  }
}

type Props = { user: User; close: () => void; reopen: () => void }

export function EditPersonDialog({ user, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { user: me } = useSession()
  const isMe = user.id === me.id
  const draft = useDraft(`person-${user.id}`, parseTyped, { returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState(draft.restored?.value ?? {})
  const { name, role } = { name: user.name, role: user.role, ...typed }
  const roleText = useRoleText(role)
  const [missing, setMissing] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const change = {
    ...(name.trim() === user.name ? {} : { name: name.trim() }),
    ...(role === user.role ? {} : { role }),
  }
  const save = useMutation({
    meta: { notSaved: nameText(user.name) },
    mutationFn: () => dataOf(editUser({ path: { id: user.id }, body: change, ...ifMatch(user.version) })),
    onSuccess: (saved) => {
      draft.clear()
      void queryClient.invalidateQueries(usersQuery)
      void queryClient.invalidateQueries(assigneesQuery)
      // The sidebar has my name from there. Where that cannot be asked for now it comes with the next page.
      if (isMe) refreshSession(queryClient).catch(() => undefined)
      notifications.show({ message: `${nameText(saved.name)} is saved.` })
      close()
    },
    onError: () => queryClient.invalidateQueries(usersQuery),
  })
  const about = (path: string) => messageAbout(save.error, path)
  const isBeside = about('name') !== undefined || about('role') !== undefined

  const set = (part: Partial<Fields>) => {
    const next = changedFields<Fields>(user, { ...typed, ...part })
    setTyped(next)
    if (Object.keys(next).length === 0) draft.clear()
    else draft.keep(next)
  }
  const cancel = () => {
    draft.discard(reopen)
    close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (name.trim() === '') {
      setMissing(true)
      nameInput.current?.focus()
      return
    }
    if (Object.keys(change).length === 0) {
      draft.clear()
      return close()
    }
    save.mutate()
  }

  return (
    <Dialog onClose={() => !save.isPending && close()} title={`Name and role of ${nameText(user.name)}`}>
      <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="md">
          <TextInput
            ref={nameInput}
            label="Name"
            data-autofocus
            maxLength={inputLimits.personName}
            value={name}
            readOnly={user.isShared || save.isPending}
            variant={user.isShared ? 'filled' : 'default'}
            description={
              (user.isShared || draft.restored !== null) && (
                <>
                  {user.isShared && 'They belong to other tenants too, so their name is not this tenant’s to change.'}
                  <DraftHint draft={draft.restored} />
                </>
              )
            }
            error={missing ? 'Enter a name.' : about('name')}
            onChange={(event) => {
              set({ name: event.currentTarget.value })
              setMissing(false)
            }}
          />
          {isMe ? (
            <TextInput
              label="Role"
              description="Nobody changes their own role: ask another administrator."
              readOnly
              variant="filled"
              value={roleName(role)}
            />
          ) : (
            <Select
              label="Role"
              data={roleOptions}
              value={role}
              description={roleText}
              error={about('role')}
              readOnly={save.isPending}
              onChange={(value) => isRole(value) && set({ role: value })}
            />
          )}
          {role !== user.role && (
            <p className="pp-quiet">
              <Name of={user.name} /> is signed out of this workspace and returns as {roleName(role).toLowerCase()}.
            </p>
          )}
          {save.isError && !isBeside && (
            <p role="alert" className="pp-refusal">
              {isProblem(save.error, 'version_conflict')
                ? 'Someone else changed this person meanwhile. Close this, look at the list as it is now, and change it again.'
                : sentenceOf(save.error)}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel} disabled={save.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
