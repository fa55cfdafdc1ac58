import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
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
