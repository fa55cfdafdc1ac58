import { everyInOneProcess } from '../store/change/leases.ts'
import type { Store } from '../store/store.ts'
import { forEachTenant } from './identity/identity.ts'
import type { LoopContext, RunningLoop, Upkeep } from './room.ts'

/** Interval at which tasks that are due are started. */
const TICK_MS = 1_000

/**
 * Starts the loop that runs each task at the start and then at its interval, in one of the processes that have the store open. A task never runs twice
 * at the same time and does not wait for another one. A failure is logged, and the task runs again at its next time.
 */
export function startUpkeep(context: LoopContext, tasks: readonly Upkeep[]): RunningLoop {
  const { store, log } = context
  const running = new Map<Upkeep, Promise<void>>()
  const dueAt = new Map<Upkeep, number>()
  let isStopping = false

  const run = async (task: Upkeep, isStopped: () => boolean) => {
    try {
      await runTask(context, task, isStopped)
    } catch (error) {
      log.error({ err: error, task: task.name }, `upkeep failed: ${task.name}`)
    }
    running.delete(task)
  }
  const loop = everyInOneProcess(store, {
    name: 'upkeep',
    ms: TICK_MS,
    work: async (isStopped) => {
      const now = performance.now()
      for (const task of tasks) {
        if (isStopping || running.has(task) || now < (dueAt.get(task) ?? 0)) continue
        dueAt.set(task, now + task.everyMs)
        running.set(
          task,
          run(task, () => isStopping || isStopped()),
        )
      }
    },
    log,
    failed: 'upkeep tasks were not started',
  })
  return {
    stop: async () => {
      isStopping = true
      await Promise.all(running.values())
      await loop.stop()
    },
  }
}

/** Runs each task once, one after the other. Errors: those of the first task that fails, after it has run for all tenants. */
export async function runUpkeep<Context extends { store: Store }>(
  context: Context,
  tasks: readonly Upkeep<Context>[],
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const task of tasks) await runTask(context, task, isStopped)
}

async function runTask<Context extends { store: Store }>(
  context: Context,
  task: Upkeep<Context>,
  isStopped: () => boolean,
): Promise<void> {
  const { limit } = task
  if ('forStore' in task) await task.forStore({ ...context, limit, isStopped })
  else
    await forEachTenant(context.store, async (tenantId) => {
      if (!isStopped()) await task.forTenant({ ...context, tenantId, limit, isStopped })
    })
}
