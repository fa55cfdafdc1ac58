import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type InviteUserResponse, inviteUser, type Role } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { formErrors } from '../../../ui/forms/form-errors.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { invitationsQuery, useRoleText } from '../accounts.queries.ts'
import { isRole, roleOptions } from '../role-options.ts'
import { OneTimeLink } from './one-time-link.tsx'

type Invited = InviteUserResponse
type Errors = { email?: string; name?: string; role?: string; form?: string }
type Typed = { email: string; name: string; role: Role }

const blank: Typed = { email: '', name: '', role: 'operator' }

function parseTyped(kept: unknown): Typed | null {
  if (typeof kept !== 'object' || kept === null || !('email' in kept && 'name' in kept && 'role' in kept)) return null
  const { email, name, role } = kept
  return typeof email === 'string' && typeof name === 'string' && isRole(role) ? { email, name, role } : null
}

export function InviteDialog({ close, reopen }: { close: () => void; reopen: () => void }) {
  const queryClient = useQueryClient()
  const draft = useDraft<Typed>('invite', parseTyped, { returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState(draft.restored?.value ?? blank)
  const roleText = useRoleText(typed.role)
  const [errors, setErrors] = useState<Errors>({})
  const [invited, setInvited] = useState<Invited | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const invite = useMutation({
    meta: { notSaved: `the invitation of ${nameText(typed.name)}` },
    mutationFn: ({ email, name, role }: Typed) =>
      dataOf(inviteUser({ body: { email: email.trim(), name: name.trim(), role } })),
    onMutate: () => setErrors({}),
    onSuccess: (answer) => {
      draft.clear()
      void queryClient.invalidateQueries(invitationsQuery)
      setInvited(answer)
    },
    onError: (error) => setErrors(inviteErrors(error)),
  })

  // After a refusal the person goes on where there is something to mend.
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const set = (part: Partial<Typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    if (next.email.trim() === '' && next.name.trim() === '') draft.clear()
    else draft.keep(next)
  }
  const cancel = () => {
    draft.discard(reopen)
    close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (invite.isPending) return
    const missing = {
      ...(typed.email.trim() === '' ? { email: 'Enter the e-mail address that they will sign in with.' } : {}),
      ...(typed.name.trim() === '' ? { name: 'Enter their name, as others will see it.' } : {}),
    }
    if (Object.keys(missing).length > 0) return setErrors(missing)
    invite.mutate(typed)
  }

  if (invited !== null) {
    return (
      <OneTimeLink title={`${nameText(invited.invitation.name)} is invited`} link={invited.link} close={close}>
        With this link <Name of={invited.invitation.name} /> chooses a password and can then sign in as{' '}
        {invited.invitation.email}. It works once.
      </OneTimeLink>
    )
  }
  return (
    <Dialog onClose={() => !invite.isPending && close()} closeOnClickOutside={false} title="Invite a person">
      <form ref={form} onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="off"
            data-autofocus
            maxLength={inputLimits.personEmail}
            description={draft.restored === null ? null : <DraftHint draft={draft.restored} />}
            value={typed.email}
            error={errors.email}
            readOnly={invite.isPending}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={inputLimits.personName}
            value={typed.name}
            error={errors.name}
            readOnly={invite.isPending}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label="Role"
            data={roleOptions}
            value={typed.role}
            description={roleText}
            error={errors.role}
            readOnly={invite.isPending}
            onChange={(role) => isRole(role) && set({ role })}
          />
          {errors.form !== undefined && (
            <p role="alert" className="pp-refusal">
              {errors.form}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel} disabled={invite.isPending}>
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
  const { fields, general } = formErrors(error, (path) => Object.hasOwn(blank, path))
  return general.length === 0 ? fields : { ...fields, form: general.join(' ') }
}
