import { Button, Group, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editRuleSetVersion, type ScoringSignal, type ScoringVersion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { formErrors } from '../../../ui/forms/form-errors.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { moveOnEnter } from '../../../ui/forms/move-on-enter.ts'
import { NotSaved, refusedWith } from '../../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { requiredEvidenceWords, roundingWords, straddlingWords, tieBreakWords } from '../rule-sets/content-words.ts'
import classes from '../scoring.module.css'
import { refreshScoring, versionQuery } from '../scoring.queries.ts'
import { LivePanel } from './live-panel.tsx'
import { type RuleForm, ruleForm } from './rule-form.ts'
import { BandParts, GateParts, GroupParts } from './rule-parts.tsx'
import { sentencesOf } from './sentences.ts'
import { StaleDraft } from './stale-draft.tsx'
import {
  atFields,
  contentOf,
  fieldOf,
  isTypedContent,
  missingIn,
  partAt,
  partKey,
  type RuleValues,
  ruleValues,
} from './typed-content.ts'
import { useLiveResult } from './use-live-result.ts'

type Props = { version: ScoringVersion; signals: readonly ScoringSignal[] }

/** Editor of a draft: rules as fields and sentences, with the live result beside them. Typed changes stay until they are saved or discarded. */
export function RuleEditor({ version, signals }: Props) {
  const { ruleSetId, version: number } = version
  const queryClient = useQueryClient()
  const [openPart, setOpenPart] = useState<string | null>(null)
  const [businessId, choose] = useState<string | null>(null)
  /** Opens the rule or requirement of the first error, so that its field can get the focus. */
  const openAt = (errors: Readonly<Record<string, string>>, { content }: RuleValues) => {
    const part = partAt(content, Object.keys(errors)[0] ?? '')
    if (part !== undefined) setOpenPart(partKey(part.noun, part.condition))
  }
  const save = useSaveForm({
    initial: ruleValues(version),
    // Rules conflict as a whole: a mix of the rules of two people could rank prospects in a way that neither of them intended.
    edits: { reload: () => refreshScoring(queryClient), together: [['content', 'rollbackPlan']] },
    draft: { name: `scoring-version-${ruleSetId}-${number}`, guards: { content: isTypedContent } },
    what: `Version ${number}`,
    validate: (values) => {
      const missing = missingIn(values.content)
      openAt(missing, values)
      return missing
    },
    send: ({ content, rollbackPlan }) => {
      const body = { content: contentOf(content), rollbackPlan: rollbackPlan.trim() === '' ? null : rollbackPlan }
      const path = { ruleSetId, version: String(number) }
      return dataOf(editRuleSetVersion({ path, body, ...ifMatch(version.edit) }))
    },
    fieldOf,
    explain: (error, values) => {
      if (isProblem(error)) openAt(formErrors(error, () => true).fields, values)
      return undefined
    },
    onSaved: (answer) => {
      queryClient.setQueryData(versionQuery(ruleSetId, number).queryKey, answer)
      notifications.show({ message: `Version ${number} was saved.` })
      return refreshScoring(queryClient)
    },
  })
  const { content } = save.values
  const asked = contentOf(content)
  const isComplete = Object.keys(missingIn(content)).length === 0
  const live = useLiveResult({ version, content: asked, businessId, isComplete })
  const form = ruleForm(save, atFields(live.errors, save.values))
  const sentences = sentencesOf(asked, signals)
  const newer = save.conflicts.find(({ choice }) => choice === null)
  const parts = { form, content, signals, sentences, openPart, setOpenPart }
  return (
    <div className={classes.editor}>
      <SaveForm
        // `StaleDraft` shows the conflict.
        save={{ ...save, conflicts: [] }}
        failure={newer !== undefined && save.failure !== null ? <NotSaved failure={staleFailure} /> : undefined}
        className={classes.stack}
        aria-label="Rules"
        onKeyDown={(event: KeyboardEvent<HTMLFormElement>) => {
          submitOnModEnter(event)
          moveOnEnter(event)
        }}
        actions={
          <Group gap="xs">
            <Button type="submit" loading={save.isSaving} disabled={!save.isChanged || newer !== undefined}>
              Save draft
            </Button>
            <Button
              variant="default"
              disabled={!save.isChanged || save.isSaving}
              onClick={() => {
                save.discard(() => undefined)
                save.reset()
              }}
            >
              Discard changes
            </Button>
            <span className={classes.note} role="status">
              {save.isChanged ? 'Not saved yet. Your text is stored in this browser.' : 'All changes saved.'}
            </span>
          </Group>
        }
      >
        {newer !== undefined && (
          <StaleDraft
            version={version}
            mine={asked}
            signals={signals}
            keepMine={() => newer.choose('mine')}
            takeTheirs={() => newer.choose('theirs')}
          />
        )}
        <h2>Groups and rules</h2>
        <GroupParts {...parts} />
        <GateParts {...parts} />
        <BandParts {...parts} />
        <Settings form={form} />
        <Textarea
          label="Rollback plan"
          description={
            <>
              How to return to the earlier scores if the new scores are wrong. Required before you submit the version,
              at most {countWords(inputLimits.rollbackPlan, 'character', 'characters')}.
              <DraftHint draft={save.restored} />
            </>
          }
          autosize
          minRows={2}
          maxLength={inputLimits.rollbackPlan}
          {...form.getInputProps('rollbackPlan')}
        />
      </SaveForm>
      <LivePanel content={asked} {...live} businessId={businessId} choose={choose} />
    </div>
  )
}

const staleFailure = refusedWith('Someone else saved this draft first. Compare both versions at the top of the page.')

function Settings({ form }: { form: RuleForm }) {
  return (
    <section className={classes.part} aria-label="Evidence, ranges, rounding and order">
      <h2>Evidence, ranges, rounding and order</h2>
      <p className={classes.note}>
        A do-not-contact mark overrides every rule. Prospects with such a mark have no score.
      </p>
      <div className={classes.fields}>
        <Select
          label="Evidence"
          data={optionsOf(requiredEvidenceWords)}
          {...form.getInputProps('content.requiredEvidence')}
        />
        <Select label="Ranges" data={optionsOf(straddlingWords)} {...form.getInputProps('content.straddling')} />
        <Select label="Rounding" data={optionsOf(roundingWords)} {...form.getInputProps('content.rounding')} />
        <Select label="Order" data={optionsOf(tieBreakWords)} {...form.getInputProps('content.tieBreak')} />
      </div>
    </section>
  )
}

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }))
