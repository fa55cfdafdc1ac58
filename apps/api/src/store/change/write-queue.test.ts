import fc from 'fast-check'
import { type ExpectStatic, onTestFinished, test, vi } from 'vitest'
import { adds, addsAndThrows, LARGE, queueOfWords, unavailable, wordsIn } from '../../../test/queue-of-words.ts'
import { AppError } from '../../lib/app-error.ts'
import { createLoopBudget } from '../../lib/loop-budget.ts'
import { type Connection, openConnection } from '../engine/connection.ts'
import { createWriteQueue, type Outcome, type Work } from './write-queue.ts'

test('concurrent changes share one commit', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const answers = await Promise.all(['a', 'b', 'c'].map((word) => queue.write(adds(connection, word))))
  expect(answers).toEqual(['a', 'b', 'c'])
  expect(committed()).toEqual(['a', 'b', 'c'])
  expect(queue.commits()).toBe(1)
})

test('nothing is returned and nothing can be seen before the commit', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const answered: string[] = []
  const first = queue.write(adds(connection, 'a')).then((word) => answered.push(word))
  const second = queue.write(async () => {
    expect(answered).toEqual([])
    expect(committed()).toEqual([])
    return { keep: false, value: undefined }
  })
  await Promise.all([first, second])
  expect(committed()).toEqual(['a'])
})

test('a failed change is rolled back alone, those of the same commit are kept', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const failure = new Error('refused by its own rule')
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a')),
    queue.write(addsAndThrows(connection, 'undone', failure)),
    queue.write(adds(connection, 'b')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: failure })
  expect(committed()).toEqual(['a', 'b'])
  expect(queue.commits()).toBe(1)
})

test('a failed first change takes nothing with it: neither changes that joined meanwhile, nor later ones', async ({
  expect,
}) => {
  const { connection, queue, committed } = queueOfWords()
  const joined: Promise<unknown>[] = []
  const failing = queue.write(async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run('lost')
    joined.push(queue.write(adds(connection, 'joined')))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await Promise.all(joined)
  expect(committed()).toEqual(['joined'])
  const undone = await queue.write(async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run('undone')
    return { keep: false, value: 'answered' }
  })
  expect(undone).toBe('answered')
  await queue.write(adds(connection, 'next'))
  expect(committed()).toEqual(['joined', 'next'])
})

test('a change that joins a single first change fails alone', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const joined: Promise<unknown>[] = []
  await queue.write(async () => {
    joined.push(queue.write(addsAndThrows(connection, 'lost', new Error('no'))).catch(String))
    return adds(connection, 'a')()
  })
  expect(await Promise.all(joined)).toEqual(['Error: no'])
  expect(committed()).toEqual(['a'])
  expect(queue.commits()).toBe(1)
})

test('a work that returns keep: false is rolled back and still returns its result', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const answer = await queue.write(async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run('undone')
    return { keep: false, value: 'seen' }
  })
  expect(answer).toBe('seen')
  expect(committed()).toEqual([])
  expect(queue.commits()).toBe(0)
})

test('many changes are split into several commits, in order', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const words = Array.from({ length: 300 }, (_, index) => `word ${index}`)
  await Promise.all(words.map((word) => queue.write(adds(connection, word))))
  expect(committed()).toEqual(words)
  expect(queue.commits()).toBeGreaterThanOrEqual(3)
})

test('between two commits the event loop serves requests', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords({ maxBatchMs: 0 })
  const served: unknown[][] = []
  const first = queue.write(async () => {
    setImmediate(() => served.push(committed()))
    return adds(connection, 'a')()
  })
  await Promise.all([first, queue.write(adds(connection, 'b'))])
  expect(served).toEqual([['a']])
  expect(committed()).toEqual(['a', 'b'])
})

test('a callback runs after the commit and before the result, and only for kept changes', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const calls: unknown[] = []
  const write = (word: string, keep: boolean) =>
    queue.write(async () => {
      connection.prepare('INSERT INTO words VALUES (?)').run(word)
      return { keep, value: undefined, afterCommit: [() => calls.push([word, committed()])] }
    })
  await Promise.all([write('kept', true).then(() => calls.push('answered')), write('undone', false)])
  expect(calls).toEqual([['kept', ['kept']], 'answered'])
})

