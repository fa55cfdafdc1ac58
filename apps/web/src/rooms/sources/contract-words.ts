/** Words for the items of a source contract, with the units of its form. */
import type { SourceAdapter, SourceContract } from '@prospect/api-client'
import { countWords, plural } from '../../ui/text/count-words.ts'
import { formatDay, formatNumber, listWords } from '../../ui/text/format.ts'
import { provinceName } from '../../ui/text/provinces.ts'
import { numberText } from '../../ui/text/typed-number.ts'

export const purposes = [
  'business_records',
  'dns',
  'web_pages',
  'prospect_summary',
  'draft_text',
] as const satisfies readonly NonNullable<SourceContract['purposes']>[number][]

const purposeWords: Record<(typeof purposes)[number], string> = {
  business_records: 'Business records',
  dns: 'DNS records',
  web_pages: 'Web pages',
  prospect_summary: 'Summaries of prospects',
  draft_text: 'Texts of drafts',
}

export const purposeOptions = purposes.map((value) => ({ value: value as string, label: purposeWords[value] }))

const retentionWords: Record<NonNullable<SourceContract['rawRetention']>, string> = {
  none: 'Not stored',
  days_30: '30 days',
  days_180: '180 days',
  days_730: '730 days',
}

export const retentionName = (retention: NonNullable<SourceContract['rawRetention']>): string =>
  retentionWords[retention]

/** Meaning of an empty list, for those of a contract that may be empty. The description in the OpenAPI document says the same. */
export const emptyLists = { provinces: 'all provinces' } as const

export type Context = {
  /** Returns the name of a member; undefined if the person is not a member any more. */
  nameOf: (userId: string) => string | undefined
  /** The adapter of the source, if it is loaded. It states what an empty list in the settings means. */
  adapter: SourceAdapter | undefined
}

type Item = keyof SourceContract

const percent = (ratio: number) => `${formatNumber(ratio * 100)} %`
const seconds = (ms: number) => countWords(ms / 1_000, 'second', 'seconds')

/** Words by item; undefined for an item that is missing. */
const words: Record<Item, (contract: SourceContract, context: Context) => string | undefined> = {
  terms: ({ terms }, { nameOf }) =>
    terms &&
    `${terms.reference}; owner ${nameOf(terms.ownerId) ?? 'has left the workspace'}; review due on ${formatDay(terms.reviewDueOn)}`,
  purposes: ({ purposes: chosen }) => chosen?.map((purpose) => purposeWords[purpose]).join(', '),
  scope: ({ scope }) =>
    scope &&
    [
      `${plural(scope.fields.length, 'field', 'fields')} ${scope.fields.join(', ')}`,
      scope.provinces.length === 0 ? emptyLists.provinces : scope.provinces.map(provinceName).join(', '),
      `at most ${countWords(scope.maxRecords, 'record', 'records')} per query`,
    ].join('; '),
  rate: ({ rate }) =>
    rate && `${countWords(rate.perMinute, 'request', 'requests')} per minute, ${formatNumber(rate.perDay)} per day`,
  concurrency: ({ concurrency }) =>
    concurrency === undefined ? undefined : `${countWords(concurrency, 'request', 'requests')} at a time`,
  timeoutMs: ({ timeoutMs }) => (timeoutMs === undefined ? undefined : `${seconds(timeoutMs)} per request`),
  maxBytes: ({ maxBytes }) =>
    maxBytes === undefined ? undefined : `${numberText(maxBytes / 1_000_000)} MB per response`,
  retry: ({ retry }) => retry && countWords(retry.maxAttempts, 'attempt', 'attempts'),
  rawRetention: ({ rawRetention }) => rawRetention && retentionName(rawRetention),
  health: ({ health }) =>
    health && `degraded from ${percent(health.failureRatio)} failures or ${seconds(health.latencyMs)}`,
  circuit: ({ circuit }) => circuit && circuitLimits(circuit),
  settings: ({ settings }, { adapter }) => settings && settingWords(settings, adapter),
}

function circuitLimits(circuit: NonNullable<SourceContract['circuit']>): string {
  const { failureRatio, consecutiveFailures, latencyMs, closeAfterSuccesses } = circuit
  return [
    `stopped above ${percent(failureRatio)} failures`,
    `after ${countWords(consecutiveFailures, 'failure', 'failures')} in a row`,
    `or above ${seconds(latencyMs)}; restarts after ${countWords(closeAfterSuccesses, 'success', 'successes')}`,
  ].join(', ')
}

function settingWords(settings: Readonly<Record<string, unknown>>, adapter: SourceAdapter | undefined): string {
  const parts = Object.entries(settings).map(([name, value]) => {
    const field = adapter?.settings.find((one) => one.name === name)
    const empty = field?.kind === 'list' && field.empty === 'all' ? 'all' : 'none'
    return `${field?.label ?? name}: ${settingValue(value, empty)}`
  })
  return parts.length === 0 ? 'none' : parts.join('; ')
}

/** An empty list of a setting means none, unless the adapter declares another meaning. */
function settingValue(value: unknown, empty: 'all' | 'none'): string {
  if (Array.isArray(value)) return value.length === 0 ? empty : value.map((one) => settingValue(one, 'none')).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Describes an item of a contract; undefined if it is missing. */
export const itemWords = (item: Item, contract: SourceContract, context: Context): string | undefined =>
  words[item](contract, context)

/** Differences between two versions of a contract: 'concurrency: 2 requests at a time → 3 requests at a time'. */
export function contractChanges(
  before: SourceContract,
  after: SourceContract,
  nameOfItem: (item: Item) => string,
  context: Context,
): string[] {
  return (Object.keys(words) as Item[]).flatMap((item) => {
    if (JSON.stringify(before[item]) === JSON.stringify(after[item])) return []
    const shown = (contract: SourceContract) => itemWords(item, contract, context) ?? 'missing'
    return [`${nameOfItem(item)}: ${shown(before)} → ${shown(after)}`]
  })
}

/** Fields of the adapter's answers that a contract cannot omit. */
export const requiredFieldsWords = ({ answerFields: { always } }: SourceAdapter): string | null =>
  always.length === 0 ? null : `Every answer contains ${listWords(always)}.`
