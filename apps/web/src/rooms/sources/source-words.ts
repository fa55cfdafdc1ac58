import type { Source, SourceHistoryItem, SourceOpenItem } from '@prospect/api-client'
import { countWords } from '../../ui/text/count-words.ts'

const DAY_MS = 86_400_000

export const deskWords = { product: 'product', legal: 'legal', security: 'security' } as const
export type Desk = keyof typeof deskWords

export const statusWords: Record<Source['status'], string> = {
  withdrawn: 'Withdrawn',
  rejected: 'Rejected',
  incomplete: 'Incomplete',
  awaiting_approval: 'Needs approval',
  lapsed: 'Expired',
  approved: 'Approved, not enabled',
  enabled: 'Enabled',
}

export const circuitWords: Record<Source['circuit']['state'], string> = {
  closed: 'Running',
  open: 'Stopped after failures',
  probation: 'On probation',
}

const itemNames: Record<SourceOpenItem['item'], string> = {
  terms: 'terms',
  purposes: 'purposes',
  scope: 'scope',
  rate: 'rate',
  concurrency: 'concurrency',
  timeoutMs: 'time limit',
  maxBytes: 'size limit',
  retry: 'repetition',
  rawRetention: 'retention of raw text',
  health: 'health thresholds',
  circuit: 'circuit thresholds',
  settings: 'settings of the adapter',
  terms_owner: 'terms owner',
  adapter: 'adapter',
  'approval.product': 'product approval',
  'approval.legal': 'legal approval',
  'approval.security': 'security approval',
  enablement: 'enablement',
}

export const itemName = (item: SourceOpenItem['item']): string => itemNames[item]

/** Short status: 'Needs legal approval'. An open circuit breaker takes precedence, except over withdrawn and rejected. */
export function sourceLabel({ status, openItems, circuit }: Pick<Source, 'status' | 'openItems' | 'circuit'>): string {
  if (status === 'withdrawn' || status === 'rejected') return statusWords[status]
  if (circuit.state === 'open') return circuitWords.open
  if (status === 'awaiting_approval') {
    const desk = (['product', 'legal', 'security'] as const).find((one) =>
      openItems.some(({ item }) => item === `approval.${one}`),
    )
    if (desk !== undefined) return `Needs ${desk} approval`
  }
  if (status === 'enabled' && circuit.state === 'probation') return circuitWords.probation
  return statusWords[status]
}

/** Describes an open item: 'the terms review is 3 days overdue'. */
export function openItemWords({ item, problem, since }: SourceOpenItem, now: Date): string {
  const name = itemNames[item]
  switch (problem) {
    case 'missing':
      if (item === 'terms_owner') return 'the terms owner is no longer a member'
      return `${name} ${item.endsWith('s') && !item.startsWith('approval') ? 'are' : 'is'} missing`
    case 'expired': {
      if (item !== 'terms') return `${name} expired`
      const days = since === null ? 0 : Math.floor((now.getTime() - Date.parse(since)) / DAY_MS)
      return days < 1 ? 'the terms review is overdue' : `the terms review is ${countWords(days, 'day', 'days')} overdue`
    }
    case 'revoked':
      return `${name} was revoked`
    case 'not_loaded':
      return 'the adapter is not loaded'
    case 'changed':
      return item === 'adapter' ? 'another version of the adapter is loaded' : `${name} was given for an earlier state`
    case 'restored':
      return 'the store was restored since it was enabled'
  }
}

/** First sentence of the page: whether the source may be queried, and why not. */
export function sourceSentence(source: Pick<Source, 'status' | 'openItems' | 'circuit' | 'kind'>, now: Date): string {
  const { status, openItems, circuit, kind } = source
  if (kind === 'built_in') return 'Built in: sends no requests and needs no approval.'
  if (status === 'withdrawn') return 'Withdrawn: it can no longer be used.'
  if (status === 'rejected') return 'Disabled: a desk rejected this version.'
  const stop = circuit.state === 'open' ? 'it was stopped after failures' : null
  const reasons = [...openItems.map((item) => openItemWords(item, now)), ...(stop === null ? [] : [stop])]
  if (reasons.length > 0) return `Disabled: ${joined(reasons)}.`
  if (status === 'approved') return 'Disabled: approved, but not enabled.'
  if (circuit.state === 'probation')
    return `Enabled, on probation: ${circuit.successes} of ${circuit.successesNeeded ?? '?'} successes.`
  return 'Enabled: all conditions are met.'
}

function joined(reasons: readonly string[]): string {
  if (reasons.length < 3) return reasons.join(', and ')
  return `${reasons.slice(0, -1).join(', ')}, and ${reasons.at(-1)}`
}

export const historyWords: Record<SourceHistoryItem['kind'], string> = {
  version: 'Contract version saved',
  approval: 'Approved',
  rejection: 'Rejected',
  revocation: 'Decision revoked',
  enablement: 'Enabled',
  disablement: 'Disabled',
  lapse: 'Lapsed',
  withdrawal: 'Withdrawn',
  circuit: 'Circuit',
  incident: 'Incident or change recorded',
  incident_decision: 'Record decided',
  query: 'Queried',
  dry_run: 'Planned',
}

/** Differences between two versions of a contract: 'concurrency: 2 → 3'. */
export function contractChanges(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(
      (name) =>
        `${itemNames[name as keyof typeof itemNames] ?? name}: ${valueWords(before[name])} → ${valueWords(after[name])}`,
    )
}

export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'all' : value.map(valueWords).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${name.replace(/([A-Z])/g, ' $1').toLowerCase()} ${valueWords(one)}`)
      .join('; ')
  return String(value).replaceAll('_', ' ')
}

/** Formats a code of the server: 'budget_minute' becomes 'budget minute'. */
export const codeWords = (code: string): string => code.replaceAll('_', ' ')
