import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { ProspectSelect } from './prospect-select.tsx'

const select = (chosen: string | null) => <ProspectSelect label="Prospect" chosen={chosen} choose={() => undefined} />
const input = page.getByRole('combobox', { name: 'Prospect' })

test('a prospect that the address names after another one was picked has its own name', async () => {
  fakeApi({
    'GET /businesses': json({
      items: [{ id: 'b1', name: 'Karoo Solar', city: 'Prince Albert', doNotContact: false }],
      page: { limit: 8, returned: 1, nextCursor: null, total: null },
    }),
    'GET /businesses/b2': json({ id: 'b2', name: 'Tembisa Tyres' }),
  })
  const session = sessionOf({ permissions: ['businesses.read'] })
  const { show } = await renderInApp(select(null), { session })
  await input.fill('Karoo')
  await page.getByRole('option', { name: 'Karoo Solar · Prince Albert' }).click()
  show(select('b1'))
  await expect.element(input).toHaveValue('Karoo Solar · Prince Albert')
  show(select('b2'))
  await expect.element(input).toHaveValue('Tembisa Tyres')
})
