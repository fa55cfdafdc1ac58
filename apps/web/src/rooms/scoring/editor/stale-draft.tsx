import { Button, Group } from '@mantine/core'
import type { ScoringContent, ScoringSignal, ScoringVersion } from '@prospect/api-client'
import { ChangeTable } from '../rule-sets/change-table.tsx'
import { contentChanges } from '../rule-sets/content-diff.ts'
import classes from '../scoring.module.css'
import { sentencesOf } from './sentences.ts'

type Props = {
  version: ScoringVersion
  mine: ScoringContent
  signals: readonly ScoringSignal[]
  keepMine: () => void
  takeTheirs: () => void
}

/** Notice that another user saved the draft meanwhile: the differences by part, and the choice between the versions. */
export function StaleDraft({ version, mine, signals, keepMine, takeTheirs }: Props) {
  const withWords = (content: ScoringContent) => ({ content, words: sentencesOf(content, signals) })
  const changes = contentChanges(withWords(version.content), withWords(mine))
  return (
    <section className={classes.warning} aria-label="Changed by someone else">
      <p>Someone else saved this draft after you started editing. Choose the rules that you want to continue with.</p>
      {changes.length === 0 ? (
        <p>The rules are the same. Only the rollback plan or the order of the rules differs.</p>
      ) : (
        <ChangeTable changes={changes} before="Saved" after="Yours" />
      )}
      <Group gap="xs" mt="sm">
        <Button variant="default" onClick={keepMine}>
          Continue with my rules
        </Button>
        <Button variant="default" onClick={takeTheirs}>
          Use the saved draft
        </Button>
      </Group>
    </section>
  )
}
