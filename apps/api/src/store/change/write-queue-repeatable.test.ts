import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { adds, addsAndThrows, LARGE, queueOfWords, unavailable } from '../../../test/queue-of-words.ts'
import type { Connection } from '../engine/connection.ts'
import type { Outcome, Work, WriteQueue } from './write-queue.ts'

/*
 * Works that can be run again go without a savepoint. Nobody may notice: whoever fails fails alone, whoever is kept is kept once.
 */

const repeatable = { repeatable: true }
const refused = new Error('refused by its own rule')

/** The texts of the statements that were prepared since; those around a change are prepared when they are first run. */
function preparedOn(connection: Connection): () => string[] {
  const prepare = vi.spyOn(connection, 'prepare')
  return () => prepare.mock.calls.map(([text]) => text)
}

/** A work that counts its runs. */
function counted<T>(work: Work<T>): { work: Work<T>; runs: () => number } {
  let runs = 0
  return {
    work: () => {
      runs += 1
      return work()
    },
    runs: () => runs,
  }
}

test('works that can be run again take no savepoint, the others one each', async () => {
  const { connection, queue, committed } = queueOfWords()
  const prepared = preparedOn(connection)
  await Promise.all(['a', 'b', 'c'].map((word) => queue.write(adds(connection, word), repeatable)))
  expect(prepared().filter((text) => text.includes('change'))).toEqual([])
  expect(prepared()).toContain('COMMIT')
  await Promise.all(['d', 'e'].map((word) => queue.write(adds(connection, word))))
  expect(prepared()).toContain('SAVEPOINT change')
  expect(committed()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(queue.commits()).toBe(2)
})

test('one of them that fails is undone alone; those with it are run once more, those after it once', async () => {
  const { connection, queue, committed } = queueOfWords()
  const works = [
    counted(adds(connection, 'a')),
    counted(addsAndThrows(connection, 'undone', refused)),
    counted(adds(connection, 'b')),
  ]
  const results = await Promise.allSettled(works.map(({ work }) => queue.write<string>(work, repeatable)))
  expect(results).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: 'b' },
  ])
  expect(committed()).toEqual(['a', 'b'])
  expect(works.map(({ runs }) => runs())).toEqual([2, 2, 1])
  expect(queue.commits()).toBe(1)
})

test('one of them that keeps nothing is answered, and only by what was kept before it', async () => {
  const { connection, queue, committed } = queueOfWords()
  const sees: Work<unknown> = async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run('undone')
    return { keep: false, value: connection.prepare('SELECT word FROM words ORDER BY rowid').pluck().all() }
  }
  const answers = await Promise.all([
    queue.write<unknown>(adds(connection, 'a'), repeatable),
    queue.write(sees, repeatable),
    queue.write<unknown>(adds(connection, 'b'), repeatable),
  ])
  expect(answers).toEqual(['a', ['a', 'undone'], 'b'])
  expect(committed()).toEqual(['a', 'b'])
})

test('the first of them that fails has nobody to take along, and is run once', async () => {
  const { connection, queue, committed } = queueOfWords()
  const prepared = preparedOn(connection)
  const works = [counted(addsAndThrows(connection, 'undone', refused)), counted(adds(connection, 'a'))]
  const results = await Promise.allSettled(works.map(({ work }) => queue.write<string>(work, repeatable)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(committed()).toEqual(['a'])
  expect(works.map(({ runs }) => runs())).toEqual([1, 1])
  expect(prepared()).not.toContain('SAVEPOINT change')
})

test('a work that cannot be run again never is, whoever fails before or after it', async () => {
  const { connection, queue, committed } = queueOfWords()
  const once = counted(adds(connection, 'once'))
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a'), repeatable),
    queue.write(addsAndThrows(connection, 'undone', refused), repeatable),
    queue.write(once.work),
    queue.write(addsAndThrows(connection, 'undone', refused), repeatable),
    queue.write(adds(connection, 'b'), repeatable),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(committed()).toEqual(['a', 'once', 'b'])
  expect(once.runs()).toBe(1)
})

test('a run that was undone leaves none of its callbacks', async () => {
  const { connection, queue, committed } = queueOfWords()
  const calls: string[] = []
  const telling =
    (word: string): Work<string> =>
    async () => ({
      ...(await adds(connection, word)()),
      beforeCommit: [async () => void calls.push(`before ${word}`)],
      afterCommit: [() => calls.push(`after ${word}`)],
    })
  await Promise.allSettled([
    queue.write(telling('a'), repeatable),
    queue.write(addsAndThrows(connection, 'undone', refused), repeatable),
    queue.write(telling('b'), repeatable),
  ])
  expect(calls).toEqual(['before a', 'before b', 'after a', 'after b'])
  expect(committed()).toEqual(['a', 'b'])
})

test('a failure before the commit fails all of them, and nobody is run again', async () => {
  const { connection, queue, committed } = queueOfWords()
  const first = counted(adds(connection, 'a'))
  const failing: Work<string> = async () => ({
    ...(await adds(connection, 'b')()),
    beforeCommit: [() => Promise.reject(refused)],
  })
  const results = await Promise.allSettled([queue.write(first.work, repeatable), queue.write(failing, repeatable)])
  expect(results).toMatchObject([{ reason: refused }, { reason: refused }])
  expect(committed()).toEqual([])
  expect(first.runs()).toBe(1)
  await queue.write(adds(connection, 'next'), repeatable)
  expect(committed()).toEqual(['next'])
})

test('a failure that takes the transaction fails everybody in it, and the next change works', async () => {
  const { connection, queue, committed } = queueOfWords()
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a'), repeatable),
    queue.write(async () => {
      connection.exec('ROLLBACK')
      throw new Error('the disk failed')
    }, repeatable),
    queue.write(adds(connection, 'b'), repeatable),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(committed()).toEqual(['b'])
})

test('a full disk never leaves half of a commit of works that can be run again', async () => {
  const { connection, queue, committed } = queueOfWords()
  connection.pragma(`max_page_count = ${Number(connection.pragma('page_count', { simple: true })) + 2}`)
  const words = ['a', LARGE, 'b']
  const results = await Promise.allSettled(words.map((word) => queue.write(adds(connection, word), repeatable)))
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(results[1]).toMatchObject({ reason: unavailable('storage_full') })
  expect(committed()).toEqual(answered)
})

test('those that wait to be run again are unavailable too when the store is taken meanwhile', async () => {
  const { connection, other, queue, committed } = queueOfWords({ busyPatienceMs: 20 })
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a'), repeatable),
    queue.write(async () => {
      // Between the rollback that this leads to and the transaction that would follow.
      queueMicrotask(function take() {
        if (connection.inTransaction) queueMicrotask(take)
        else other.exec('BEGIN IMMEDIATE')
      })
      throw refused
    }, repeatable),
  ])
  expect(other.inTransaction).toBe(true)
  other.exec('ROLLBACK')
  expect(results).toMatchObject([{ reason: unavailable('database_busy') }, { reason: unavailable('database_busy') }])
  expect(committed()).toEqual([])
})

