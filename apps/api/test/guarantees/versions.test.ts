import { describe, test } from 'vitest'
import { ask, nameOf, seenVersion } from '../asking.ts'
import type { Answer } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { byRoom } from '../operations.ts'
import type { Problem } from '../prospects.ts'

/* Tests If-Match of each PATCH and PUT. */

describe.each(byRoom(({ wantsVersion }) => wantsVersion))('every PATCH and PUT of %s', (_room, patches) => {
  test('requires the version that was read: 428 without, 400 for an invalid one, 412 with the current one when stale; nothing changes', async ({
    expect,
  }) => {
    const { t, place } = await furnishedApp()
    const client = await t.as('administrator')
    for (const patch of patches) {
      const current = await seenVersion(patch, place, client)
      const version = Number(/\d+/.exec(current['if-match'] ?? '')?.[0])
      const answers: Answer<Problem>[] = []
      const changes = await t.changes(async () => {
        for (const tag of [
          undefined,
          '',
          '*',
          String(version),
          `"${version}", "9"`,
          '"-1"',
          `"0${version}"`,
          '"0"',
          `"${version + 1}"`,
        ])
          answers.push(await ask(patch, place, { client, headers: { 'if-match': tag } }))
      })
      expect([nameOf(patch), changes]).toEqual([nameOf(patch), {}])
      expect(answers.map(({ status, body }) => [status, body.code, body.currentVersion])).toEqual([
        [428, 'precondition_required', undefined],
        ...Array.from({ length: 6 }, () => [400, 'invalid_request', undefined]),
        [412, 'version_conflict', version],
        [412, 'version_conflict', version],
      ])
    }
  })
})
