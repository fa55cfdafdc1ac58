import type { RemovedFilterValue } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type ProspectSearch, parseProspectSearch } from './prospect-search.ts'

const pipeline = {
  states: ['new', 'contacted', 'won'].map((state) => ({ state, enabled: true, count: 1 })),
  transitions: [],
}

type BarProps = { first?: ProspectSearch }

/** The bar with an address of its own, which it shows. */
function Bar({ first = {} }: BarProps) {
  const [search, setSearch] = useState(first)
  return (
    <>
      <FilterBar
        search={search}
        change={(patch) => setSearch((now) => parseProspectSearch({ ...now, ...patch }))}
        clear={() => setSearch({})}
      />
      <output aria-label="Address">{JSON.stringify(search)}</output>
    </>
  )
}

async function bar(first: ProspectSearch = {}, removed: RemovedFilterValue[] = []) {
  const isLeft = ({ field, value }: RemovedFilterValue, conditions: string) =>
    conditions.includes(`"${field}"`) && conditions.includes(`"${value}"`)
  fakeApi({
    'GET /pipeline': json(pipeline),
    'GET /assignees': json({ items: [{ id: 'user-2', name: 'Ben Botha' }] }),
    'GET /businesses/tags': json({ items: [], page: { limit: 20, returned: 0, nextCursor: null, total: null } }),
    'GET /businesses/removed-filter-values': ({ query }) =>
      Response.json({ removed: removed.filter((one) => isLeft(one, query.get('conditions') ?? '')) }),
  })
  await renderInApp(<Bar first={first} />)
}

const address = () => page.getByRole('status', { name: 'Address' })
const choose = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a text field takes several values, and another operator keeps them', async () => {
  await bar()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'City' }).click()
  const values = page.getByRole('combobox', { name: 'Values' }).or(page.getByRole('textbox', { name: 'Values' }))
  await values.click()
  await userEvent.keyboard('Cape Town{Enter}')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:any_of:Cape Town"}')
  await userEvent.keyboard('Paarl{Enter}')
  await choose('Operator', 'contains')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:contains:Cape Town,Paarl"}')
  await choose('Operator', 'is empty')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:is_empty"}')
  await expect.element(page.getByRole('button', { name: 'City: without city' })).toBeVisible()
})

test('a chip of one value becomes one of several, or an exclusion', async () => {
  await bar({ state: 'won' })
  await page.getByRole('button', { name: 'Pipeline state: in Won' }).click()
  await page.getByRole('button', { name: 'More conditions…' }).click()
  await page.getByRole('checkbox', { name: 'New' }).click()
  await expect.element(address()).toHaveTextContent('{"conditions":"state:any_of:won,new"}')
  await choose('Operator', 'is none of')
  await expect.element(address()).toHaveTextContent('{"conditions":"state:none_of:won,new"}')
})

test('a value that no longer exists is shown as such and can be taken out', async () => {
  await bar({ conditions: 'assignee:any_of:user-2,user-9' })
  await page.getByRole('button', { name: /^Assignee:/ }).click()
  await page.getByRole('checkbox', { name: 'user-9 (no longer exists)' }).click()
  await expect.element(address()).toHaveTextContent('{"conditions":"assignee:any_of:user-2"}')
})

test('relative days and ranges of creation are one condition', async () => {
  await bar()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Created' }).click()
  await page.getByRole('textbox', { name: 'Days' }).fill('30')
  await expect.element(address()).toHaveTextContent('{"conditions":"createdAt:within_days:30"}')
  await choose('Operator', 'is between')
  await page.getByRole('textbox', { name: 'From' }).fill('2026-11-20')
  await userEvent.keyboard('{Enter}')
  await expect.element(address()).toHaveTextContent('{"conditions":"createdAt:between:2026-11-19T22:00:00.000Z,"}')
})

const removedTag: RemovedFilterValue = { field: 'tag', value: 'solar', name: null, effect: 'matches_nothing' }
const formerMember: RemovedFilterValue = { field: 'assignee', value: 'user-9', name: 'Zed Zulu', effect: 'ignored' }

test('a tag that no prospect has is named with its effect, and one click takes it out of the address', async () => {
  await bar({ tag: 'solar', state: 'won' }, [removedTag])
  await expect
    .element(page.getByText(/^The tag “solar” no longer exists: this condition matches nothing\./))
    .toBeVisible()
  await page.getByRole('button', { name: 'Remove tag “solar” from the filter' }).click()
  await expect.element(address()).toHaveTextContent('{"state":"won"}')
  await expect.element(page.getByText(/no longer exists/)).not.toBeInTheDocument()
})

test('a former member among several values is named, and one click leaves the other values', async () => {
  await bar({ conditions: 'assignee:any_of:user-2,user-9;tag:is_empty' }, [formerMember])
  await expect
    .element(page.getByText(/^The assignee Zed Zulu is no longer a member: this value is ignored\./))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Assignee: .*assigned to Zed Zulu$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove assignee Zed Zulu from the filter' }).click()
  await expect.element(address()).toHaveTextContent('{"conditions":"assignee:any_of:user-2;tag:is_empty"}')
})

test('a list by one former member says that it shows the prospects that are still assigned', async () => {
  await bar({ assignee: 'user-9' }, [{ ...formerMember, effect: 'still_matches' }])
  await expect.element(page.getByText(/prospects that are still assigned to this person/)).toBeVisible()
})

test('an unknown person matches nothing', async () => {
  await bar({ assignee: 'user-9' }, [{ ...formerMember, name: null, effect: 'matches_nothing' }])
  await expect.element(page.getByText(/this condition matches nothing/)).toBeVisible()
})