test('work for the end of a batch runs after all works of it, within the commit, and only for kept changes', async ({
  expect,
}) => {
  const { connection, queue, committed } = queueOfWords()
  const inBatch: unknown[] = []
  const write = (word: string, keep: boolean) =>
    queue.write(async () => {
      connection.prepare('INSERT INTO words VALUES (?)').run(word)
      const late = async () => void inBatch.push([word, wordsIn(connection), committed()])
      return { keep, value: undefined, beforeCommit: [late] }
    })
  await Promise.all([write('a', true), write('undone', false), write('b', true)])
  expect(inBatch).toEqual([
    ['a', ['a', 'b'], []],
    ['b', ['a', 'b'], []],
  ])
  expect(committed()).toEqual(['a', 'b'])
})

test('a failure at the end of a batch rolls back all of it, and the next change works', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const failing = async () => {
    throw new Error('a bug')
  }
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a')),
    queue.write(async () => ({ ...(await adds(connection, 'b')()), beforeCommit: [failing] })),
  ])
  expect(results).toMatchObject([{ reason: { message: 'a bug' } }, { reason: { message: 'a bug' } }])
  expect(committed()).toEqual([])
  await queue.write(adds(connection, 'c'))
  expect(committed()).toEqual(['c'])
})

test('a callback that throws is a warning, and the queue continues', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const warned = warning('a bug of the callback')
  const answer = await queue.write(async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run('a')
    return {
      keep: true,
      value: 'answered',
      afterCommit: [
        () => {
          throw new Error('a bug of the callback')
        },
      ],
    }
  })
  expect(answer).toBe('answered')
  await warned
  await queue.write(adds(connection, 'b'))
  expect(committed()).toEqual(['a', 'b'])
})

test('a durable change succeeds, although a listener of the commit fails', async ({ expect }) => {
  const { connection, committed } = queueOfWords()
  const queue = createWriteQueue(connection, {
    onCommit: () => {
      throw new Error('a bug of the reader')
    },
  })
  const warned = warning('a bug of the reader')
  expect(await queue.write(adds(connection, 'a'))).toBe('a')
  await warned
  expect(committed()).toEqual(['a'])
})

/** Resolves when the process emits this warning; ignores other warnings. */
function warning(message: string): Promise<void> {
  return new Promise((resolve) => {
    const listen = (given: Error) => {
      if (given.message !== message) return
      process.off('warning', listen)
      resolve()
    }
    process.on('warning', listen)
  })
}

