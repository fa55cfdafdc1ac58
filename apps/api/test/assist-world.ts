import type { Adapter, RequestInput } from '@prospect/adapter-contract/adapter'
import { type NoSettings, noSettingsSchema } from '@prospect/adapter-contract/adapter'
import {
  type CheckedPrompt,
  checkedPromptSchema,
  type ProviderDetails,
  promptDeclaration,
} from '@prospect/adapter-contract/prompt'
import { newId } from '../src/lib/ids.ts'
import type { LoadedAdapters } from '../src/load-adapters.ts'
import { assistSuggestion } from '../src/rooms/assist/assist.jobs.ts'
import { REDACTION_VERSION } from '../src/rooms/assist/bounds.ts'
import type { AssistPolicy, PolicyContent } from '../src/rooms/assist/policies/policies.schema.ts'
import type { Preview, Suggestion } from '../src/rooms/assist/suggestions/suggestions.schema.ts'
import type { Role } from '../src/rooms/identity/permissions.ts'
import { jobKindsOf } from '../src/rooms/jobs/jobs.ts'
import type { Source } from '../src/rooms/sources/sources.schema.ts'
import type { TestClient } from './build-app.ts'
import { untilJob, work } from './job-world.ts'
import { type SourceWorld, sourceWorld } from './source-world.ts'

/* Sets up an app in which assistance can be enabled: a source with the purposes of assistance, and an adapter without a network. */

export type PromptInput = RequestInput<CheckedPrompt, NoSettings>
export type PromptScript = (input: PromptInput, call: number) => unknown

const generousLimits: ProviderDetails['limits'] = {
  callsPerMinute: 1_000,
  callsPerDay: 1_000,
  tokensPerDay: 100_000_000,
  costPerDay: 1_000_000,
  costPerMonth: 1_000_000,
  concurrentCalls: 2,
}

/** Returns an adapter that answers with the results of a script and stores the prompts that it received. */
export function promptAdapter(
  script: PromptScript,
  { id = 'fixture', limits = generousLimits }: { id?: string; limits?: ProviderDetails['limits'] } = {},
) {
  const prompts: PromptInput[] = []
  const adapter: Adapter<CheckedPrompt, NoSettings> = {
    id,
    version: '1.0.0',
    answersFrom: 'one_provider',
    declaration: { ...promptDeclaration, minRecords: 1, settings: [] },
    querySchema: checkedPromptSchema,
    settingsSchema: noSettingsSchema,
    details: { model: 'scripted', limits },
    plan: ({ query }) => ({
      kind: 'planned',
      requests: [{ summary: 'Request one completion', content: JSON.stringify({ messages: query.messages }) }],
      maxRequests: 1,
      maxBytes: 65_536,
      maxDurationMs: 120_000,
      maxRecords: 1,
      fields: ['text', 'finish_reason', 'usage'],
    }),
    load: async () => ({
      request: async (input) => {
        prompts.push(input)
        return (await script(input, prompts.length)) as never
      },
    }),
  }
  return { adapter, prompts }
}

const ending = { trace: { status: 200, reason: null }, bytesReceived: 500 }

/** Returns the answer of a provider that completed the prompt with this text. */
export function completed(text: string, changes: Record<string, unknown> = {}) {
  const usage = { promptTokens: 200, completionTokens: 50 }
  const completion = { text, finishReason: 'stop', usage, model: 'scripted', received: text, ...changes }
  return { outcome: 'answered', records: [completion], isComplete: true, next: null, ...ending }
}

export function providerFailed(cause: string) {
  return { outcome: 'unavailable', cause, fault: 'target', trace: { status: 500, reason: null }, bytesReceived: 0 }
}

/** Returns the receipt from the first line of a prompt. */
export function receiptOf({ query }: PromptInput): string {
  return /^Receipt: (\S+)/.exec(query.messages[0]?.content ?? '')?.[1] ?? ''
}

type Items = { item: string; field?: string; value?: string; text?: string; source?: string | null }[]

function itemsOf({ query }: PromptInput): Items {
  const parsed: { evidence: Items } = JSON.parse(query.messages[1]?.content ?? '{}')
  return parsed.evidence
}

/** Returns an answer with one claim about each item, which quotes the item's whole value or text. */
export function honestAnswer(input: PromptInput): string {
  const claims = itemsOf(input).map(({ item, value, text }) => {
    const quote = value ?? text ?? ''
    return { text: `The evidence states: ${quote}`, citations: [{ item, quotes: [quote] }] }
  })
  return JSON.stringify({ receipt: receiptOf(input), claims })
}

export type AssistWorld = SourceWorld & {
  manager: TestClient
  sourceId: string
  adapters: LoadedAdapters
  prompts: readonly PromptInput[]
  content(changes?: Record<string, unknown>): Record<string, unknown> & PolicyContent
  draft(changes?: Record<string, unknown>): Promise<AssistPolicy>
  approvedPolicy(changes?: Record<string, unknown>, days?: number): Promise<AssistPolicy>
  /** creates an approved and enabled source that uses another adapter */
  enabledSpare(adapterId: string): Promise<Source>
  /** returns a new session, needed after the clock has been moved far ahead */
  again(role: Role): Promise<TestClient>
}

