import { expect, test } from 'vitest'
import { examineHere } from '../test/examine-answer.ts'
import { indicatorIn } from './injection.rules.ts'
import { redact } from './redact.rules.ts'

/*
 * Texts that make a careless pattern slow: long runs of what a pattern repeats, and starts that never end. Quadratic work takes sixteen times as long
 * for a text of four times the length. Half of that is allowed, because large texts cost the garbage collector more. The length before NFKC counts
 * for signs that NFKC makes longer.
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
const lengths = [5_000, 20_000] as const

const MAX_RATIO = 8

/** Below this a time says nothing: the clock and the garbage collector weigh more. */
const NOISE_MS = 20
/** Maximum number of measurements. Other work of the machine only adds to a time, so the shortest of several is compared. */
const ROUNDS = 40

function expectLinear(work: (text: string) => unknown, run: string): void {
  const [short, long] = lengths.map((length) => run.repeat(Math.ceil(length / run.length)).slice(0, length))
  const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
  let round = 0
  do {
    best.short = Math.min(
      best.short,
      timeOf(() => work(short as string)),
    )
    best.long = Math.min(
      best.long,
      timeOf(() => work(long as string)),
    )
    round += 1
  } while (best.long > Math.max(MAX_RATIO * best.short, NOISE_MS) && round < ROUNDS)
  expect([run, best, round < ROUNDS]).toEqual([run, best, true])
}

/** Returns the processor time of a call in milliseconds. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
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
