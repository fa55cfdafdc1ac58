import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { RoomOptions, RoomRoutes } from '../http/room.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Tx } from '../store/change/change.ts'
import type { Store } from '../store/store.ts'
import type { Capability } from './define-facts.ts'
import type { ErasedCount } from './facts.ts'
import type { JobKind, JobKinds } from './jobs/jobs.ts'

/**
 * What a room does, for the program that is assembled of rooms: each `<room>.room.ts` exports one, and `rooms/index.ts` lists them. What a
 * room declares, its `<room>.facts.ts` says.
 */
export type Room = {
  /** the name of its folder and of its facts */
  name: string
  /** registered below /api/v1 */
  routes?: readonly RoomRoutes<RoomContext>[]
  jobKinds?: readonly JobKind[]
  /** kinds of jobs for development alone */
  localJobKinds?: readonly JobKind[]
  /** once, before any loop and any request */
  atStart?(context: LoopContext): Promise<void>
  loops?: readonly Loop[]
  /** What of the capability that the room's facts declare is otherwise for this tenant, as the program runs now. */
  capability?(context: CapabilityContext): Partial<Capability> | Promise<Partial<Capability>>
  /**
   * Empties what the room's tables say of these businesses, in the transaction of their erasure; that the rows were written stays. Returns
   * a number for each of the room's `erasedCounts`. Called once for a business and all that was merged into it, in the order of rooms.
   */
  erase?(tx: Tx, businessIds: readonly string[], erasure: Erasure): Promise<Erased>
}

/** What a room's routes may use: a room names the part that it takes, `RoomRoutes<Pick<RoomContext, 'config'> & RoomOptions>`. */
export type RoomContext = RoomOptions & {
  config: Config
  /** loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  /** the kinds of jobs of all rooms */
  kinds: JobKinds
  rooms: readonly Room[]
}

/** What a capability may depend on. */
export type CapabilityContext = { store: Store; tenantId: string; adapters: LoadedAdapters }

/** Work in the background, from the start of the program to its end. */
export type Loop = {
  name: string
  /** Started once the server listens, and stopped beside it, while the last requests end: for work that requests wait for. */
  whenListening?: true
  /** Called before requests are answered. What it does not await goes on beside them. */
  start(context: LoopContext): RunningLoop | Promise<RunningLoop>
}
export type LoopContext = {
  store: Store
  config: Config
  /** loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  log: FastifyBaseLogger
  kinds: JobKinds
}
/** `stop` waits until the work that is under way has ended. */
export type RunningLoop = { stop(): void | Promise<void> }

export type Erasure = {
  dataDir: string
  /** reports and exports that lost content in a room before this one */
  emptiedRequests: readonly string[]
}
export type Erased = {
  counts?: Readonly<Partial<Record<ErasedCount, number>>>
  /** reports and exports that lost content here: the audit event by which each was asked for loses it as well */
  emptiedRequests?: readonly string[]
}