/** Properties that the contract of an assistance source must have. */
export const assistContract = {
  purposes: ['prospect_summary', 'draft_text'],
  scope: { fields: ['text', 'finish_reason', 'usage'], provinces: [], maxRecords: 1 },
  rate: { perMinute: 600, perDay: 100_000 },
  concurrency: 8,
  settings: {},
  circuit: { failureRatio: 1, consecutiveFailures: 50, latencyMs: 100_000, closeAfterSuccesses: 1 },
}

/** Creates an app with a source of assistance whose adapter answers by the script. */
export async function assistWorld(
  script: PromptScript = (input) => completed(honestAnswer(input)),
  options: { limits?: ProviderDetails['limits']; others?: readonly Adapter[]; contract?: Record<string, unknown> } = {},
): Promise<AssistWorld> {
  const { adapter, prompts } = promptAdapter(script, options.limits === undefined ? {} : { limits: options.limits })
  const items = [adapter as Adapter, ...(options.others ?? [])]
  const world = await sourceWorld({ adapters: { file: { sha256: 'a'.repeat(64) }, items } })
  const { id: sourceId, contractVersion } = await world.enabled({ ...assistContract, ...options.contract })
  const { t, administrator } = world
  const { home } = t.tenants
  const manager = await t.as('manager')
  const content: AssistWorld['content'] = (changes = {}) => ({
    purposes: ['prospect_summary', 'draft_text'],
    sourceId,
    sourceVersion: contractVersion,
    dataClasses: ['claims', 'observations'],
    redactionVersion: REDACTION_VERSION,
    retention: 'days_30',
    freshnessDays: { industry: 30 },
    budgets: {
      callsPerMinute: 100,
      callsPerDay: 100,
      tokensPerDay: 10_000_000,
      costPerDay: 100_000,
      costPerMonth: 100_000,
    },
    prices: { inputPerMillionTokens: 1_000, outputPerMillionTokens: 4_000, currency: 'ZAR' },
    ownerId: home.users.administrator.id,
    ...changes,
  })
  const again: AssistWorld['again'] = async (role) =>
    t.withSession(await t.startSession({ tenantId: home.id, userId: home.users[role].id, role }))
  const draft: AssistWorld['draft'] = async (changes) => {
    const { status, body } = await administrator.post<AssistPolicy>('/assist/policies', content(changes))
    if (status !== 201) throw new Error(`No policy was written: ${JSON.stringify(body)}`)
    return body
  }
  return {
    ...world,
    manager,
    sourceId,
    prompts,
    content,
    draft,
    again,
    enabledSpare: async (id) => {
      const contract = world.wholeContract(assistContract)
      const source = await world.propose({ adapter: { id, version: '1.0.0' }, contract })
      for (const at of ['product', 'legal', 'security'] as const) await world.approve(source.id, at)
      const { status, body } = await world.enable(source.id)
      if (status !== 200) throw new Error(`The source was not enabled: ${JSON.stringify(body)}`)
      return body
    },
    approvedPolicy: async (changes, days = 200) => {
      const { id, fingerprint } = await draft(changes)
      await administrator.post(`/assist/policies/${id}/submission`, undefined)
      const approval = { fingerprint, reason: 'Reviewed.', endsAt: world.inDays(days) }
      const { status, body } = await manager.post<AssistPolicy>(`/assist/policies/${id}/approvals`, approval)
      if (status !== 200) throw new Error(`The policy was not approved: ${JSON.stringify(body)}`)
      return body
    },
  }
}

export async function policyOf(client: TestClient, id: string): Promise<AssistPolicy> {
  return (await client.get<AssistPolicy>(`/assist/policies/${id}`)).body
}

/** Previews and requests a suggestion; its job waits. */
export async function requested(
  world: Pick<AssistWorld, 'businessId' | 'operator'>,
  evidenceIds: readonly string[],
  client: TestClient = world.operator,
): Promise<Suggestion> {
  const selection = { businessId: world.businessId, purpose: 'prospect_summary', evidenceIds }
  const preview = await client.post<Preview>('/assist/previews', selection)
  if (preview.body.contentHash == null) throw new Error(`No preview: ${JSON.stringify(preview.body)}`)
  const body = { ...selection, contentHash: preview.body.contentHash }
  const asked = await client.post<Suggestion>('/assist/suggestions', body, { 'idempotency-key': newId() })
  if (asked.status !== 202) throw new Error(`Nothing is requested: ${JSON.stringify(asked.body)}`)
  return asked.body
}

/** Requests a suggestion and runs its job to the end. */
export async function suggested(
  world: Pick<AssistWorld, 't' | 'adapters' | 'businessId' | 'operator'>,
  evidenceIds: readonly string[],
  client: TestClient = world.operator,
): Promise<Suggestion> {
  const { id, jobId } = await requested(world, evidenceIds, client)
  const { store } = world.t
  const worker = work({ store, kinds: jobKindsOf([assistSuggestion]), adapters: world.adapters })
  await untilJob(store, jobId, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  return (await client.get<Suggestion>(`/assist/suggestions/${id}`)).body
}
