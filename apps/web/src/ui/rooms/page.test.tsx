import { createMemoryHistory, createRootRoute, createRouter, RouterProvider, useSearch } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { page as browserPage } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { oneOf, readSearch, withoutUndefined, writeSearch } from '../lists/search-params.ts'
import { page } from './page.ts'

const parse = ({ status }: Record<string, unknown>): { status?: 'open' | 'closed' } =>
  withoutUndefined({ status: oneOf(['open', 'closed'] as const, status) })

const List = () => <output>{JSON.stringify(useSearch({ strict: false }))}</output>

async function searchAt(address: string) {
  const root = createRootRoute()
  const routes = [page(root, '/list', async () => ({ List }), 'List', { parse })] as const
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: readSearch,
    stringifySearch: writeSearch,
  })
  await render(<RouterProvider router={router as never} />)
  return { shown: browserPage.getByRole('status'), router }
}

test('a screen gets only the valid parameters of its address', async () => {
  const { shown } = await searchAt('/list?status=lost&other=1')
  await expect.element(shown).toHaveTextContent('{}')
})

test('a valid parameter stays, and the dropped ones leave the address', async () => {
  const { shown, router } = await searchAt('/list?status=open&other=1')
  await expect.element(shown).toHaveTextContent('{"status":"open"}')
  await expect.poll(() => router.state.location.href).toBe('/list?status=open')
})
