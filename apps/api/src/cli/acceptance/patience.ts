import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Client, expectStatus, expectThat, textAt } from './acceptance-client.ts'

/** A job or a report that has not ended by then counts as stuck. */
const JOB_PATIENCE_MS = 60_000
const ASK_EVERY_MS = 100

const ended = ['succeeded', 'failed', 'cancelled']

/** Asks until the status is one of an end. */
export async function untilEnded(client: Client, path: string): Promise<Answer> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const answer = expectStatus(await client.get(path), 200, 'reading a job')
    if (ended.includes(textAt(answer.body, 'status'))) return answer
    expectThat(performance.now() < givesUpAt, `It had not ended after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}

/** Asks until there is something: what follows a change comes soon after it. */
export async function untilThere<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    expectThat(performance.now() < givesUpAt, `It was not there after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}
