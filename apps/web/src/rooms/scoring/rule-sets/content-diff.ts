/** Comparison of two versions, rule by rule. */
import type { ScoringContent, ScoringVersion } from '@prospect/api-client'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import {
  bandWords,
  evidenceRuleWords,
  groupLimitWords,
  roundingWords,
  straddlingWords,
  tieBreakWords,
} from './content-words.ts'

/** null if the part is missing in that version. */
export type ContentChange = { what: string; before: string | null; after: string | null }

type Compared = Pick<ScoringVersion, 'content' | 'words'>
type Part = { id: string; what: string; words: string }

/** Changed parts in the order of the new content; removed parts come last. */
export function contentChanges(before: Compared, after: Compared): ContentChange[] {
  const old = partsOf(before)
  const now = partsOf(after)
  const oldById = new Map(old.map((part) => [part.id, part]))
  const ids = new Set(now.map(({ id }) => id))
  return [
    ...now.flatMap(({ id, what, words }) => {
      const was = oldById.get(id)?.words ?? null
      return was === words ? [] : [{ what, before: was, after: words }]
    }),
    ...old.flatMap(({ id, what, words }) => (ids.has(id) ? [] : [{ what, before: words, after: null }])),
  ]
}

function partsOf({ content, words }: Compared): Part[] {
  const { groups, gates, bands } = content
  return [
    ...groups.flatMap((group) => [
      { id: `group ${group.id}`, what: 'Group', words: `${group.name}: ${groupLimitWords(group)}` },
      ...group.rules.map(({ id }) => ({
        id: `rule ${id}`,
        what: 'Rule',
        words: `${localSentence(words[id] ?? id)} (${group.name})`,
      })),
    ]),
    ...gates.map(({ id }) => ({ id: `gate ${id}`, what: 'Requirement', words: localSentence(words[id] ?? id) })),
    ...bands.map(({ id }, at) => ({ id: `band ${id}`, what: 'Band', words: bandWords(bands, at) })),
    ...settingsOf(content),
  ]
}

function settingsOf(content: ScoringContent): Part[] {
  const { straddling, rounding, tieBreak } = content
  return [
    { id: 'requiredEvidence', what: 'Evidence', words: evidenceRuleWords(content) },
    { id: 'straddling', what: 'Ranges', words: straddlingWords[straddling] },
    { id: 'rounding', what: 'Rounding', words: roundingWords[rounding] },
    { id: 'tieBreak', what: 'Order', words: tieBreakWords[tieBreak] },
  ]
}
