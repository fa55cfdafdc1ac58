import { Text } from '@mantine/core'
import type { Merge, ReversalOutcome } from '@prospect/api-client'
import { reverseMerge } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { listWords } from '../../ui/text/format.ts'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import classes from './matching.module.css'
import { decideOrRefresh } from './matching.queries.ts'
import { addedWords } from './matching-words.ts'

/** Effects of undoing a merge, before it is confirmed; afterwards its result. */
export function Reversal({ merge }: { merge: Merge }) {
  const undoing = useDialog()
  const queryClient = useQueryClient()
  const section = useRef<HTMLElement>(null)
  const outcome = merge.reversal?.outcome ?? merge.reversible?.outcome ?? null
  const undo: Action = {
    id: 'merge-undo',
    label: 'Undo merge',
    group: 'This merge',
    keys: 'u',
    permission: 'matching.reverse',
    unavailable: merge.reversible?.possible !== true,
    asksMore: true,
    run: () => undoing.open(),
  }
  useActions('screen', [undo])
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="merge-reversal">
      <h2 id="merge-reversal" className={classes.part}>
        {merge.reversal === null ? 'If you undo it' : 'Result of the undo'}
      </h2>
      {merge.reversal !== null && (
        <p className={classes.soft}>
          By <By person={merge.reversal.by} at={merge.reversal.at} />: <GivenReason of={merge.reversal.reason} />
        </p>
      )}
      {outcome !== null && <Outcome merge={merge} outcome={outcome} />}
      <Hindrance merge={merge} />
      <ActionButton action={undo} variant="default" mt="md" />
      {undoing.slot((_, dialog) => (
        <DecisionDialog
          title="Undo this merge?"
          label="Undo merge"
          next={
            <>
              <Text size="sm" mb="sm">
                Both records become active again, as before the merge. Only a do-not-contact mark that the merge copied
                ends.
              </Text>
              {outcome !== null && <Outcome merge={merge} outcome={outcome} />}
            </>
          }
          reason="Why the records are two businesses"
          missing="Enter a reason. The reason is stored with the decision."
          draftName={`reverse-${merge.id}`}
          send={({ reason }, key) =>
            decideOrRefresh(
              queryClient,
              dataOf(reverseMerge({ path: { mergeId: merge.id }, body: { reason }, ...withKey(key) })),
            )
          }
          done="Merge undone. Both records are active again."
          refresh={async () => {
            await refreshRecords(queryClient)
            // The button that had the focus is gone by then.
            section.current?.focus({ preventScroll: true })
          }}
          {...dialog}
        />
      ))}
    </section>
  )
}

const listed = (fields: readonly string[]) => (fields.length === 0 ? 'Nothing' : listWords(fields.map(fieldName)))

function Outcome({ merge: { survivor, loser }, outcome }: { merge: Merge; outcome: ReversalOutcome }) {
  const { restored, kept, conflicts, added, doNotContact } = outcome
  const blocked = [survivor, loser].filter(({ id }) => doNotContact.includes(id))
  const newer = addedWords(added)
  return (
    <Facts className={classes.facts}>
      <Fact label="Restored">
        {listed(restored)} <span className={classes.soft}>on {nameText(survivor.name)}</span>
      </Fact>
      <Fact label="Later edits kept">{listed(kept)}</Fact>
      {conflicts.length > 0 && (
        <Fact label="Conflict">
          <b>{listed(conflicts)}</b>
          <span className={classes.soft}>
            The merge changed this value, and a person edited it later. The earlier value is not restored.
          </span>
        </Fact>
      )}
      <Fact label="Later additions kept">
        {sentenceCase(newer)} <span className={classes.soft}>with {nameText(survivor.name)}</span>
      </Fact>
      <Fact label="Do not contact">
        {blocked.length === 0 ? 'Neither' : listWords(blocked.map(({ name }) => nameText(name)))}{' '}
        {blocked.length === 1 && (
          <span className={classes.soft}>
            If only one record was marked before the merge, only that record stays marked.
          </span>
        )}
      </Fact>
    </Facts>
  )
}

function Hindrance({ merge: { reversible } }: { merge: Merge }) {
  if (reversible === null || reversible.possible) return null
  return (
    <p className={classes.note}>
      <span>
        {reversible.hindrance}{' '}
        {reversible.firstReverse !== null && (
          <Link to="/duplicates/merges/$mergeId" params={{ mergeId: reversible.firstReverse }}>
            Open later merge
          </Link>
        )}
      </span>
    </p>
  )
}
