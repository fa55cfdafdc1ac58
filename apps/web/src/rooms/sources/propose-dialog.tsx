import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createSource, type Source, saveSourceVersion } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { NotSaved, saveFailureOf } from '../../ui/forms/save-failure.tsx'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { ContractFields, contractOf, type TypedContract, typedContract } from './contract-fields.tsx'
import { refreshSources } from './sources.queries.ts'

type Typed = {
  slug: string
  name: string
  description: string
  adapterId: string
  adapterVersion: string
} & TypedContract

const blank: Typed = { slug: '', name: '', description: '', adapterId: '', adapterVersion: '', ...typedContract({}) }

const isTyped = (stored: unknown): stored is Partial<Typed> =>
  typeof stored === 'object' && stored !== null && 'fields' in stored && typeof stored.fields === 'string'

const parseTyped = (stored: unknown): Typed | null => (isTyped(stored) ? { ...blank, ...stored } : null)

type Props = { close: () => void; reopen: () => void }

/** A source is proposed with as much of its contract as is known. */
export function ProposeDialog({ close, reopen }: Props) {
  const navigate = useNavigate()
  return (
    <ContractDialog
      draftName="propose-source"
      title="Propose a source"
      confirmLabel="Propose"
      start={blank}
      isNew
      isBuiltIn={false}
      send={async (typed, key) => {
        const { slug, name, description, adapterId: id, adapterVersion: version } = typed
        const about = { slug, name, ...(description.trim() !== '' && { description }), adapter: { id, version } }
        const source = await dataOf(createSource({ body: { ...about, contract: contractOf(typed) }, ...withKey(key) }))
        void navigate({ to: '/sources/$sourceId', params: { sourceId: source.id } })
        return `${source.name} was proposed.`
      }}
      close={close}
      reopen={reopen}
    >
      A version may be saved incomplete. It is approved and enabled only when every item is there.
    </ContractDialog>
  )
}

/** A new version of the contract. */
export function NewVersionDialog({ source, close, reopen }: Props & { source: Source }) {
  const { adapter, contract, contractVersion } = source
  return (
    <ContractDialog
      draftName={`source-version-${source.id}`}
      title="Save a new version of the contract"
      confirmLabel="Save the version"
      start={{ ...blank, ...typedContract(contract) }}
      isNew={false}
      isBuiltIn={adapter === null}
      send={async (typed, key) => {
        const body = { basedOn: contractVersion, contract: contractOf(typed) }
        const saved = await dataOf(saveSourceVersion({ path: { sourceId: source.id }, body, ...withKey(key) }))
        return `Version ${saved.contractVersion} was saved.`
      }}
      close={close}
      reopen={reopen}
    >
      {adapter === null
        ? 'Records that are made from now on are kept for so long.'
        : 'A new version has no approvals. Saving it disables the source until all three desks approve again and somebody enables it.'}
    </ContractDialog>
  )
}

type DialogProps = Props & {
  draftName: string
  title: string
  confirmLabel: string
  start: Typed
  isNew: boolean
  isBuiltIn: boolean
  children: string
  send: (typed: Typed, key: string) => Promise<string>
}

function ContractDialog(props: DialogProps) {
  const { draftName, title, confirmLabel, start, isNew, isBuiltIn, children, send, close, reopen } = props
  const queryClient = useQueryClient()
  const draft = useDraft<Typed>(draftName, parseTyped, { gone: close, returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState(draft.restored?.value ?? start)
  const { keyFor, done } = useIdempotencyKey()
  const save = useMutation({
    meta: { notSaved: title, keepsText: true },
    mutationFn: () => send(typed, keyFor({ draftName, typed })),
    onSuccess: (message) => {
      done()
      draft.clear()
      void refreshSources(queryClient)
      notifications.show({ message })
      close()
    },
  })
  const set = (part: Partial<Typed>) => {
    if (save.isPending) return
    const next = { ...typed, ...part }
    setTyped(next)
    draft.keep(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  const failure =
    save.error === null
      ? null
      : save.error instanceof SyntaxError
        ? { isUnknown: false, text: 'Write the settings as a JSON object.' }
        : saveFailureOf(save.error)
  const line = (
    name: 'slug' | 'name' | 'adapterId' | 'adapterVersion',
    label: string,
    maxLength: number,
    more: object = {},
  ) => (
    <TextInput
      label={label}
      withAsterisk
      aria-required
      maxLength={maxLength}
      value={typed[name]}
      readOnly={save.isPending}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      {...more}
    />
  )
  return (
    <Dialog onClose={() => !save.isPending && close()} closeOnClickOutside={false} title={title} size="lg">
      <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="sm">
          <Text size="sm" component="div">
            {children}
            <DraftHint draft={draft.restored} />
          </Text>
          {isNew && (
            <>
              {line('name', 'Name', 100, { 'data-autofocus': true })}
              {line('slug', 'Short name', 60, { description: 'Lower-case letters, digits and hyphens; it stays' })}
              {line('adapterId', 'Adapter', 60)}
              {line('adapterVersion', 'Version of the adapter', 40)}
              <Textarea
                label="Description"
                autosize
                maxLength={1_000}
                value={typed.description}
                readOnly={save.isPending}
                onChange={(event) => set({ description: event.currentTarget.value })}
              />
            </>
          )}
          <ContractFields value={typed} isBuiltIn={isBuiltIn} isHeld={save.isPending} onChange={set} />
          <NotSaved failure={failure} />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() => {
                draft.discard(reopen)
                close()
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
