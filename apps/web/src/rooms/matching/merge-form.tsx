import { Button } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { useEffect, useState } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { isProblem } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { NotSaved } from '../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { StickyFooter } from '../../ui/layout/sticky.tsx'
import { AlignedFields } from './aligned-fields.tsx'
import classes from './compare.module.css'
import { Conflicts, DoNotContactOutcome, MovedRecords } from './consequences.tsx'
import { MergeConfirm } from './merge-confirm.tsx'
import {
  emptyDraft,
  isBlankDraft,
  isMergeField,
  type MergeDraft,
  type Missing,
  missingIn,
  parseDraft,
} from './merge-draft.ts'
import { mergeSummary } from './merge-summary.ts'
import type { Pair } from './pair-changes.ts'
import { PairPeople } from './pair-people.tsx'

type Props = {
  pair: Pair
  /** Version of the pair that was shown before, to highlight changes. */
  earlier: Pair | null
  mode: 'deciding' | 'reading' | 'decided'
  /** True if a newer version of the pair exists, which the user must review first. */
  isOld: boolean
  /** Opens the page of the merge. */
  merged: (mergeId: string) => Promise<void>
  /** Called when the server reports that the pair has changed. Nothing was merged. */
  refused: (error: unknown) => void
}

/** Aligned values of both records. Users who may merge also get a choice for each difference, a reason, and the confirmation. */
export function MergeForm({ pair, earlier, mode, isOld, merged, refused }: Props) {
  const { suggestion, preview } = pair
  const [a, b] = suggestion.businesses
  const ids = [a.id, b.id] as const
  const isDeciding = mode === 'deciding'
  const canReject = useCan('matching.reject')
  const stored = useDraft<MergeDraft>(`merge-${suggestion.id}`, (value) => parseDraft(value, ids))
  const [initial] = useState<MergeDraft>(stored.restored?.value ?? emptyDraft)
  const confirming = useDialog()
  // Submitting only validates and opens the confirmation, which sends the merge.
  const choices = useSaveForm({
    initial,
    validate: (values): Missing => (isDeciding ? missingIn(preview.fields, values) : {}),
    send: () => Promise.resolve(),
    onSaved: () => {
      if (!isDeciding) return
      if (isOld) refused(null)
      else confirming.open()
    },
    onChange: (values) => {
      if (isBlankDraft(values)) stored.clear()
      else stored.keep(values)
    },
  })
  const { values: draft } = choices
  const change = (part: Partial<MergeDraft>) => {
    choices.set(part)
    choices.form.setErrors(onlyStill(choices.form.errors, missingIn(preview.fields, { ...draft, ...part })))
  }
  const form = choices.formProps.ref

  useEffect(() => {
    // The notice with the focus is gone: move the focus to the form, where changes are highlighted.
    if (earlier !== null) form.current?.focus()
  }, [earlier, form])

  useActions(
    'screen',
    isDeciding
      ? ids.map((id, at) => ({
          id: `pair-survivor-${at + 1}`,
          label: `Keep record ${at + 1}`,
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
      <SaveForm
        save={choices}
        aria-label="The two records"
        tabIndex={-1}
        className={classes.form}
        failure={null}
        actions={
          isDeciding && (
            <StickyFooter summary={mergeSummary(pair, draft)} failure={<NotSaved failure={choices.failure} />}>
              <Button type="submit">Merge…</Button>
              {!isBlankDraft(draft) && (
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    choices.form.setValues(emptyDraft)
                    choices.clearRefusal()
                  }}
                >
                  Reset
                </Button>
              )}
            </StickyFooter>
          )
        }
      >
        <p role="status" className={earlier === null ? 'pp-visually-hidden' : classes.soft}>
          {earlier !== null && 'The page now shows the current values and marks the changes. Your choices are kept.'}
        </p>
        <Conflicts suggestion={suggestion} isDeciding={isDeciding} />
        <AlignedFields
          pair={pair}
          earlier={earlier}
          draft={isDeciding ? draft : null}
          missing={choices.form.errors}
          chooseSurvivor={(survivorId) => change({ survivorId })}
          choose={(field, id) => change({ fields: { ...draft.fields, [field]: id } })}
        />
        {mode !== 'decided' && <PairPeople suggestionId={suggestion.id} businesses={suggestion.businesses} />}
        {mode !== 'decided' && <MovedRecords preview={preview} names={[a.name, b.name]} />}
        {mode !== 'decided' && <DoNotContactOutcome text={preview.doNotContact} />}
        {mode === 'reading' && (
          <p className={classes.soft}>
            {canReject
              ? 'Your role can reject. A manager or an administrator can merge.'
              : 'Your role can only view this pair.'}
          </p>
        )}
        {isDeciding && (
          <div className={classes.decision}>
            <ReasonField
              form={choices.form}
              restored={stored.restored}
              description="Why both records are the same business"
              {...(confirming.isOpen && { readOnly: true })}
            />
          </div>
        )}
      </SaveForm>
      {/* Outside the form, which would otherwise receive the events of the dialog. */}
      {confirming.slot(
        (_, { close }) =>
          draft.survivorId !== null && (
            <MergeConfirm
              pair={pair}
              draft={{ ...draft, survivorId: draft.survivorId }}
              merged={async (mergeId, isMounted) => {
                stored.clear()
                if (isMounted) await merged(mergeId)
              }}
              refused={(error) => {
                close()
                const beside = isProblem(error, 'conflicts_unresolved') ? error.errors : []
                const fields = beside
                  .map(({ path, message }) => [path.replace(/^fields\./, ''), message] as const)
                  .filter(([field]) => isMergeField(field))
                if (fields.length === 0) refused(error)
                else choices.refuse({ fields: Object.fromEntries(fields) })
              }}
              close={close}
            />
          ),
      )}
    </>
  )
}

/** Keeps those errors on screen that still apply. */
const onlyStill = (shown: FormErrors, now: Missing) =>
  Object.fromEntries(Object.entries(now).filter(([name]) => name in shown))