test('a failure of the whole transaction fails all its changes, and the next change works', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const results = await Promise.allSettled([
    queue.write(adds(connection, 'a')),
    queue.write(async () => {
      connection.exec('ROLLBACK')
      throw new Error('the disk failed')
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(committed()).toEqual([])
  await queue.write(adds(connection, 'b'))
  expect(committed()).toEqual(['b'])
})

test('a rollback that a failing disk prevents happens before the next change, and is not kept with it', async ({
  expect,
}) => {
  const { connection, queue, committed } = queueOfWords()
  vi.spyOn(connection, 'exec').mockImplementationOnce(() => {
    throw new Error('the disk fails')
  })
  const failing = async () => {
    throw new Error('the disk failed')
  }
  const lost = queue.write(async () => ({ ...(await adds(connection, 'lost')()), beforeCommit: [failing] }))
  await expect(lost).rejects.toThrow('the disk failed')
  expect(connection.inTransaction).toBe(true)
  await queue.write(adds(connection, 'next'))
  expect(committed()).toEqual(['next'])
})

test('waits for another process that is writing', async ({ expect }) => {
  const { connection, other, queue, committed } = queueOfWords()
  other.exec('BEGIN IMMEDIATE')
  const answer = queue.write(adds(connection, 'a'))
  await new Promise((resolve) => setImmediate(resolve))
  other.exec('COMMIT')
  expect(await answer).toBe('a')
  expect(committed()).toEqual(['a'])
})

test('a store that stays busy is unavailable, and available when the other process is done', async ({ expect }) => {
  const { connection, other, queue, committed } = queueOfWords({ busyPatienceMs: 20 })
  other.exec('BEGIN IMMEDIATE')
  const writes = ['a', 'b'].map((word) => queue.write(adds(connection, word)))
  await expect(writes[0]).rejects.toBeInstanceOf(AppError)
  // No other thread is blocked, because this queue no longer wants the write lock.
  expect(queue.waiting()).toBe(0)
  const results = await Promise.allSettled(writes)
  expect(results).toMatchObject([{ reason: unavailable('database_busy') }, { reason: unavailable('database_busy') }])
  other.exec('ROLLBACK')
  await queue.write(adds(connection, 'c'))
  expect(committed()).toEqual(['c'])
})

test('a full disk refuses changes that do not fit, and accepts changes again when there is space', async ({
  expect,
}) => {
  const { connection, queue, committed } = queueOfWords()
  connection.pragma(`max_page_count = ${connection.pragma('page_count', { simple: true })}`)
  await expect(queue.write(adds(connection, LARGE))).rejects.toMatchObject(unavailable('storage_full'))
  expect(committed()).toEqual([])
  connection.pragma('max_page_count = 1000000')
  await queue.write(adds(connection, 'a'))
  expect(committed()).toEqual(['a'])
})

test('a full disk never leaves half of a commit', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  connection.pragma(`max_page_count = ${Number(connection.pragma('page_count', { simple: true })) + 2}`)
  const words = ['a', LARGE, 'b']
  const results = await Promise.allSettled(words.map((word) => queue.write(adds(connection, word))))
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(results[1]).toMatchObject({ reason: unavailable('storage_full') })
  expect(committed()).toEqual(answered)
})

test('a file that cannot be written is unavailable', async ({ expect }) => {
  const { file, queue, connection, committed } = queueOfWords()
  const reading = openConnection(file, { readonly: true })
  onTestFinished(() => void reading.close())
  await expect(createWriteQueue(reading).write(adds(reading, 'a'))).rejects.toMatchObject(
    unavailable('storage_read_only'),
  )

  connection.pragma('query_only = ON')
  await expect(queue.write(adds(connection, 'a'))).rejects.toBeInstanceOf(AppError)
  connection.pragma('query_only = OFF')
  await queue.write(adds(connection, 'b'))
  expect(committed()).toEqual(['b'])
})

test('background work is written after the changes that wait, and in commits of its own', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const behind = ['x', 'y'].map((word) => queue.writeBehind(adds(connection, word)))
  const changes = ['a', 'b'].map((word) => queue.write(adds(connection, word)))
  expect([queue.waiting(), queue.waitingBehind()]).toEqual([2, 2])
  await Promise.all(changes)
  expect(committed()).toEqual(['a', 'b'])
  await Promise.all(behind)
  expect(committed()).toEqual(['a', 'b', 'x', 'y'])
  expect(queue.commits()).toBe(2)
})

test('a change that comes while background work rests is written at once', async ({ expect }) => {
  const budget = createLoopBudget()
  const { derived } = budget.turns
  const { connection, queue, committed } = queueOfWords()
  budget.onRequest()
  await queue.writeBehind(takes(60, adds(connection, 'x')), derived)
  const next = queue.writeBehind(adds(connection, 'y'), derived)
  await queue.write(adds(connection, 'a'))
  expect(committed()).toEqual(['x', 'a'])
  await next
  expect(committed()).toEqual(['x', 'a', 'y'])
})

test('a commit of background work ends after 3 ms', async ({ expect }) => {
  const { connection, queue } = queueOfWords()
  const words = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(words.map((word) => queue.writeBehind(takes(3, adds(connection, word)))))
  expect(queue.commits()).toBeGreaterThanOrEqual(3)
})

test('constant changes postpone background work for a short time only', async ({ expect }) => {
  const { connection, queue } = queueOfWords()
  let isWritten = false
  const behind = queue.writeBehind(adds(connection, 'x')).then(() => {
    isWritten = true
  })
  const until = performance.now() + 5_000
  const writer = async (word: string) => {
    while (!isWritten && performance.now() < until) await queue.write(takes(2, adds(connection, word)))
  }
  await Promise.all([writer('a'), writer('b'), writer('c')])
  expect(isWritten).toBe(true)
  await behind
})

test('idle also waits for background work, and its failures are its own', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  const failed = queue.writeBehind(addsAndThrows(connection, 'undone', new Error('no')))
  const refused = expect(failed).rejects.toThrow('no')
  void queue.writeBehind(adds(connection, 'x'))
  await queue.idle()
  await refused
  expect(committed()).toEqual(['x'])
})

