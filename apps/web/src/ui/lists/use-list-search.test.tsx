import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { oneOf, withoutUndefined } from './search-params.ts'
import { useListSearch } from './use-list-search.ts'

type Search = { status?: 'open' | 'closed'; kind?: 'call' }

const parse = ({ status, kind }: Record<string, unknown>): Search =>
  withoutUndefined({ status: oneOf(['open', 'closed'], status), kind: oneOf(['call'], kind) })

function Filters() {
  const { search, set, clear, isFiltered } = useListSearch(parse)
  return (
    <>
      <output aria-label="Filters">{`${JSON.stringify(search)} ${isFiltered}`}</output>
      <button type="button" onClick={() => set({ status: 'closed' })}>
        Closed
      </button>
      <button type="button" onClick={() => set({ status: undefined })}>
        Any status
      </button>
      <button type="button" onClick={clear}>
        Clear
      </button>
    </>
  )
}

const shown = page.getByRole('status', { name: 'Filters' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('the address has the valid filters; a change replaces one of them, and Back restores what was cleared', async () => {
  const { router } = await renderInApp(<Filters />, { path: '/?status=open&kind=call&other=x' })
  await expect.element(shown).toHaveTextContent('{"status":"open","kind":"call"} true')
  await press('Closed')
  await expect.element(shown).toHaveTextContent('{"status":"closed","kind":"call"} true')
  expect(router.state.location.searchStr).toBe('?status=closed&kind=call')
  await press('Any status')
  await expect.element(shown).toHaveTextContent('{"kind":"call"} true')
  await press('Clear')
  await expect.element(shown).toHaveTextContent('{} false')
  expect(router.state.location.searchStr).toBe('')
  router.history.back()
  await expect.element(shown).toHaveTextContent('{"kind":"call"} true')
})
