import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Suppression } from '@prospect/api-client'
import { addSuppression } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useSession } from '../../ui/api/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { errorsOfUnchangedFields, formErrors } from '../../ui/forms/form-errors.ts'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import {
  emptyProvenance,
  isBlankProvenance,
  missingProvenance,
  ProvenanceFields,
  provenanceOf,
  type TypedProvenance,
} from './provenance-fields.tsx'
import { type NewEntry, refreshAll } from './suppression.queries.ts'
import { countWords, entryName, kindWords } from './suppression-words.ts'

type Typed = {
  kind: Suppression['kind']
  value: string
  region: string | null
  withSubdomains: boolean
} & TypedProvenance
const empty = { kind: 'email', value: '', withSubdomains: true, ...emptyProvenance } as const
const fields = ['kind', 'value', 'region', 'scope', ...Object.keys(emptyProvenance)]

const hints: Record<Suppression['kind'], string> = {
  email: 'Case, labels behind a plus and, where the provider ignores them, dots make no difference.',
  phone: 'Local and international forms are the same number.',
  domain: 'Mail at this domain and web addresses under it. Not one where anybody has a mailbox.',
}

/** One entry. Waits for the server: how many records it marked is what it answered. */
export function AddEntryDialog({ close, reopen }: { close: () => void; reopen: () => void }) {
  const queryClient = useQueryClient()
  const blank: Typed = { ...empty, region: useSession().tenant.country }
  const draft = useDraft<Typed>('suppression-new', (kept) => (isTyped(kept) ? { ...blank, ...kept } : null), {
    gone: close,
    returned: (back) => setTyped(back),
  })
  const [typed, setTyped] = useState<Typed>(draft.restored?.value ?? blank)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const set = (part: Partial<Typed>) => {
    // What is on its way is what was asked for: a change now would be in neither the entry nor the draft.
    if (add.isPending) return
    const next = { ...typed, ...part }
    setTyped(next)
    setErrors(errorsOfUnchangedFields(errors, judged(typed), judged(next)))
    if (next.value.trim() === '' && isBlankProvenance(next)) draft.clear()
    else draft.keep(next)
  }
  const add = useMutation({
    meta: { notSaved: `the suppression of ${typed.value.trim()}` },
    mutationFn: (body: NewEntry) => dataOf(addSuppression({ body, ...withKey(newKey()) })),
    onSuccess: ({ suppression, created, marked }) => {
      draft.clear()
      void refreshAll(queryClient)
      notifications.show({
        message: created
          ? `${entryName(suppression)} is suppressed. ${countWords(marked, 'record is', 'records are')} marked as do not contact by it.`
          : `${entryName(suppression)} was suppressed already. That it was asked for again is in its history.`,
      })
      close()
    },
    onError: (error) => {
      if (!isProblem(error)) return setRefusal(sentenceOf(error))
      const beside = formErrors(error, (path) => fields.includes(path))
      refuse(beside.fields)
      setRefusal(beside.general.length === 0 ? null : beside.general.join(' '))
    },
  })
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const refuse = (fields: Record<string, string>) => {
    setErrors(fields)
    setRefusals((count) => count + 1)
  }

  const cancel = () => {
    draft.discard(reopen)
    close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending) return
    setRefusal(null)
    const missing = {
      ...(typed.value.trim() === '' ? { value: 'Enter what may not be contacted.' } : {}),
      ...missingProvenance(typed),
    }
    refuse(missing)
    const { channel, ...entry } = entryOf(typed)
    if (channel !== null && Object.keys(missing).length === 0) add.mutate({ ...entry, channel })
  }

  return (
    <Dialog
      onClose={() => !add.isPending && close()}
      closeOnClickOutside={false}
      title="Suppress an address, a number or a domain"
    >
      <form ref={form} onSubmit={submit} onKeyDown={submitOnModEnter} noValidate>
        <Stack gap="sm">
          <Select
            label="Kind"
            data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
            value={typed.kind}
            readOnly={add.isPending}
            onChange={(kind) => (kind === 'email' || kind === 'phone' || kind === 'domain') && set({ kind })}
          />
          <TextInput
            label={kindWords[typed.kind]}
            description={
              <>
                {hints[typed.kind]}
                <DraftHint draft={draft.restored} />
              </>
            }
            withAsterisk
            aria-required
            data-autofocus
            autoComplete="off"
            maxLength={inputLimits.suppressedValue}
            value={typed.value}
            error={errors.value ?? errors.region ?? errors.scope}
            readOnly={add.isPending}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
          {typed.kind === 'phone' && (
            <CountrySelect
              label="Country of a number in local form"
              placeholder="Not said"
              clearable
              value={typed.region}
              readOnly={add.isPending}
              onChange={(region) => set({ region })}
            />
          )}
          {typed.kind === 'domain' && (
            <Checkbox
              label="And every domain below it"
              checked={typed.withSubdomains}
              onChange={(event) => set({ withSubdomains: event.currentTarget.checked })}
            />
          )}
          <ProvenanceFields value={typed} errors={errors} isHeld={add.isPending} onChange={set} />
          {refusal !== null && (
            <p role="alert" className="pp-refusal">
              {refusal}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel} disabled={add.isPending}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={add.isPending}>
              Suppress
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function entryOf({ kind, value, region, withSubdomains, ...provenance }: Typed) {
  return {
    kind,
    value: value.trim(),
    region: kind === 'phone' ? region : null,
    scope: kind === 'domain' && withSubdomains ? ('with_subdomains' as const) : ('exact' as const),
    ...provenanceOf(provenance),
  }
}

/** What the errors are about: kind, value, region and scope are judged as one, and told at the value. */
function judged(typed: Typed) {
  const { kind, value, region, scope, ...provenance } = entryOf(typed)
  const what = [kind, value, region, scope].join(' ')
  return { ...provenance, kind: what, value: what, region: what, scope: what }
}

function isTyped(kept: unknown): kept is Partial<Typed> {
  return typeof kept === 'object' && kept !== null && 'value' in kept && typeof kept.value === 'string'
}
