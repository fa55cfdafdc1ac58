import { Button } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { IconArrowsSplit2, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { ConflictChoice, Lines } from '../../../ui/forms/conflict-choice.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { StickyFooter } from '../../../ui/layout/sticky.tsx'
import { usePersonName } from '../../../ui/prospects/assignees.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { fieldName } from '../../../ui/text/field-names.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import type { EditStart, Standing } from './draft.ts'
import { type ProspectFormValues, valuesFrom } from './prospect-form.ts'
import type { Changers } from './record.queries.ts'
import classes from './stale-choices.module.css'
import {
  type Choice,
  compareVersions,
  conflictsOf,
  type FieldComparison,
  isResolved,
  mergeVersions,
  readField,
  type StaleField,
} from './stale-edit.ts'

type Props = {
  start: EditStart
  mine: ProspectFormValues
  stored: Business
  by: Changers
  isSaving: boolean
  save: (merged: ProspectFormValues) => void
  backToForm: (merged: ProspectFormValues) => void
  /** Where no form is there to go back to: another way to leave, without a choice. */
  backLabel?: string
}

const noChoices: Partial<Record<StaleField, Choice>> = {}

/** Comparison after another user saved first: both versions field by field. The user chooses where both changed the same field. */
export function StaleChoices({ start, mine, stored, by, isSaving, save, backToForm, backLabel }: Props) {
  const { base } = start
  const theirs = valuesFrom(stored)
  const standing = standingChanges(start.standing, stored)
  const comparisons = compareVersions(base, theirs, mine)
  const conflicts = conflictsOf(comparisons)
  const merged = comparisons.filter(({ outcome }) => outcome !== 'conflict')
  const choosing = useSaveForm({
    initial: noChoices,
    // The form of the record saves the chosen values.
    send: () => Promise.resolve(),
    onSaved: () => {
      if (ready && !isSaving) save(result())
    },
  })
  const choices = choosing.values
  const heading = useRef<HTMLHeadingElement>(null)
  const nameOf = usePersonName(stored.assignee)
  const them = useNameOf(by)
  useEffect(() => heading.current?.focus(), [])

  const result = () => mergeVersions(base, theirs, mine, choices)
  const ready = isResolved(comparisons, choices)
  const left = conflicts.filter(({ field }) => choices[field] === undefined).length
  const show = (field: StaleField, lines: string[]) => lines.map(field === 'assigneeId' ? nameOf : nameText)

  return (
    <SaveForm
      save={choosing}
      className={classes.stale}
      aria-labelledby="stale-heading"
      actions={
        <StickyFooter summary={left > 0 && `Choose a value for ${countWords(left, 'field', 'fields')}`}>
          <Button type="submit" loading={isSaving} disabled={!ready}>
            Save this version
          </Button>
          <Button variant="default" disabled={backLabel === undefined && !ready} onClick={() => backToForm(result())}>
            {backLabel ?? 'Keep editing'}
          </Button>
        </StickyFooter>
      }
    >
      <header>
        <h2 id="stale-heading" tabIndex={-1} ref={heading}>
          <IconArrowsSplit2 size={18} aria-hidden />
          This record changed while you were editing
        </h2>
        <p>
          Saved by {them} <DateTime at={stored.updatedAt} />. Your changes are still here. Their changes are not
          overwritten.{' '}
          {conflicts.length === 0
            ? 'You changed different fields, so both changes can be kept.'
            : 'For each field that you both changed, choose the value to keep.'}
        </p>
      </header>
      {conflicts.map((comparison) => (
        <Conflict
          key={comparison.field}
          comparison={comparison}
          them={them}
          show={show}
          choice={choices[comparison.field]}
          choose={(choice) => choosing.set({ [comparison.field]: choice })}
        />
      ))}
      {merged.length + standing.length > 0 && (
        <section aria-labelledby="stale-merged">
          <h3 id="stale-merged">Kept automatically</h3>
          <ul className={classes.merged}>
            {merged.map(({ field, outcome, base: before }) => (
              <li key={field}>
                <IconCheck size={15} aria-hidden />
                <span>
                  <b>{nameField(field)}</b>: <Lines lines={show(field, before)} /> became{' '}
                  <Lines lines={show(field, readField(result(), field))} />
                  <small> {sideWords(outcome, them)}</small>
                </span>
              </li>
            ))}
            {standing.map((sentence) => (
              <li key={sentence}>
                <IconCheck size={15} aria-hidden />
                <span>
                  {sentence} <small>by {them}</small>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SaveForm>
  )
}

/** Changes of fields outside the form since the user started. */
function standingChanges(before: Standing | null, { pipelineState, doNotContact }: Business): string[] {
  if (before === null) return []
  const moved = `Pipeline: ${pipelineStateName(before.pipelineState)} became ${pipelineStateName(pipelineState)}`
  const marked = `Do not contact: ${doNotContact === null ? 'lifted' : 'marked'}`
  return [
    ...(before.pipelineState === pipelineState ? [] : [moved]),
    ...(before.isBlocked === (doNotContact !== null) ? [] : [marked]),
  ]
}

function sideWords(outcome: FieldComparison['outcome'], them: string): string {
  if (outcome === 'mine') return 'by you'
  return outcome === 'theirs' ? `by ${them}` : 'by both'
}
const nameField = (field: StaleField) => (field === 'assigneeId' ? 'Assignee' : fieldName(field))

type ConflictProps = {
  comparison: FieldComparison
  them: string
  show: (field: StaleField, lines: string[]) => string[]
  choice: Choice | undefined
  choose: (choice: Choice) => void
}

function Conflict({ comparison, them, show, choice, choose }: ConflictProps) {
  const { field, base, theirs, mine, canKeepBoth } = comparison
  const options: { value: Choice; label: string; content: ReactNode }[] = [
    { value: 'theirs', label: `Saved by ${them}`, content: <Lines lines={show(field, theirs)} /> },
    { value: 'mine', label: 'Yours', content: <Lines lines={show(field, mine)} /> },
    ...(canKeepBoth ? [{ value: 'both' as const, label: 'Both', content: 'All entries of both lists' }] : []),
  ]
  return (
    <ConflictChoice
      label={nameField(field)}
      start={show(field, base)}
      options={options}
      choice={choice ?? null}
      choose={choose}
    />
  )
}

/** Name of the other author. It may be the same user in another tab. */
function useNameOf(by: Changers): string {
  const { user } = useSession()
  if (by === undefined) return 'someone else'
  if (by === 'several') return 'several people'
  return by.kind === 'user' && by.id === user.id ? 'you, in another tab or device' : nameText(by.name)
}
