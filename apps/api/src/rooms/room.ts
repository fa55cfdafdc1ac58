import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { RoomOptions, RoomRoutes } from '../http/room.ts'
import type { WrittenBytes } from '../http/written-bytes.ts'
import type { UserActor } from '../lib/actor.ts'
import type { Permission } from '../lib/declared.ts'
import type { LimitWords, RecordLimit } from '../lib/limit-reached.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { AuditFollower } from '../store/change/audit-follower.ts'
import type { Tx } from '../store/change/change.ts'
import type { EmptiedTables } from '../store/change/empty-rows.ts'
import type { Quota, QuotaOwner } from '../store/change/quota.ts'
import type { SweepContext } from '../store/change/sweep.ts'
import type { Db } from '../store/database.ts'
import type { Count } from '../store/engine/count-up-to.ts'
import type { Store } from '../store/store.ts'
import type { ContactValue } from './contact-gate/contact-gate.ts'
import type { Capability } from './define-facts.ts'
import type { ErasedCount } from './facts.ts'
import type { HoldingRoom } from './held.ts'
import type { JobKind, JobKinds } from './jobs/jobs.ts'
import type { Retention } from './retention-term.ts'
import type { SampleDesk } from './sample-desk.ts'

/**
 * The behaviour of a room. Each `<room>.room.ts` exports one, and `rooms/index.ts` lists them. `<room>.facts.ts` contains the room's declarations.
 */
export type Room = HoldingRoom & {
  /** name of the room's folder and facts */
  name: string
  /** routes, registered below /api/v1 */
  routes?: readonly RoomRoutes<RoomContext>[]
  jobKinds?: readonly JobKind[]
  /** job kinds that exist during development only */
  localJobKinds?: readonly JobKind[]
  /** how long the room stores what it stores; `GET /retention` shows it */
  retention?: readonly Retention[]
  /** runs once, before any loop and any request */
  atStart?(context: LoopContext): Promise<void>
  loops?: readonly Loop[]
  /** returns the work that the room derives from the audit of every tenant; one loop of the program follows for all rooms */
  followers?(context: LoopContext): readonly AuditFollower[]
  /** tasks that one process repeats (`run-upkeep.ts`) */
  upkeep?: readonly Upkeep[]
  /** maxima of stored rows, which the room enforces by `requireRoom(tx, quota)`; `GET /limits` shows them */
  quotas?: readonly Quota[]
  /** other limits with a use that `GET /limits` shows, such as those of a day or of memory */
  limits?: readonly UsedLimit[]
  /** limits of one record, which the room enforces by `requireRoomIn` */
  recordLimits?: readonly RecordLimit[]
  /** limits whose use only a refusal shows: of the size of a request, or of requests that wait */
  otherLimits?: readonly { name: string }[]
  /** returns the parts of the declared capability that differ for this tenant in the running program */
  capability?(context: CapabilityContext): Partial<Capability> | Promise<Partial<Capability>>
  /** adds what the screens of the room show to a sample workspace (`script/start --sample`), in the order of rooms */
  sample?(desk: SampleDesk): Promise<void>
  /** decisions that wait for people, and answers to what they asked for, which the dashboard counts for each person */
  waiting?: readonly Waiting[]
  /** what an erasure empties or deletes in the room's tables, in this order. Rows of append-only tables remain without their content */
  erases?: ErasedTables
  /**
   * erases what `erases` cannot express, within the same transaction and before the tables of `erases` are emptied. Returns a number for each of
   * the room's other `erasedCounts`. Called once for a business and all records merged into it, in the order of rooms
   */
  erase?(tx: Tx, businessIds: readonly string[], erasure: Erasure): Promise<Erased>
  /** deletes the files and empties the texts of the room that may contain a person at a prospect, when that person was erased */
  erasePerson?(tx: Tx, dataDir: string): Promise<unknown>
}

/** Context of a room's routes. A room's routes declare the part that they use: `RoomRoutes<Pick<RoomContext, 'config'> & RoomOptions>`. */
export type RoomContext = RoomOptions & {
  config: Config
  /** adapters loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  /** job kinds of all rooms */
  kinds: JobKinds
  rooms: readonly Room[]
  /** bytes that each tenant may send */
  written: WrittenBytes
}

