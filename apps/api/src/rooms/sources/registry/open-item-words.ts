import type { AdapterRef } from './contract.rules.ts'
import type { OpenItem, OpenItemName } from './status.rules.ts'

const names: Record<OpenItemName, string> = {
  terms: 'The terms',
  purposes: 'The purposes',
  scope: 'The scope',
  rate: 'The rate',
  concurrency: 'The number of concurrent requests',
  timeoutMs: 'The time limit',
  maxBytes: 'The size limit',
  retry: 'The number of attempts',
  rawRetention: 'The retention of raw text',
  health: 'The health thresholds',
  circuit: 'The circuit thresholds',
  settings: 'The settings of the adapter',
  terms_owner: 'The terms owner',
  adapter: 'The adapter',
  'approval.product': 'The approval of the product desk',
  'approval.legal': 'The approval of the legal desk',
  'approval.security': 'The approval of the security desk',
  enablement: 'The enablement',
}

const plural: ReadonlySet<OpenItemName> = new Set(['terms', 'purposes', 'health', 'circuit', 'settings'])

/** Returns a sentence about an item that is missing or outdated in the contract of a source. Decisions that the item blocks use it as their error. */
export function openItemSentence({ item, problem, detail }: OpenItem, { id, version }: AdapterRef): string {
  if (detail !== null) return detail
  const name = names[item]
  const is = plural.has(item) ? 'are' : 'is'
  switch (problem) {
    case 'missing':
      return item === 'terms_owner' ? `${name} is no longer a member of the workspace.` : `${name} ${is} missing.`
    case 'not_accepted':
      return `The adapter does not accept ${name.toLowerCase()}.`
    case 'expired':
      return item === 'terms' ? 'The review of the terms is overdue.' : `${name} has expired.`
    case 'revoked':
      return `${name} was revoked.`
    case 'not_loaded':
      return `The adapter ${id} ${version} is not loaded. The server operator installs connectors.`
    case 'changed':
      return item === 'adapter'
        ? `Another version of the adapter ${id} is loaded than ${version}, to which the source is bound. Propose a new source.`
        : `${name} was given for an earlier state.`
    case 'restored':
      return `The store was restored since the source was enabled.`
  }
}
