import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { User } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api } from '../../../ui/api.ts'
import { isProblem, sentenceOf } from '../../../ui/api-problem.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Name } from '../../../ui/name.tsx'
import { nameText } from '../../../ui/name-text.ts'
import { Select } from '../../../ui/select.tsx'
import { useSession } from '../../../ui/session.ts'
import { usersQuery } from '../accounts.queries.ts'
import { isRole, roleOptions, roleText } from '../permission-words.ts'
import { roleName } from '../role-names.ts'

export function EditPersonDialog({ user, close }: { user: User; close: () => void }) {
  const queryClient = useQueryClient()
  const { user: me } = useSession()
  const isMe = user.id === me.id
  const [name, setName] = useState(user.name)
  const [role, setRole] = useState(user.role)
  const [missing, setMissing] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const change = {
    ...(name.trim() === user.name ? {} : { name: name.trim() }),
    ...(role === user.role ? {} : { role }),
  }
  const save = useMutation({
    mutationFn: () => api.patch<User>(`/users/${user.id}`, { body: change, ifMatch: user.version }),
    onSuccess: (saved) => {
      void queryClient.invalidateQueries(usersQuery)
      notifications.show({ message: `${nameText(saved.name)} is saved.` })
      close()
    },
    onError: () => queryClient.invalidateQueries(usersQuery),
  })
  const about = (path: string) =>
    isProblem(save.error) ? save.error.errors.find((one) => one.path === path)?.message : undefined
  const isBeside = about('name') !== undefined || about('role') !== undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (name.trim() === '') {
      setMissing(true)
      nameInput.current?.focus()
      return
    }
    if (Object.keys(change).length === 0) return close()
    save.mutate()
  }

  return (
    <Dialog opened onClose={() => !save.isPending && close()} title={`Name and role of ${nameText(user.name)}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            ref={nameInput}
            label="Name"
            data-autofocus
            maxLength={200}
            value={name}
            readOnly={user.isShared}
            variant={user.isShared ? 'filled' : 'default'}
            {...(user.isShared
              ? { description: 'They belong to other tenants too, so their name is not this tenant’s to change.' }
              : {})}
            error={missing ? 'Enter a name.' : about('name')}
            onChange={(event) => {
              setName(event.currentTarget.value)
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
              description={roleText(role)}
              error={about('role')}
              onChange={(value) => isRole(value) && setRole(value)}
            />
          )}
          {role !== user.role && (
            <p className="pp-quiet">
              <Name of={user.name} /> is signed out everywhere and comes back as {roleName(role).toLowerCase()}.
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
            <Button variant="default" onClick={close} disabled={save.isPending}>
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
