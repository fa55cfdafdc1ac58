import { expect, test } from 'vitest'
import { examineHere } from '../test/examine-answer.ts'
import { indicatorIn } from './injection.rules.ts'
import { redact } from './redact.rules.ts'

/*
 * Texts that make a careless pattern slow: long runs of what a pattern repeats, and starts that never end. A text of twice the length may take
 * 2.5 times as long. The length before NFKC counts for signs that NFKC makes longer.
 */

const longerByNfkc = ['㌖', '㏂', '⁗', '…', 'ﷺ']
const runs = [
  ...['a', 'aB', 'a1', '1', 'a.', 'a-', 'a_', 'a@', '@', '.', '-', '=', ' ', '\n', '#', '"', '_', '0 8-', '(0)', '+'],
  ...['a at ', ' dot ', 'a dot ', '[.]', '(at)', '%40', '。', 'www.', 'a://', 'http://a:', '//', 'a/', 'a=', 'a:b@'],
  ...['<', '<a', '<a ', '<!--', '<script ', '</', '&#', '&#1', '<password>', '-----BEGIN A-----', 'eyJ', '-eyJaaaa'],
  ...['password ', 'password\n', 'wagwoord vir ', 'pin ', 'pin 1 ', 'code for the ', 'session id ', 'csrf_', 'token '],
  ...[
    'Authorization: a,',
    'Authorization: "',
    'Digest a="b", ',
    'cookie: a=b; ',
    'seed phrase ab ',
    'login a ',
    'mysql -',
  ],
  ...['ignore ', 'ignore all,,,   ', 'vergeet ', 'ff ', '%41', '\\u0041', '<|', 'system'],
]
const lengths = [5_000, 10_000] as const

/** The shortest processor time of some runs in milliseconds, because other work of the machine only adds to it. */
function timeOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let index = 0; index < 5; index += 1) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

/** Below this a time says nothing: the clock and the garbage collector weigh more. */
const NOISE_MS = 8

function expectLinear(work: (text: string) => unknown, run: string): void {
  const [short, long] = lengths.map((length) => {
    const text = run.repeat(Math.ceil(length / run.length)).slice(0, length)
    return timeOf(() => work(text))
  }) as [number, number]
  expect([run, long, long <= Math.max(2.5 * short, NOISE_MS)]).toEqual([run, long, true])
}

const answerOf = (text: string) => {
  const quotes = [text.slice(0, 2_000)]
  const claims = Array.from({ length: 12 }, () => ({ text: text.slice(0, 1_000), citations: [{ item: 'E1', quotes }] }))
  return { text: JSON.stringify({ receipt: 'r', claims }), finishReason: 'stop' }
}

test.each([...longerByNfkc, ...runs])('the time of the rules grows with the length of a text of %j', (run) => {
  expectLinear(redact, run)
  expectLinear(indicatorIn, run)
})

test.each([...longerByNfkc, ...runs])(
  'the time to examine an answer grows with the length of a prompt of %j',
  (run) => {
    expectLinear((text) => {
      const sent = { receipt: 'r', input: JSON.stringify([text]), items: [{ item: 'E1', parts: [text] }] }
      return examineHere(answerOf(text), sent)
    }, run)
  },
)
