import { z } from 'zod'
import { endOfDay } from '../../../lib/calendar.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { type Desk, desks } from '../sources.table.ts'
import { type Mismatch, mismatchSentence } from './adapter-fit.rules.ts'
import type { AdapterState, Contract, ContractItem } from './contract.rules.ts'
import { contractItems } from './contract.rules.ts'

/*
 * Pure rules for the status of a source (specification, Phase 5 §2). It is computed from decisions and present conditions and never stored. Times and
 * conditions are arguments. A lapse is the recorded fact that an item of an approved source is no longer valid. An item in a recorded lapse stays
 * invalid, even if the clock is set back.
 */

/** In the order in which a source approaches its enablement. */
export const sourceStatuses = [
  'withdrawn',
  'rejected',
  'incomplete',
  'awaiting_approval',
  'lapsed',
  'approved',
  'enabled',
] as const
export type SourceStatus = (typeof sourceStatuses)[number]

export const openItemNames = [
  ...contractItems,
  'settings',
  'terms_owner',
  'adapter',
  'approval.product',
  'approval.legal',
  'approval.security',
  'enablement',
] as const
export type OpenItemName = (typeof openItemNames)[number]

export const problems = ['missing', 'not_accepted', 'expired', 'revoked', 'not_loaded', 'changed', 'restored'] as const
export type Problem = (typeof problems)[number]

/**
 * Person or role that can resolve an open item. `author`: the author, by a new version of the contract. `operator`: the platform's operator, by
 * ADAPTERS_FILE. `enabler`: a member with the permission `sources.enable`. The others are the desks that approve.
 */
export const responsibles = ['author', 'operator', 'enabler', ...desks] as const
export type Responsible = (typeof responsibles)[number]

/**
 * An item that prevents the use of a source. `since`: time from which it does, or null if no record shows it. `detail`: what the adapter does not
 * accept, in sentences; null for any other problem.
 */
export type OpenItem = {
  item: OpenItemName
  problem: Problem
  responsible: Responsible
  since: string | null
  detail: string | null
}

export const lapsedItemsSchema = z.array(
  z.object({ item: z.enum(openItemNames), problem: z.enum(problems), decisionId: z.string().nullable() }),
)
export const readLapsedItems = jsonColumn(lapsedItemsSchema)
export type LapsedItem = z.infer<typeof lapsedItemsSchema>[number]

type Common = { id: string; sequence: number; at: string; actor: string }
export type Approval = Common & { kind: 'approval'; desk: Desk; fingerprint: string; endsAt: string }
export type Enablement = Common & { kind: 'enablement'; fingerprint: string; endsAt: string }
export type Decision =
  | Approval
  | Enablement
  | (Common & { kind: 'rejection'; desk: Desk })
  | (Common & { kind: 'revocation'; revokesId: string })
  | (Common & { kind: 'disablement' | 'withdrawal' })
  | (Common & { kind: 'lapse'; items: readonly LapsedItem[] })

/** The conditions of a version that do not depend on decisions, as they are now. */
export type Present = {
  /** the later time of the clock and the newest audit event, because the clock may have been set back */
  now: string
  fingerprint: string
  adapter: AdapterState
  /** parts of the contract that the loaded adapter does not accept */
  mismatches: readonly Mismatch[]
  /** time zone of the workspace, in which the day of the next review ends */
  timeZone: string
  isOwnerMember: boolean
  /** sequence of the newest audit event by which the terms owner left the tenant; 0 if there is none */
  ownerLeft: number
  /** sequence of the newest audit event of a restore of the store; 0 if there is none */
  restored: number
}

export type Version = { contract: Contract; createdAt: string; author: string }

export type SourceState = {
  status: SourceStatus
  openItems: OpenItem[]
  /** end of the enablement; null unless the source is enabled */
  enabledUntil: string | null
  /** items that are no longer valid and for which this is not recorded yet */
  unrecorded: LapsedItem[]
}

