import { Button, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type MergeSuggestionData, mergeSuggestion } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { AlignedFields } from './aligned-fields.tsx'
import classes from './compare.module.css'
import { Conflicts, DoNotContactOutcome, MovedRecords } from './consequences.tsx'
import { MergeConfirm } from './merge-confirm.tsx'
import {
  choicesToSend,
  emptyDraft,
  isBlankDraft,
  isMergeField,
  type MergeDraft,
  type Missing,
  missingIn,
  parseDraft,
} from './merge-draft.ts'
import type { Pair } from './pair-changes.ts'

type Props = {
  pair: Pair
  /** The pair as it was looked at before, to mark what has changed since. */
  earlier: Pair | null
  mode: 'deciding' | 'reading' | 'decided'
  /** Another state than the one on screen is there: it has to be looked at first. */
  isOld: boolean
  /** Goes on to the page of the merge. */
  merged: (mergeId: string) => Promise<void>
  /** The server knows of a change: nothing was merged. */
  refused: (error: unknown) => void
}

/** The values of both, aligned; for whoever may merge, a choice for each that differs, a reason, and the confirmation. */
export function MergeForm({ pair, earlier, mode, isOld, merged, refused }: Props) {
  const { suggestion, preview } = pair
  const [a, b] = suggestion.businesses
  const ids = [a.id, b.id] as const
  const isDeciding = mode === 'deciding'
  const canReject = useCan('matching.reject')
  const kept = useDraft<MergeDraft>(`merge-${suggestion.id}`, (value) => parseDraft(value, ids))
  const [draft, setDraft] = useState<MergeDraft>(kept.restored?.value ?? emptyDraft)
  const [missing, setMissing] = useState<Missing>({})
  const [isConfirming, setConfirming] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const merge = useMerge(
    pair,
    async (mergeId, isHere) => {
      kept.clear()
      if (isHere) await merged(mergeId)
    },
    (error) => {
      setConfirming(false)
      const beside = isProblem(error, 'conflicts_unresolved') ? error.errors : []
      const fields = beside.map(({ path, message }) => [path.replace(/^fields\./, ''), message] as const)
      if (!fields.some(([field]) => isMergeField(field))) return refused(error)
      setMissing(Object.fromEntries(fields.filter(([field]) => isMergeField(field))))
      setRefusals((count) => count + 1)
    },
  )
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[data-missing] input, [aria-invalid="true"]')?.focus()
  }, [refusals])

  useEffect(() => {
    // The notice that had the focus is gone: the person goes on where the changes are marked.
    if (earlier !== null) form.current?.focus()
  }, [earlier])

  const change = (part: Partial<MergeDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    if (isBlankDraft(next)) kept.clear()
    else kept.keep(next)
    if (Object.keys(missing).length > 0) setMissing(onlyStill(missing, missingIn(preview.fields, next)))
  }
  const submit = () => {
    if (!isDeciding || merge.isPending) return
    const lacking = missingIn(preview.fields, draft)
    setMissing(lacking)
    if (Object.keys(lacking).length > 0) return setRefusals((count) => count + 1)
    if (isOld) return refused(null)
    merge.reset()
    setConfirming(true)
  }
  useActions(
    'screen',
    isDeciding
      ? ids.map((id, at) => ({
          id: `pair-survivor-${at + 1}`,
          label: `Record ${at + 1} goes on`,
          group: 'This pair',
          keys: String(at + 1),
          run: () => {
            change({ survivorId: id })
            form.current?.querySelector<HTMLElement>(`input[name="survivor"][value="${id}"]`)?.focus()
          },
        }))
      : [],
  )
  return (
    <>
      <form
        ref={form}
        aria-label="The two records"
        tabIndex={-1}
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={submitOnModEnter}
      >
        <p role="status" className={earlier === null ? 'pp-visually-hidden' : classes.soft}>
          {earlier !== null && 'This is how the two stand now; values that changed are marked. Your choices are kept.'}
        </p>
        <Conflicts suggestion={suggestion} isDeciding={isDeciding} />
        <AlignedFields
          pair={pair}
          earlier={earlier}
          draft={isDeciding ? draft : null}
          missing={missing}
          chooseSurvivor={(survivorId) => change({ survivorId })}
          choose={(field, id) => change({ fields: { ...draft.fields, [field]: id } })}
        />
        {mode !== 'decided' && <MovedRecords preview={preview} names={[a.name, b.name]} />}
        {mode !== 'decided' && <DoNotContactOutcome text={preview.doNotContact} />}
        {mode === 'reading' && (
          <p className={classes.soft}>
            {canReject
              ? 'Your role compares and may reject; a manager or an administrator merges.'
              : 'Your role reads; others reject and merge.'}
          </p>
        )}
        {isDeciding && (
          <div className={classes.decision}>
            <Textarea
              label="Reason"
              description={
                <>
                  Why these are one business.
                  <DraftHint draft={kept.restored} />
                </>
              }
              withAsterisk
              aria-required
              autosize
              minRows={2}
              maxLength={inputLimits.reason}
              value={draft.reason}
              error={missing.reason}
              readOnly={merge.isPending}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            />
            <div className={classes.buttons}>
              {!isBlankDraft(draft) && (
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    setDraft(emptyDraft)
                    setMissing({})
                    kept.clear()
                  }}
                >
                  Begin again
                </Button>
              )}
              <Button type="submit">Merge the two…</Button>
            </div>
          </div>
        )}
      </form>
      {/* Not inside the form: what happens in the dialog would reach it too. */}
      <DialogSlot>
        {isConfirming && draft.survivorId !== null && (
          <MergeConfirm
            pair={pair}
            draft={{ ...draft, survivorId: draft.survivorId }}
            isBusy={merge.isPending}
            error={merge.error}
            confirm={(survivorId) =>
              merge.mutate({
                survivorId,
                fields: choicesToSend(preview.fields, draft),
                fingerprint: suggestion.fingerprint,
                reason: draft.reason,
              })
            }
            close={() => setConfirming(false)}
          />
        )}
      </DialogSlot>
    </>
  )
}

function onlyStill(shown: Missing, now: Missing): Missing {
  return Object.fromEntries(Object.entries(now).filter(([name]) => name in shown))
}

/** Refusals that mean: look again. Anything else is told in the dialog, which stays. */
const lookAgain = ['pair_changed', 'suggestion_not_open', 'business_not_active', 'conflicts_unresolved'] as const

function useMerge(
  { suggestion }: Pair,
  merged: (mergeId: string, isHere: boolean) => Promise<void>,
  refused: (error: unknown) => void,
) {
  const { keyFor, done } = useIdempotencyKey()
  const queryClient = useQueryClient()
  const isHere = useIsMounted()
  return useMutation({
    meta: { notDone: 'Merge', keepsText: true },
    mutationFn: (body: MergeSuggestionData['body']) =>
      dataOf(mergeSuggestion({ path: { suggestionId: suggestion.id }, body, ...withKey(keyFor(body)) })),
    onSuccess: async ({ id, survivor }) => {
      done()
      notifications.show({ message: `Merged into ${nameText(survivor.name)}. It can be undone.` })
      await merged(id, isHere())
      return refreshRecords(queryClient)
    },
    onError: (error) => {
      if (isProblem(error, ...lookAgain)) refused(error)
    },
  })
}
