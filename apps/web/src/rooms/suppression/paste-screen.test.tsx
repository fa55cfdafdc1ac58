import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type Answer, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { PasteScreen } from './paste-screen.tsx'

const session = sessionOf({ permissions: ['suppression.add'] })
const lines = page.getByRole('textbox', { name: 'Lines' })

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('passed lines are added once to the text of an older draft', async () => {
  fakeApi({ 'GET /phone-countries': json({ items: [] }) })
  const { router, show } = await renderInApp(<PasteScreen key="draft" />, { session })
  await lines.fill('old@desk.example')
  show(<p>Rows of a file</p>)
  const pastedLines = { text: '082 555 1018\nstop@desk.example', region: 'ZA' }
  await router.navigate({ to: '/', state: { pastedLines } as never })
  show(<PasteScreen key="passed" />)
  const all = 'old@desk.example\n082 555 1018\nstop@desk.example'
  await expect.element(lines).toHaveValue(all)
  await expect.poll(() => router.state.location.state.pastedLines).toBeUndefined()
  show(<PasteScreen key="opened again" />)
  await expect.element(lines).toHaveValue(all)
})

type Sent = { lines: string[] }
const shown = (text: string, at: number) => ({
  line: at + 1,
  text,
  kind: 'email',
  normalized: text,
  ignored: null,
  code: null,
  message: null,
})

test('more than 1,000 lines are added in parts, and after a failure only the rest is sent again', async () => {
  const preview: Answer = ({ body }) =>
    Response.json({
      items: (body as Sent).lines.map((text, at) => ({ ...shown(text, at), outcome: 'would_add', records: 0 })),
      records: 0,
    })
  const add: Answer = ({ body }) =>
    Response.json({
      items: (body as Sent).lines.map((text, at) => ({
        ...shown(text, at),
        outcome: 'added',
        suppressionId: null,
        marked: 0,
      })),
      added: (body as Sent).lines.length,
      marked: 0,
    })
  const { sentTo } = fakeApi({
    'GET /phone-countries': json({ items: [] }),
    'POST /suppressions/batch-previews': preview,
    'POST /suppressions/batches': [add, problem(503, 'unavailable'), add],
  })
  const { router, show } = await renderInApp(<p>Rows of a file</p>, { session })
  const text = Array.from({ length: 2_100 }, (_, at) => `stop${at}@desk.example`).join('\n')
  await router.navigate({ to: '/', state: { pastedLines: { text, region: null } } as never })
  show(<PasteScreen />)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect.element(page.getByText(/2.100 to add\. These lines block no prospect now/)).toBeInTheDocument()
  await expect.element(page.getByText(/^1.100 more lines are not shown/)).toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Reason' }).fill('They asked at the expo.')
  await page.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: 'In person' }).click()
  await page.getByRole('button', { name: /^Add 2.100 entries/ }).click()
  await expect.element(page.getByText(/^1.000 entries were added before the failure/)).toBeInTheDocument()
  await page.getByRole('button', { name: /^Add 1.100 entries/ }).click()
  await expect.element(page.getByText(/^2.100 entries added/)).toBeInTheDocument()
  const counts = sentTo('POST /suppressions/batches').map(({ body }) => (body as Sent).lines.length)
  expect(counts).toEqual([1_000, 1_000, 1_000, 100])
})