/** Returns the status of a source and its open items. `decisions`: all decisions about this version, in order. */
export function sourceStateOf(version: Version, decisions: readonly Decision[], present: Present): SourceState {
  const history = readHistory(decisions)
  const missing = missingItems(version, present)
  const conditions = [...expiredTerms(version, history, present), ...outsideItems(version, present)]
  const approvals = approvalItems(version, history, present)
  const enablement = history.enablement
  const ended = enablement === undefined ? undefined : endOf(enablement, history, present)
  const status = statusOf()
  const enablementItem = ended !== undefined && ended !== 'superseded' ? [openEnablement(ended)] : []
  const open = [...missing, ...conditions, ...approvals].map(({ decisionId: _id, detail = null, ...item }) => ({
    ...item,
    detail,
  }))
  return {
    status,
    openItems: [...open, ...enablementItem],
    enabledUntil: status === 'enabled' ? (enablement?.endsAt ?? null) : null,
    unrecorded: unrecordedItems(),
  }

  function statusOf(): SourceStatus {
    if (history.isWithdrawn) return 'withdrawn'
    if (history.isRejected) return 'rejected'
    if (missing.length > 0) return 'incomplete'
    if (history.approvals.size < desks.length) return 'awaiting_approval'
    if (conditions.length > 0 || approvals.length > 0) return 'lapsed'
    if (enablement === undefined || ended === 'superseded') return 'approved'
    return ended === undefined ? 'enabled' : 'lapsed'
  }

  function openEnablement(problem: Problem): OpenItem {
    const since = problem === 'expired' ? (enablement?.endsAt ?? null) : null
    return { item: 'enablement', problem, responsible: 'enabler', since, detail: null }
  }

  /**
   * Returns the items that are no longer valid and must be recorded. Items are recorded only if all three desks had approved, and an item with a
   * record is not recorded again.
   */
  function unrecordedItems(): LapsedItem[] {
    if (status !== 'lapsed' && !(status === 'approved' && isEndedUnseen())) return []
    const found: LapsedItem[] = [...conditions, ...approvals].map(({ item, problem, decisionId = null }) => ({
      item,
      problem,
      decisionId,
    }))
    if (ended !== undefined && ended !== 'superseded' && enablement !== undefined)
      found.push({ item: 'enablement', problem: ended, decisionId: enablement.id })
    if (isEndedUnseen() && found.length === 0) found.push(...unseenEnd())
    return isEnablementLive() ? found : found.filter((item) => !history.recorded.has(keyOf(item)))
  }

  /** True if there is an enablement and no later record has ended it: no lapse (record of an invalid item), revocation or disablement. */
  function isEnablementLive(): boolean {
    return (
      enablement !== undefined &&
      history.lastLapse < enablement.sequence &&
      history.lastDisablement < enablement.sequence
    )
  }

  /** True if the enablement ended without a record: the terms owner left and returned, or the fingerprint changed. */
  function isEndedUnseen(): boolean {
    return isEnablementLive() && unseenEnd().length > 0
  }

  function unseenEnd(): LapsedItem[] {
    if (enablement === undefined) return []
    if (present.ownerLeft > enablement.sequence)
      return [{ item: 'terms_owner', problem: 'missing', decisionId: enablement.id }]
    if (enablement.fingerprint !== present.fingerprint)
      return [{ item: 'enablement', problem: 'changed', decisionId: enablement.id }]
    return []
  }
}

type History = {
  isWithdrawn: boolean
  isRejected: boolean
  /** the newest approval of each desk */
  approvals: ReadonlyMap<Desk, Approval>
  enablement: Enablement | undefined
  lastDisablement: number
  lastLapse: number
  revoked: ReadonlyMap<string, string>
  /** the items that were recorded as invalid, by `keyOf` */
  recorded: ReadonlySet<string>
}

const keyOf = ({ item, problem, decisionId }: LapsedItem) => `${item} ${problem} ${decisionId ?? ''}`

function readHistory(decisions: readonly Decision[]): History {
  const approvals = new Map<Desk, Approval>()
  const revoked = new Map<string, string>()
  const recorded = new Set<string>()
  let enablement: Enablement | undefined
  let [lastDisablement, lastLapse, isWithdrawn, isRejected] = [0, 0, false, false]
  for (const decision of decisions) {
    switch (decision.kind) {
      case 'approval':
        approvals.set(decision.desk, decision)
        break
      case 'enablement':
        enablement = decision
        break
      case 'rejection':
        isRejected = true
        break
      case 'revocation':
        revoked.set(decision.revokesId, decision.at)
        break
      case 'disablement':
        lastDisablement = decision.sequence
        break
      case 'withdrawal':
        isWithdrawn = true
        break
      case 'lapse':
        lastLapse = decision.sequence
        for (const item of decision.items) recorded.add(keyOf(item))
    }
  }
  return { isWithdrawn, isRejected, approvals, enablement, lastDisablement, lastLapse, revoked, recorded }
}

