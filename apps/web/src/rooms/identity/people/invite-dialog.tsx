import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { Invitation, Role, OneTimeLink as ShownLink } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../../ui/api.ts'
import { isProblem, sentenceOf } from '../../../ui/api-problem.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Name } from '../../../ui/name.tsx'
import { nameText } from '../../../ui/name-text.ts'
import { Select } from '../../../ui/select.tsx'
import { invitationsQuery } from '../accounts.queries.ts'
import { isRole, roleOptions, roleText } from '../permission-words.ts'
import { OneTimeLink } from './one-time-link.tsx'

type Invited = { invitation: Invitation; link: ShownLink }
type Errors = { email?: string; name?: string; role?: string; form?: string }

export function InviteDialog({ close }: { close: () => void }) {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [errors, setErrors] = useState<Errors>({})
  const [invited, setInvited] = useState<Invited | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const invite = useMutation({
    mutationFn: () => api.post<Invited>('/users', { body: { email: email.trim(), name: name.trim(), role } }),
    onMutate: () => setErrors({}),
    onSuccess: (answer) => {
      void queryClient.invalidateQueries(invitationsQuery)
      setInvited(answer)
    },
    onError: (error) => setErrors(inviteErrors(error)),
  })

  // After a refusal the person goes on where there is something to mend.
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (invite.isPending) return
    const missing = {
      ...(email.trim() === '' ? { email: 'Enter the e-mail address that they will sign in with.' } : {}),
      ...(name.trim() === '' ? { name: 'Enter their name, as others will see it.' } : {}),
    }
    if (Object.keys(missing).length > 0) return setErrors(missing)
    invite.mutate()
  }

  if (invited !== null) {
    return (
      <OneTimeLink title={`${nameText(invited.invitation.name)} is invited`} link={invited.link} close={close}>
        With it <Name of={invited.invitation.name} /> chooses a password and can then sign in as{' '}
        {invited.invitation.email}. It works once.
      </OneTimeLink>
    )
  }
  return (
    <Dialog opened onClose={() => !invite.isPending && close()} closeOnClickOutside={false} title="Invite a person">
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="off"
            data-autofocus
            maxLength={254}
            value={email}
            error={errors.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={200}
            value={name}
            error={errors.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Role"
            data={roleOptions}
            value={role}
            description={roleText(role)}
            error={errors.role}
            onChange={(value) => isRole(value) && setRole(value)}
          />
          {errors.form !== undefined && (
            <p role="alert" className="pp-refusal">
              {errors.form}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={invite.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Make the link
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function inviteErrors(error: unknown): Errors {
  if (!isProblem(error)) return { form: sentenceOf(error) }
  if (error.status === 409) return { email: 'Somebody with this address works in this tenant already.' }
  const beside: Errors = {}
  const rest: string[] = []
  for (const { path, message } of error.errors) {
    if (path === 'email' || path === 'name' || path === 'role') beside[path] = message
    else rest.push(message)
  }
  if (error.errors.length === 0) return { form: sentenceOf(error) }
  return rest.length === 0 ? beside : { ...beside, form: rest.join(' ') }
}
