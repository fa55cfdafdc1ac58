import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Client, expectStatus, expectThat, textAt } from './acceptance-client.ts'

/** A job or report that has not ended after this time counts as stuck. */
const JOB_PATIENCE_MS = 60_000
const ASK_EVERY_MS = 100

const ended = ['succeeded', 'failed', 'cancelled']

/** Polls until the status is final. */
export async function untilEnded(client: Client, path: string): Promise<Answer> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const answer = expectStatus(await client.get(path), 200, 'reading a job')
    if (ended.includes(textAt(answer.body, 'status'))) return answer
    expectThat(performance.now() < givesUpAt, `It had not ended after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}

/** Polls until a result exists, because background effects follow a change after a short time. */
export async function untilThere<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const givesUpAt = performance.now() + JOB_PATIENCE_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    expectThat(performance.now() < givesUpAt, `It did not exist after ${JOB_PATIENCE_MS / 1_000} seconds.`)
    await delay(ASK_EVERY_MS)
  }
}
