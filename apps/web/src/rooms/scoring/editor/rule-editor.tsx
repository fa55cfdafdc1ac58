import { Button, Group, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editRuleSetVersion, type ScoringSignal, type ScoringVersion } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { formErrors } from '../../../ui/forms/form-errors.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { moveOnEnter } from '../../../ui/forms/move-on-enter.ts'
import { NotSaved, refusedWith, saveFailureOf } from '../../../ui/forms/save-failure.tsx'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { roundingWords, straddlingWords, tieBreakWords } from '../rule-sets/content-words.ts'
import classes from '../scoring.module.css'
import { refreshScoring, versionQuery } from '../scoring.queries.ts'
import { LivePanel } from './live-panel.tsx'
import { BandParts, GateParts, GroupParts } from './rule-parts.tsx'
import { sentencesOf } from './sentences.ts'
import { StaleDraft } from './stale-draft.tsx'
import {
  contentOf,
  type FieldErrors,
  missingIn,
  parseTypedDraft,
  type TypedContent,
  type TypedDraft,
  typedDraft,
} from './typed-content.ts'
import { useLiveResult } from './use-live-result.ts'

type Props = { version: ScoringVersion; signals: readonly ScoringSignal[] }

/** Editor of a draft: rules as fields and sentences, with the live result beside them. Typed changes stay until they are saved or discarded. */
export function RuleEditor({ version, signals }: Props) {
  const { ruleSetId, version: number } = version
  const name = `scoring-version-${ruleSetId}-${number}`
  const draft = useDraft(name, parseTypedDraft, { gone: () => setTyped(null), returned: (back) => setTyped(back) })
  const [typed, setTyped] = useState<TypedDraft | null>(draft.restored?.value ?? null)
  const shown = typed ?? typedDraft(version)
  const { content, rollbackPlan } = shown
  const isStale = shown.edit !== version.edit
  const [openPart, setOpenPart] = useState<string | null>(null)
  const [businessId, choose] = useState<string | null>(null)
  const [hasTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)

  const missing = missingIn(content)
  const asked = contentOf(content)
  const live = useLiveResult({ version, content: asked, businessId, isComplete: Object.keys(missing).length === 0 })
  const save = useSaveDraft(version, () => {
    draft.clear()
    setTyped(null)
    setTried(false)
  })
  const refusal = isProblem(save.error) ? formErrors(save.error, () => true) : null
  const errors: FieldErrors = { ...live.errors, ...refusal?.fields, ...(hasTried && missing) }
  const sentences = sentencesOf(asked, signals)

  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const set = (part: Partial<TypedDraft>) => {
    if (save.isPending) return
    const next = { ...shown, ...part }
    setTyped(next)
    draft.keep(next)
    save.reset()
  }
  const refuse = (at: FieldErrors) => {
    setOpenPart(partOf(content, Object.keys(at)[0] ?? '') ?? openPart)
    setRefusals((count) => count + 1)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || isStale) return
    setTried(true)
    if (Object.keys(missing).length > 0) return refuse(missing)
    save.mutate(shown, {
      onError: (error) => isProblem(error) && error.errors.length > 0 && refuse(formErrors(error, () => true).fields),
    })
  }
  const parts = {
    content,
    signals,
    sentences,
    errors,
    isHeld: save.isPending,
    openPart,
    setOpenPart,
    change: (next: TypedContent) => set({ content: next }),
  }
  return (
    <div className={classes.editor}>
      <form
        ref={form}
        className={classes.stack}
        aria-label="Rules"
        noValidate
        onSubmit={submit}
        onKeyDown={(event: KeyboardEvent<HTMLFormElement>) => {
          submitOnModEnter(event)
          moveOnEnter(event)
        }}
      >
        {isStale && typed !== null && (
          <StaleDraft
            version={version}
            mine={asked}
            signals={signals}
            keepMine={() => set({ edit: version.edit })}
            takeTheirs={() => {
              draft.clear()
              setTyped(null)
            }}
          />
        )}
        <h2>Groups and rules</h2>
        <GroupParts {...parts} />
        <GateParts {...parts} />
        <BandParts {...parts} />
        <Settings content={content} isHeld={save.isPending} change={parts.change} />
        <Textarea
          label="Rollback plan"
          description={
            <>
              The steps to undo the scores if they prove wrong. Required for submission, at most{' '}
              {countWords(inputLimits.rollbackPlan, 'character', 'characters')}.
              <DraftHint draft={draft.restored} />
            </>
          }
          autosize
          minRows={2}
          maxLength={inputLimits.rollbackPlan}
          value={rollbackPlan}
          readOnly={save.isPending}
          error={errors.rollbackPlan}
          onChange={(event) => set({ rollbackPlan: event.currentTarget.value })}
        />
        <NotSaved failure={failureOf(save.error)} />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={typed === null || isStale}>
            Save draft
          </Button>
          <Button
            variant="default"
            disabled={typed === null || save.isPending}
            onClick={() => {
              draft.discard(() => undefined)
              setTyped(null)
              save.reset()
            }}
          >
            Discard changes
          </Button>
          <span className={classes.note} role="status">
            {typed === null ? 'All changes saved.' : 'Not saved yet. Your text is stored in this browser.'}
          </span>
        </Group>
      </form>
      <LivePanel content={asked} {...live} businessId={businessId} choose={choose} />
    </div>
  )
}

