import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createRuleSet, editRuleSet, type ScoringRuleSet } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isProblem, messageAbout } from '../../../ui/api/api-problem.ts'
import { ifMatch, withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { NotSaved, refusedWith, saveFailureOf } from '../../../ui/forms/save-failure.tsx'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../../ui/forms/use-idempotency-key.ts'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../scoring.module.css'
import { refreshScoring, templatesQuery } from '../scoring.queries.ts'

type Typed = { name: string; description: string; ownerId: string; template: string }
type OpenProps = { isOpen: boolean; close: () => void; reopen: () => void }

function parseTyped(stored: unknown): Typed | null {
  if (typeof stored !== 'object' || stored === null) return null
  const text = (key: keyof Typed) => {
    const value: unknown = Reflect.get(stored, key)
    return typeof value === 'string' ? value : ''
  }
  return { name: text('name'), description: text('description'), ownerId: text('ownerId'), template: text('template') }
}

/** A rule set with its first draft, from a template. */
export function CreateRuleSetDialog({ isOpen, close, reopen }: OpenProps) {
  const navigate = useNavigate()
  const { user } = useSession()
  if (!isOpen) return null
  return (
    <RuleSetDialog
      draftName="new-rule-set"
      title="New rule set"
      confirmLabel="Create"
      start={{ name: '', description: '', ownerId: user.id, template: 'reachable' }}
      isNew
      send={async ({ name, description, ownerId, template }, key) => {
        const body = { name, ownerId, template, ...(description.trim() !== '' && { description }) }
        const made = await dataOf(createRuleSet({ body, ...withKey(key) }))
        void navigate({
          to: '/scoring/rule-sets/$ruleSetId/versions/$version',
          params: { ruleSetId: made.id, version: '1' },
        })
        return `${nameText(made.name)} was created with a draft.`
      }}
      close={close}
      reopen={reopen}
    />
  )
}

type EditProps = OpenProps & { ruleSet: ScoringRuleSet }

/** Name, description and owner of a rule set. */
export function EditRuleSetDialog({ ruleSet, isOpen, close, reopen }: EditProps) {
  if (!isOpen) return null
  const { id, version, name, description, owner } = ruleSet
  return (
    <RuleSetDialog
      draftName={`rule-set-${id}`}
      title={`Edit ${nameText(name)}`}
      confirmLabel="Save"
      start={{ name, description: description ?? '', ownerId: owner.id, template: '' }}
      isNew={false}
      owner={owner}
      send={async (typed) => {
        const body = {
          name: typed.name,
          ownerId: typed.ownerId,
          description: typed.description.trim() === '' ? null : typed.description,
        }
        const saved = await dataOf(editRuleSet({ path: { ruleSetId: id }, body, ...ifMatch(version) }))
        return `${nameText(saved.name)} was saved.`
      }}
      close={close}
      reopen={reopen}
    />
  )
}

type DialogProps = Omit<OpenProps, 'isOpen'> & {
  draftName: string
  title: string
  confirmLabel: string
  start: Typed
  isNew: boolean
  owner?: ScoringRuleSet['owner']
  /** Resolves to what was done, in words. */
  send: (typed: Typed, key: string) => Promise<string>
}

function RuleSetDialog({ draftName, title, confirmLabel, start, isNew, owner, send, close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  const draft = useDraft<Typed>(draftName, parseTyped, { gone: close, returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState(draft.restored?.value ?? start)
  const [isMissing, setMissing] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const people = usePeopleOptions(owner ?? null)
  const { keyFor, done } = useIdempotencyKey(draft.attempts)
  const save = useMutation({
    meta: { notSaved: title },
    mutationFn: () => send(typed, keyFor(typed)),
    onSuccess: async (message) => {
      done()
      draft.clear()
      await refreshScoring(queryClient)
      notifications.show({ message })
      close()
    },
    onError: (error) => {
      if (isProblem(error, 'version_conflict')) void refreshScoring(queryClient)
    },
  })
  const set = (part: Partial<Typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    draft.keep(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (typed.name.trim() === '') {
      setMissing(true)
      nameInput.current?.focus()
      return
    }
    save.mutate()
  }
  const about = (field: string) => messageAbout(save.error, field)
  const isBeside = ['name', 'description', 'ownerId'].some((field) => about(field) !== undefined)
  const failure = isProblem(save.error, 'version_conflict')
    ? refusedWith('Someone else changed this rule set meanwhile. Close this, look at it, and change it again.')
    : save.error === null || isBeside
      ? null
      : saveFailureOf(save.error)
  return (
    <Dialog opened onClose={() => !save.isPending && close()} closeOnClickOutside={false} title={title} size="lg">
      <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="md">
          <TextInput
            ref={nameInput}
            label="Name"
            description={
              <>
                At most {inputLimits.ruleSetName} characters.
                <DraftHint draft={draft.restored} />
              </>
            }
            withAsterisk
            aria-required
            data-autofocus
            maxLength={inputLimits.ruleSetName}
            value={typed.name}
            readOnly={save.isPending}
            error={isMissing ? 'Enter a name.' : about('name')}
            onChange={(event) => {
              set({ name: event.currentTarget.value })
              setMissing(false)
            }}
          />
          <Textarea
            label="Description"
            description="The purpose of these scores. Optional."
            autosize
            maxLength={inputLimits.ruleSetDescription}
            value={typed.description}
            readOnly={save.isPending}
            error={about('description')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <Select
            label="Owner"
            searchable
            data={people}
            value={typed.ownerId}
            readOnly={save.isPending}
            error={about('ownerId')}
            onChange={(ownerId) => ownerId !== null && set({ ownerId })}
          />
          {isNew && (
            <Templates value={typed.template} isHeld={save.isPending} choose={(template) => set({ template })} />
          )}
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

type TemplatesProps = { value: string; isHeld: boolean; choose: (template: string) => void }

function Templates({ value, isHeld, choose }: TemplatesProps): ReactNode {
  const { data } = useQuery(templatesQuery)
  return (
    <Radio.Group label="Begin with" value={value} onChange={(template) => !isHeld && choose(template)}>
      <div className={classes.choices}>
        {(data?.items ?? []).map(({ key, title, description }) => (
          <Radio key={key} value={key} label={title} description={description} />
        ))}
      </div>
    </Radio.Group>
  )
}