type Found = Omit<OpenItem, 'detail'> & { detail?: string; decisionId?: string | null }

/** Returns the items of the contract that are missing, or that the adapter does not accept. */
function missingItems({ contract, createdAt }: Version, { mismatches }: Present): Found[] {
  return ([...contractItems, 'settings'] satisfies ContractItem[]).flatMap((item): Found[] => {
    const about = { item, responsible: 'author', since: createdAt } as const
    const refused = mismatches.filter((one) => one.item === item)
    // Some adapters need no settings.
    const isMissing = contract[item] === undefined && (item !== 'settings' || refused.length > 0)
    if (isMissing) return [{ ...about, problem: 'missing' }]
    return refused.length === 0 ? [] : [{ ...about, problem: 'not_accepted', detail: mismatchSentence(refused) }]
  })
}

function expiredTerms({ contract: { terms } }: Version, { recorded }: History, { now, timeZone }: Present): Found[] {
  if (terms === undefined) return []
  // A review is valid until the end of the day on which the next one is due.
  const since = endOfDay(Temporal.PlainDate.from(terms.reviewDueOn), timeZone)
  const wasRecorded = recorded.has(keyOf({ item: 'terms', problem: 'expired', decisionId: null }))
  return since <= now || wasRecorded ? [{ item: 'terms', problem: 'expired', responsible: 'author', since }] : []
}

function outsideItems({ contract }: Version, { adapter, isOwnerMember }: Present): Found[] {
  const found: Found[] = []
  if (contract.terms !== undefined && !isOwnerMember)
    found.push({ item: 'terms_owner', problem: 'missing', responsible: 'author', since: null })
  if (adapter !== 'loaded') found.push({ item: 'adapter', problem: adapter, responsible: 'operator', since: null })
  return found
}

function approvalItems({ createdAt }: Version, history: History, present: Present): Found[] {
  return desks.flatMap((desk): Found[] => {
    const approval = history.approvals.get(desk)
    const about = { item: `approval.${desk}` as const, responsible: desk }
    if (approval === undefined) return [{ ...about, problem: 'missing', since: createdAt }]
    const problem = problemOf(approval, history, present)
    if (problem === undefined) return []
    const since = problem === 'revoked' ? (history.revoked.get(approval.id) ?? null) : null
    return [{ ...about, problem, since: problem === 'expired' ? approval.endsAt : since, decisionId: approval.id }]
  })
}

/** Returns the problem that makes an approval invalid; undefined if it is valid. */
export function approvalProblem(
  approval: Approval,
  decisions: readonly Decision[],
  present: Pick<Present, 'now' | 'fingerprint'>,
): Problem | undefined {
  return problemOf(approval, readHistory(decisions), present)
}

function problemOf(
  decision: Approval | Enablement,
  { revoked, recorded }: History,
  present: Pick<Present, 'now' | 'fingerprint'>,
): Problem | undefined {
  const { id, endsAt, fingerprint } = decision
  if (revoked.has(id)) return 'revoked'
  const item = decision.kind === 'approval' ? (`approval.${decision.desk}` as const) : 'enablement'
  if (endsAt <= present.now || recorded.has(keyOf({ item, problem: 'expired', decisionId: id }))) return 'expired'
  return fingerprint === present.fingerprint ? undefined : 'changed'
}

/**
 * Returns the problem that makes an enablement invalid; undefined if it is valid. `superseded`: a disablement or a recorded lapse ended it. The
 * source then counts as approved. A person must enable it again, even if the cause of the lapse no longer exists.
 */
function endOf(enablement: Enablement, history: History, present: Present): Problem | 'superseded' | undefined {
  const { sequence } = enablement
  if (history.lastDisablement > sequence) return 'superseded'
  const problem = problemOf(enablement, history, present)
  if (problem === 'revoked' || problem === 'expired') return problem
  if (present.restored > sequence) return 'restored'
  const isEnded = history.lastLapse > sequence || present.ownerLeft > sequence || problem === 'changed'
  return isEnded ? 'superseded' : undefined
}
