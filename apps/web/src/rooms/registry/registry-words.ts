import type { RegistryRegistration, RegistryRound, RegistryState } from '@prospect/api-client'
import { IconBan, IconCircleCheck, IconFileUpload, IconLoader2 } from '@tabler/icons-react'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { formatDate, formatDay, listWords } from '../../ui/text/format.ts'
import type { Status } from '../../ui/text/status-mark.tsx'

export const kindWords = { phone: 'Phone numbers', email: 'Email addresses' } as const
export const formWords = { plain: 'Plain values', sha256: 'Salted fingerprints (SHA-256)' } as const

export const stateMarks: Record<RegistryRound['state'], Status> = {
  preparing: { label: 'Writing the file', Icon: IconLoader2, tone: 'running' },
  awaiting_result: { label: 'Waiting for the result', Icon: IconFileUpload, tone: 'warning' },
  confirming: { label: 'Blocking', Icon: IconLoader2, tone: 'running' },
  closed: { label: 'Closed', Icon: IconCircleCheck, tone: 'good' },
  cancelled: { label: 'Cancelled', Icon: IconBan, tone: 'faint' },
}

/** Kinds of values, and the pipeline states if they are not all: "Phone numbers; only New and Contacted". */
export function scopeWords({ kinds, states }: Pick<RegistryRound, 'kinds' | 'states'>): string {
  const compared = listWords(kinds.map((kind) => kindWords[kind]))
  return states.length === 0 ? compared : `${compared}; only ${listWords(states.map(pipelineStateName))}`
}

/** "Cleaned on 3 Nov 2026, due on 3 Dec 2026", with days of the workspace. */
export function cleaningWords(
  { cleanedAt, dueAt, isDue }: Pick<RegistryState, 'cleanedAt' | 'dueAt' | 'isDue'>,
  zone: string,
): string {
  if (cleanedAt === null || dueAt === null) return 'No registry round was closed yet'
  const due = formatDate(dueAt, zone)
  return `Cleaned on ${formatDate(cleanedAt, zone)}, ${isDue ? `another round is due since ${due}` : `due on ${due}`}`
}

/** What the registration needs of a person; null if it is valid. */
export function registrationWarning({
  status,
  validUntil,
}: Pick<RegistryRegistration, 'status' | 'validUntil'>): string | null {
  const day = validUntil === null ? '' : formatDay(validUntil)
  if (status === 'ends_soon') return `The registration with the registry is valid until ${day}. Renew it.`
  return status === 'ended' ? `The registration with the registry ended on ${day}.` : null
}