type Plan = { ends: 'kept' | 'not kept' | 'thrown' | 'refused by the store'; repeatable: boolean; waits: boolean }
const anyPlan: fc.Arbitrary<Plan> = fc.record({
  ends: fc.oneof(
    { weight: 6, arbitrary: fc.constant('kept' as const) },
    { weight: 4, arbitrary: fc.constantFrom('not kept', 'thrown', 'refused by the store') },
  ),
  repeatable: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  waits: fc.boolean(),
})

/** Writes, looks at what is there, ends as planned; tells each run and each callback. */
function planned(connection: Connection, { ends }: Plan, word: string, tell: (what: string) => void): Work<unknown> {
  return async (): Promise<Outcome<unknown>> => {
    tell('run')
    connection.prepare('INSERT INTO words VALUES (?)').run(word)
    const value = connection.prepare('SELECT word FROM words ORDER BY rowid').pluck().all()
    await Promise.resolve()
    if (ends === 'thrown') throw Object.assign(new Error(ends), { value })
    if (ends === 'refused by the store') connection.prepare('INSERT INTO words VALUES (NULL)').run()
    const callbacks = { beforeCommit: [async () => tell('before')], afterCommit: [() => tell('after')] }
    return { keep: ends === 'kept', value, ...callbacks }
  }
}

/** Each one ends as it would have alone, after those before it. */
async function checkAgainstOneByOne(connection: Connection, queue: WriteQueue, plans: readonly Plan[]) {
  const told = plans.map((): string[] => [])
  const writes: Promise<PromiseSettledResult<unknown>[]>[] = []
  for (const [at, plan] of plans.entries()) {
    if (plan.waits) await new Promise((turn) => setImmediate(turn))
    const work = planned(connection, plan, `word ${at}`, (what) => told[at]?.push(what))
    writes.push(Promise.allSettled([queue.write(work, { repeatable: plan.repeatable })]))
  }
  const results = (await Promise.all(writes)).flat()
  const kept: string[] = []
  for (const [at, { ends, repeatable: canRepeat }] of plans.entries()) {
    const seen = [...kept, `word ${at}`]
    if (ends === 'kept') kept.push(`word ${at}`)
    const result = results[at]
    if (ends === 'thrown') expect(result).toMatchObject({ reason: { message: ends, value: seen } })
    else if (ends === 'refused by the store')
      expect(result).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_NOTNULL' } })
    else expect(result).toEqual({ status: 'fulfilled', value: seen })
    const runs = told[at]?.filter((what) => what === 'run').length ?? 0
    expect(runs).toBeLessThanOrEqual(canRepeat ? 2 : 1)
    expect(told[at]?.slice(runs)).toEqual(ends === 'kept' ? ['before', 'after'] : [])
  }
  return kept
}

test('whatever waits together ends as if each had been run alone, in order', async () => {
  const { connection, queue, committed } = queueOfWords()
  await fc.assert(
    fc.asyncProperty(fc.array(anyPlan, { minLength: 1, maxLength: 24 }), async (plans) => {
      connection.exec('DELETE FROM words')
      const kept = await checkAgainstOneByOne(connection, queue, plans)
      expect(committed()).toEqual(kept)
      expect(connection.inTransaction).toBe(false)
      expect(queue.waiting()).toBe(0)
    }),
    { numRuns: 100 },
  )
})
