import type { BusinessSummary } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { useProspectPages } from './use-prospect-pages.ts'

const row = (id: string) => ({ id, version: 1, name: id }) as BusinessSummary
const listed = (ids: string[], nextCursor: string | null) =>
  json({ items: ids.map(row), page: { limit: 2, returned: ids.length, nextCursor, total: null } })

function List() {
  const { rows, loadMore } = useProspectPages({ sort: '-score' }, 2)
  return (
    <>
      <ul>
        {rows.map(({ id }) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
      <button type="button" onClick={loadMore}>
        More
      </button>
    </>
  )
}

test('a list whose scores were replaced is loaded from its start and names the version', async () => {
  fakeApi({
    'GET /businesses': [listed(['old 1', 'old 2'], 'c1'), problem(409, 'scores_switched'), listed(['new 1'], null)],
    'GET /scoring/active': json({ active: { version: 4 } }),
  })
  await renderInApp(<List />)
  await expect.element(page.getByText('old 2')).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByText('Scores now use version 4. The list was reloaded.')).toBeVisible()
  await expect.element(page.getByRole('listitem')).toHaveTextContent('new 1')
})
