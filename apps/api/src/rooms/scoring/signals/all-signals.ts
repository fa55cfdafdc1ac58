import { assignee } from './assignee.signal.ts'
import { contradictions } from './contradictions.signal.ts'
import { evidenceAges } from './evidence-age.signal.ts'
import { evidenceConfidences } from './evidence-confidence.signal.ts'
import { evidenceSources } from './evidence-sources.signal.ts'
import { evidenceStandings } from './evidence-standing.signal.ts'
import { factFlags, factValues } from './facts.signal.ts'
import { domains, emails, phones } from './identifiers.signal.ts'
import { lastOutcome } from './last-outcome.signal.ts'
import { mailDomain } from './mail-domain.signal.ts'
import { pipelineState } from './pipeline-state.signal.ts'
import { province } from './province.signal.ts'
import { recentInteractions } from './recent-interactions.signal.ts'
import { recordAge } from './record-age.signal.ts'
import type { Signal } from './signal.ts'
import { strongDuplicates } from './strong-duplicates.signal.ts'
import { tags } from './tags.signal.ts'

/** All signals that rules can use, in the order in which an editor offers them. */
export const signals: readonly Signal[] = [
  pipelineState,
  province,
  ...factValues,
  tags,
  ...factFlags,
  emails,
  phones,
  domains,
  mailDomain,
  assignee,
  recordAge,
  strongDuplicates,
  contradictions,
  ...evidenceStandings,
  ...evidenceSources,
  ...evidenceConfidences,
  ...evidenceAges,
  lastOutcome,
  ...recentInteractions,
]

const byKey = new Map(signals.map((signal) => [signal.key, signal]))

export function findSignal(key: string): Signal | undefined {
  return byKey.get(key)
}
