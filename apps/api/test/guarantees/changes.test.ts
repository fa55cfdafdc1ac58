import { describe, test } from 'vitest'
import { takesNothing } from '../../src/http/validation.ts'
import { ask, askRefused, nameOf, seenAs, seenVersion } from '../asking.ts'
import type { Answer } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { bodyOf, byRoom } from '../operations.ts'
import type { Problem } from '../prospects.ts'
import type { Headers } from '../test-client.ts'

/* Tests rejections that all changing operations share. */

describe.each(byRoom(({ isOpen, method }) => !isOpen && method !== 'get'))('every change of %s', (_room, changing) => {
  test('returns 403 without the CSRF token, with that of another session and from a foreign origin, and changes nothing', async ({
    expect,
  }) => {
    const { t, place } = await furnishedApp()
    const forged: Headers[] = [
      { 'x-csrf-token': undefined },
      { 'x-csrf-token': 'forged' },
      { 'x-csrf-token': '' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ]
    const answers = await askRefused(t, changing, place, [await t.as('administrator')], { headers: forged })
    expect(answers.map(seenAs)).toEqual(
      changing.flatMap((operation) => forged.map(() => [nameOf(operation), 403, 'csrf_token_invalid'])),
    )
  })

  const reading = changing.filter(({ body }) => body !== undefined)
  if (reading.length === 0) return

  test('refuses a body that is not JSON, not UTF-8, too deep, too large, of another type or not an object, and changes nothing', async ({
    expect,
  }) => {
    const { t, place } = await furnishedApp()
    const client = await t.as('administrator')
    const bodies: [body: unknown, status: number, headers?: Headers][] = [
      ['{"name":', 400],
      ['[]', 400],
      ['"text"', 400],
      ['{"__proto__":{}}', 400],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
      [`{"name":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
      [`{"name":"${'x'.repeat(300 * 1024)}"}`, 413],
      ['name=x', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
      ['{}', 415, { 'content-type': 'text/plain' }],
      ['<a/>', 415, { 'content-type': 'application/xml' }],
    ]
    // A route whose body has no properties accepts a missing one.
    const missing: typeof bodies = [
      ['', 400, { 'content-type': 'application/json' }],
      [null, 400],
      ['null', 400],
    ]
    for (const operation of reading) {
      const seen = await seenVersion(operation, place, client)
      const sent = takesNothing(operation.schema.body) ? bodies : [...bodies, ...missing]
      const statuses: number[] = []
      const changes = await t.changes(async () => {
        for (const [body, , headers] of sent)
          statuses.push((await ask(operation, place, { client, headers: { ...seen, ...headers }, body })).status)
      })
      expect([nameOf(operation), statuses]).toEqual([nameOf(operation), sent.map(([, status]) => status)])
      expect([nameOf(operation), changes]).toEqual([nameOf(operation), {}])
    }
  })

  test('names an unknown property and changes nothing', async ({ expect }) => {
    const { t, place } = await furnishedApp()
    const client = await t.as('administrator')
    for (const operation of reading) {
      const body = Object.assign({}, bodyOf(operation, place), { surprise: 1 })
      const answers: Answer<Problem>[] = []
      const headers = await seenVersion(operation, place, client)
      const changes = await t.changes(async () => {
        answers.push(await ask(operation, place, { client, headers, body }))
      })
      expect([nameOf(operation), changes, answers]).toMatchObject([
        nameOf(operation),
        {},
        [
          {
            status: 400,
            body: { code: 'invalid_request', errors: [{ path: 'surprise', code: 'unknown_property' }] },
            headers: { 'content-type': expect.stringContaining('application/problem+json') },
          },
        ],
      ])
    }
  })
})
