import type { User } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { PersonDialogs, type PersonTask } from './person-dialogs.tsx'

const ben = {
  id: 'u2',
  version: 1,
  name: 'Ben',
  email: 'ben@karoo.example',
  role: 'viewer',
  status: 'active',
  isShared: false,
} as unknown as User
const changing = 'PATCH /users/u2'

const open = (name: PersonTask['name']) =>
  renderInApp(
    <DialogSlot>
      <PersonDialogs task={{ name, user: ben }} close={() => undefined} reopen={() => undefined} />
    </DialogSlot>,
  )

const versions = (sent: { headers: Headers }[]) => sent.map(({ headers }) => headers.get('if-match'))

test('an edit that was refused because someone else changed the person is sent with the newest version', async () => {
  const { sentTo } = fakeApi({
    [changing]: [problem(412, 'version_conflict'), json({ ...ben, version: 6 })],
    'GET /users/u2': json({ ...ben, version: 5, role: 'operator' }),
    'GET /roles': json({ roles: [], permissions: [] }),
  })
  await open('edit')
  await page.getByRole('textbox', { name: 'Name' }).fill('Benjamin')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Someone else saved changes first.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sentTo(changing)).toHaveLength(2)
  expect(versions(sentTo(changing))).toEqual(['"1"', '"5"'])
  expect(sentTo(changing)[1]?.body).toEqual({ name: 'Benjamin' })
})

test('a confirmed action is repeated with the newest version too', async () => {
  const { sentTo } = fakeApi({
    [changing]: [problem(412, 'version_conflict'), json({ ...ben, version: 6 })],
    'GET /users/u2': json({ ...ben, version: 5 }),
  })
  await open('disable')
  const confirm = page.getByRole('button', { name: /^Disable/ })
  await confirm.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await confirm.click()
  await expect.poll(() => versions(sentTo(changing))).toEqual(['"1"', '"5"'])
})
