import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { askThread, type Thread } from './ask-thread.ts'

const source = `
  import(${JSON.stringify(join(import.meta.dirname, 'ask-thread.ts'))}).then(({ answerRequests }) =>
    answerRequests(async (word, note) => {
      if (word === 'throw') throw new Error('a bug')
      if (word === 'exit') process.exit(0)
      note(word.length)
      return word.toUpperCase()
    }))`

function setUp(): Thread<string, string, number> & { seen: { ready: number; ends: unknown[] } } {
  const seen = { ready: 0, ends: [] as unknown[] }
  const thread = askThread<string, string, number>(new Worker(source, { eval: true }), {
    lost: (cause) => new Error('lost', { cause }),
    onReady: () => {
      seen.ready += 1
    },
    onEnd: (cause) => void seen.ends.push(cause),
  })
  return { ...thread, seen }
}

test('requests are answered in order, notes before the answer; the thread ends after its last answer', async () => {
  const thread = setUp()
  const notes: number[] = []
  const answers = ['one', 'three'].map((word) => thread.ask(word, (note) => notes.push(note)))
  expect(thread.waiting()).toBe(2)
  await thread.end()
  expect([await Promise.all(answers), notes, thread.waiting()]).toEqual([['ONE', 'THREE'], [3, 5], 0])
  expect(thread.seen).toEqual({ ready: 1, ends: [undefined] })
})

test('requests of a thread that dies fail with its cause, and so do all later ones', async () => {
  const thread = setUp()
  const asked = [thread.ask('throw'), thread.ask('one')]
  for (const failed of await Promise.allSettled(asked))
    expect(failed).toMatchObject({ reason: { message: 'lost', cause: { message: 'a bug' } } })
  await expect(thread.ask('one')).rejects.toThrow('lost')
  expect(thread.seen.ends).toMatchObject([{ message: 'a bug' }])
})

test('a request of a thread that ends without an answer fails', async () => {
  const thread = setUp()
  await expect(thread.ask('exit')).rejects.toThrow('lost')
})
