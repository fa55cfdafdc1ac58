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
  circuit: 'limits of the automatic stop',
  settings: 'settings of the connector',
  terms_owner: 'terms owner',
  adapter: 'connector',
  'approval.product': 'product approval',
  'approval.legal': 'legal approval',
  'approval.security': 'security approval',
  enablement: 'enablement',
}

const plural: ReadonlySet<SourceOpenItem['item']> = new Set(['terms', 'purposes', 'health', 'circuit', 'settings'])

const isItem = (item: string): item is SourceOpenItem['item'] => Object.hasOwn(itemNames, item)

/** Name of an item of the contract, or of another condition that the API names by a code. */
export const itemName = (item: string): string => (isItem(item) ? itemNames[item] : codeWords(item))

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

const whoWords: Record<SourceOpenItem['responsible'], string> = {
  author: 'A manager or an administrator saves a new version of the contract.',
  operator: 'The server operator installs it.',
  enabler: 'A manager or an administrator who is not the author enables it.',
  product: 'The product desk decides.',
  legal: 'The legal desk decides.',
  security: 'The security desk decides.',
}

/** Sentence about who can resolve an open item. */
export const whoCan = ({ responsible }: Pick<SourceOpenItem, 'responsible'>): string => whoWords[responsible]

/** The adapter to which a source is bound, and the version of it that is loaded, if another one is. */
export type BoundAdapter = { id: string; version: string; loadedVersion?: string | undefined } | null

/** Describes an open item: 'the terms review is 3 days overdue'. */
export function openItemWords(
  { item, problem, since }: SourceOpenItem,
  now: Date,
  adapter: BoundAdapter = null,
): string {
  const name = itemNames[item]
  switch (problem) {
    case 'missing':
      if (item === 'terms_owner') return 'the terms owner has left the workspace'
      return `${name} ${plural.has(item) ? 'are' : 'is'} missing`
    case 'not_accepted':
      return item === 'settings'
        ? 'the connector does not accept its settings'
        : `the connector does not accept the ${name}`
    case 'expired': {
      if (item !== 'terms') return `${name} expired`
      const days = since === null ? 0 : Math.floor((now.getTime() - Date.parse(since)) / DAY_MS)
      return days < 1 ? 'the terms review is overdue' : `the terms review is ${countWords(days, 'day', 'days')} overdue`
    }
    case 'revoked':
      return `${name} was revoked`
    case 'not_loaded':
      return adapter === null
        ? 'the connector is not installed'
        : `the connector ${adapter.id} ${adapter.version} is not installed`
    case 'changed':
      return item === 'adapter' ? otherVersionWords(adapter) : `${name} was given for an earlier version`
    case 'restored':
      return 'the data was restored from a backup after the source was enabled'
  }
}

function otherVersionWords(adapter: BoundAdapter): string {
  if (adapter?.loadedVersion === undefined) return 'another version of the connector is installed'
  const { id, version, loadedVersion } = adapter
  return `version ${loadedVersion} of the connector ${id} is installed, and this source is bound to ${version}`
}

/** Conditions that an approval requires, apart from other approvals: a complete contract that the loaded adapter accepts. */
const openBeforeApproval = ({ openItems }: Pick<Source, 'openItems'>): SourceOpenItem[] =>
  openItems.filter(({ item }) => !item.startsWith('approval.') && item !== 'enablement')

/** Reason why no desk can approve yet, in a sentence; null if nothing prevents it. */
export function approvalRefusal(source: Pick<Source, 'openItems'>, now: Date, adapter: BoundAdapter): string | null {
  const reasons = openBeforeApproval(source).map((item) => openItemWords(item, now, adapter))
  return reasons.length === 0 ? null : `Cannot be approved yet, because ${joined(reasons)}.`
}

/** First sentence of the page: whether the source may be queried, and why not. */
export function sourceSentence(
  source: Pick<Source, 'status' | 'openItems' | 'circuit' | 'kind'>,
  now: Date,
  adapter: BoundAdapter = null,
): string {
  const { status, openItems, circuit, kind } = source
  if (kind === 'built_in') return 'Built in. This source contacts no website or service, so it needs no approval.'
  if (status === 'withdrawn') return 'Withdrawn. This source can no longer be used.'
  if (status === 'rejected') return 'Disabled, because a desk rejected this version.'
  const stop = circuit.state === 'open' ? 'the source was stopped after failures' : null
  const reasons = [...openItems.map((item) => openItemWords(item, now, adapter)), ...(stop === null ? [] : [stop])]
  if (reasons.length > 0) return `Disabled, because ${joined(reasons)}.`
  if (status === 'approved') return 'Disabled. The source is approved, but nobody has enabled it.'
  if (circuit.state === 'probation')
    return `Enabled, on probation: ${circuit.successes} of ${circuit.successesNeeded ?? '?'} successes.`
  return 'Enabled. All conditions are met.'
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
  circuit: 'Automatic stop',
  incident: 'Incident or change recorded',
  incident_decision: 'Record decided',
  query: 'Queried',
  dry_run: 'Planned',
}

/** Formats a code of the server: 'budget_minute' becomes 'budget minute'. A sentence stays as it is. */
export const codeWords = (code: string): string => {
  if (code === 'circuit_open') return 'stopped after failures'
  return /^[\w.]+$/.test(code) ? code.replaceAll('_', ' ') : code
}