function failureOf(error: unknown) {
  if (error === null) return null
  if (isProblem(error, 'version_conflict'))
    return refusedWith('Someone else saved this draft first. Compare at the top.')
  if (isProblem(error, 'invalid_request') && error.errors.length > 0)
    return refusedWith('Correct the marked fields, then save again.')
  return saveFailureOf(error)
}

/** Key of the rule or gate that an error path belongs to, or null. */
function partOf({ groups, gates }: TypedContent, path: string): string | null {
  const [, group, rule] = /^content\.groups\.(\d+)\.rules\.(\d+)/.exec(path) ?? []
  const found = groups[Number(group)]?.rules[Number(rule)]
  if (found !== undefined) return `rule ${found.id}`
  const gate = gates[Number(/^content\.gates\.(\d+)/.exec(path)?.[1])]
  return gate === undefined ? null : `gate ${gate.id}`
}

function useSaveDraft({ ruleSetId, version }: ScoringVersion, saved: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    meta: { notSaved: `Version ${version}` },
    mutationFn: ({ edit, content, rollbackPlan }: TypedDraft) => {
      const body = { content: contentOf(content), rollbackPlan: rollbackPlan.trim() === '' ? null : rollbackPlan }
      return dataOf(editRuleSetVersion({ path: { ruleSetId, version: String(version) }, body, ...ifMatch(edit) }))
    },
    onSuccess: (answer) => {
      queryClient.setQueryData(versionQuery(ruleSetId, version).queryKey, answer)
      saved()
      notifications.show({ message: `Version ${version} was saved.` })
      return refreshScoring(queryClient)
    },
    onError: (error) => {
      if (isProblem(error, 'version_conflict')) void refreshScoring(queryClient)
    },
  })
}

type SettingsProps = { content: TypedContent; isHeld: boolean; change: (content: TypedContent) => void }

function Settings({ content, isHeld, change }: SettingsProps) {
  return (
    <section className={classes.part} aria-label="Ranges, rounding and order">
      <h2>Ranges, rounding and order</h2>
      <p className={classes.note}>Do not contact overrides every rule: such prospects have no score.</p>
      <div className={classes.fields}>
        <Select
          label="Ranges"
          data={optionsOf(straddlingWords)}
          value={content.straddling}
          readOnly={isHeld}
          onChange={(straddling) => straddling !== null && change({ ...content, straddling })}
        />
        <Select
          label="Rounding"
          data={optionsOf(roundingWords)}
          value={content.rounding}
          readOnly={isHeld}
          onChange={(rounding) => rounding !== null && change({ ...content, rounding })}
        />
        <Select
          label="Order"
          data={optionsOf(tieBreakWords)}
          value={content.tieBreak}
          readOnly={isHeld}
          onChange={(tieBreak) => tieBreak !== null && change({ ...content, tieBreak })}
        />
      </div>
    </section>
  )
}

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }))