/** Values that a capability may depend on. */
export type CapabilityContext = { store: Store; tenantId: string; adapters: LoadedAdapters }

/** A limit with its current use. Its room enforces it. */
export type UsedLimit = LimitWords & {
  /** absent for a number of things */
  unit?: 'bytes'
  read(context: LimitContext, owner: QuotaOwner): Promise<{ used: number; max: number }>
}
/** Values from which the use of a limit is read. */
export type LimitContext = { store: Store; written: WrittenBytes }

/** Number of days for which the answer to a person's proposal or request counts as news for them, if it asks for no further act. */
export const ANSWER_DAYS = 7

/** Decisions of one kind that wait for people, or answers of one kind to what a person asked for. */
export type Waiting = {
  /** unique among all rooms, such as `scoring_versions` */
  key: string
  /** label of the number, such as 'Scoring versions' */
  label: string
  /** true for answers to what a person asked for */
  isAnswer?: true
  /** permission to make the decision, or to see the answer; without it nothing is counted */
  permission: Permission
  /** the list that shows them */
  link: { desk: WaitingDesk; query: Readonly<Record<string, string>> }
  /**
   * counts at most `bound` + 1 decisions that this person may make, none about a proposal that another person must decide on, or answers to what this
   * person asked for
   */
  count(context: WaitingContext, bound: number): Promise<Count>
}
export type WaitingContext = Pick<RoomOptions, 'store' | 'cursors'> & {
  adapters: LoadedAdapters
  actor: UserActor
  /** connection for counts, which gives way to requests */
  db: Db
  at: string
}
export const waitingDesks = [
  'approved_drafts',
  'assistance',
  'contacts',
  'domains',
  'draft_policies',
  'drafts',
  'incidents',
  'jobs',
  'my_drafts',
  'requests',
  'scan_policy',
  'scoring',
  'sources',
  'suppression',
  'websites',
] as const
export type WaitingDesk = (typeof waitingDesks)[number]

/** Background work, from the start of the program to its end. */
export type Loop = {
  name: string
  /**
   * true if the loop starts when the server listens and stops when the server stops, while the last requests are being served; for work that requests
   * wait for
   */
  whenListening?: true
  /** starts the loop; called before requests are served; work that it does not await continues while they are */
  start(context: LoopContext): RunningLoop | Promise<RunningLoop>
}
export type LoopContext = {
  /** its reads and writes give way to requests, and its queries are never refused (`backgroundStore`) */
  store: Store
  config: Config
  /** adapters loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  log: FastifyBaseLogger
  kinds: JobKinds
  rooms: readonly Room[]
}
/** A started loop. `stop` resolves when the current work has ended. */
export type RunningLoop = { stop(): void | Promise<void> }

/**
 * A task that one of the processes with the store open repeats: for each tenant, or once for the whole store. It opens no write transaction if nothing is
 * due (`sweep`). A failure for one tenant does not stop the others.
 */
export type Upkeep<Context = LoopContext> = {
  /** what the task does, unique among all rooms */
  name: string
  everyMs: number
  /** maximum number of rows that one of its transactions changes */
  limit: number
} & (
  | { forTenant(context: Context & SweepContext): Promise<unknown> }
  | { forStore(context: Context & Omit<SweepContext, 'tenantId'>): Promise<unknown> }
)

/** Tables of a room, each with what an erasure does to its rows; typed against the columns of the table. */
export type ErasedTables = EmptiedTables<ErasedCount>
export type Erasure = {
  dataDir: string
  /** ids of reports and exports that earlier rooms emptied */
  emptiedRequests: readonly string[]
  /** contact values that the records and their evidence had */
  values: readonly ContactValue[]
}
export type Erased = {
  counts?: Readonly<Partial<Record<ErasedCount, number>>>
  /** ids of reports and exports that this room emptied; the audit events that requested them are emptied too */
  emptiedRequests?: readonly string[]
}
