import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'

type Answer = { countries: { code: string; callingCode: string }[] }

test('GET /phone-countries lists every country with local numbers, for every signed-in user', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const changes = await t.changes(async () => {
    const { status, body } = await viewer.get<Answer>('/phone-countries')
    expect(status).toBe(200)
    const codes = body.countries.map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(200)
    expect(codes).toEqual([...new Set(codes)].sort())
    expect(body.countries).toEqual(
      expect.arrayContaining([
        { code: 'ZA', callingCode: '27' },
        { code: 'US', callingCode: '1' },
        { code: 'GB', callingCode: '44' },
      ]),
    )
  })
  expect(changes).toEqual({})
  expect((await t.visitor().get('/phone-countries')).status).toBe(401)
})