/** Occupies the event loop during the work. */
function takes<T>(ms: number, work: Work<T>): Work<T> {
  return async () => {
    const until = performance.now() + ms
    while (performance.now() < until);
    return work()
  }
}

test('idle resolves when all pending changes are settled', async ({ expect }) => {
  const { connection, queue, committed } = queueOfWords()
  void queue.write(adds(connection, 'a'))
  void queue.write(adds(connection, 'b'))
  await queue.idle()
  expect(committed()).toEqual(['a', 'b'])
})

type Plan = { ends: 'kept' | 'not kept' | 'thrown' | 'refused by the store'; waits: boolean }
const anyPlan: fc.Arbitrary<Plan> = fc.record({
  ends: fc.oneof(
    { weight: 6, arbitrary: fc.constant('kept' as const) },
    { weight: 4, arbitrary: fc.constantFrom('not kept', 'thrown', 'refused by the store') },
  ),
  waits: fc.boolean(),
})

/** Returns work that inserts a word, reads all words and ends as the plan says. `log` receives each run and each callback. */
function planned(connection: Connection, { ends }: Plan, word: string, log: (step: string) => void): Work<unknown> {
  return async (): Promise<Outcome<unknown>> => {
    log('run')
    connection.prepare('INSERT INTO words VALUES (?)').run(word)
    const value = connection.prepare('SELECT word FROM words ORDER BY rowid').pluck().all()
    await Promise.resolve()
    if (ends === 'thrown') throw Object.assign(new Error(ends), { value })
    if (ends === 'refused by the store') connection.prepare('INSERT INTO words VALUES (NULL)').run()
    const callbacks = { beforeCommit: [async () => log('before')], afterCommit: [() => log('after')] }
    return { keep: ends === 'kept', value, ...callbacks }
  }
}

/** Checks that work in one queue has the same results as the same work run one by one, and that each runs once. */
async function checkAgainstOneByOne(
  expect: ExpectStatic,
  { connection, queue }: Pick<ReturnType<typeof queueOfWords>, 'connection' | 'queue'>,
  plans: readonly Plan[],
) {
  const logs = plans.map((): string[] => [])
  const writes: Promise<PromiseSettledResult<unknown>[]>[] = []
  for (const [at, plan] of plans.entries()) {
    if (plan.waits) await new Promise((turn) => setImmediate(turn))
    const work = planned(connection, plan, `word ${at}`, (step) => logs[at]?.push(step))
    writes.push(Promise.allSettled([queue.write(work)]))
  }
  const results = (await Promise.all(writes)).flat()
  const kept: string[] = []
  for (const [at, { ends }] of plans.entries()) {
    const seen = [...kept, `word ${at}`]
    if (ends === 'kept') kept.push(`word ${at}`)
    const result = results[at]
    if (ends === 'thrown') expect(result).toMatchObject({ reason: { message: ends, value: seen } })
    else if (ends === 'refused by the store')
      expect(result).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_NOTNULL' } })
    else expect(result).toEqual({ status: 'fulfilled', value: seen })
    expect(logs[at]).toEqual(ends === 'kept' ? ['run', 'before', 'after'] : ['run'])
  }
  return kept
}

test('changes that share commits end as if each had run alone, in order', async ({ expect }) => {
  const words = queueOfWords()
  const { connection, queue, committed } = words
  await fc.assert(
    fc.asyncProperty(fc.array(anyPlan, { minLength: 1, maxLength: 24 }), async (plans) => {
      connection.exec('DELETE FROM words')
      const kept = await checkAgainstOneByOne(expect, words, plans)
      expect(committed()).toEqual(kept)
      expect(connection.inTransaction).toBe(false)
      expect(queue.waiting()).toBe(0)
    }),
    { numRuns: 100 },
  )
})
