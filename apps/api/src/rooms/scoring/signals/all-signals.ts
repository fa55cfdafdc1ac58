import {
  contradictions,
  evidenceAges,
  evidenceConfidences,
  evidenceSources,
  evidenceStates,
} from './evidence.signals.ts'
import { lastOutcome, recentInteractions } from './interactions.signals.ts'
import {
  assignee,
  domains,
  emails,
  factFlags,
  factValues,
  mailDomain,
  phones,
  pipelineState,
  province,
  recordAge,
  strongDuplicates,
  tags,
} from './record.signals.ts'
import type { Signal } from './signal.ts'

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
  ...evidenceStates,
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
