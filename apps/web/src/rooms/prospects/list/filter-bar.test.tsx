import type { RemovedFilterValue } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type FilterField, fieldNames, fields } from './filter-fields.ts'
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
    'GET /businesses/similar-names': json({ items: [], city: 'Gqeberha', isRenewing: false }),
    'GET /businesses': json({
      items: [],
      page: { limit: 1, returned: 0, nextCursor: null, total: { value: 12, counts: 'all' } },
    }),
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

const begin = async (field: string) => {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: field, exact: true }).click()
}

test('by keyboard alone, a text field takes several values, and another operator keeps them', async () => {
  await bar()
  const add = page.getByRole('button', { name: 'Add filter' })
  add.element().focus()
  await userEvent.keyboard('{Enter}')
  const item = page.getByRole('menuitem', { name: 'City' })
  await expect.element(item).toBeVisible()
  item.element().focus()
  await userEvent.keyboard('{Enter}')
  const value = page.getByRole('combobox', { name: 'City' })
  await expect.element(value).toHaveFocus()
  await userEvent.keyboard('Cape Town{Enter}')
  await expect.element(address()).toHaveTextContent('{"city":"Cape Town"}')
  await userEvent.keyboard('Paarl{Enter}')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:any_of:Cape Town,Paarl"}')
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(page.getByRole('combobox', { name: 'Operator' })).toHaveFocus()
  await choose('Operator', 'contains')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:contains:Cape Town,Paarl"}')
  await choose('Operator', 'is empty')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:is_empty"}')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'City: without city' })).toHaveFocus()
})

test('a typed town offers the town that it names, with its number of prospects', async () => {
  await bar()
  await begin('City')
  await expect.element(page.getByRole('combobox', { name: 'City' })).toHaveFocus()
  await userEvent.keyboard('Port Elizabeth')
  await expect.element(page.getByText('Gqeberha')).toBeVisible()
  await expect.element(page.getByText('12', { exact: true })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(address()).toHaveTextContent('{"city":"Gqeberha"}')
})

test('last contact offers days without contact, and never', async () => {
  await bar()
  await begin('Last contact')
  await expect.element(page.getByRole('textbox', { name: 'Days' })).toHaveFocus()
  await userEvent.keyboard('45')
  await expect.element(address()).toHaveTextContent('{"conditions":"lastInteraction:not_within_days:45"}')
  await page.getByRole('button', { name: 'Never' }).click()
  await expect.element(address()).toHaveTextContent('{"conditions":"lastInteraction:is_empty"}')
  await expect.element(page.getByRole('button', { name: 'Last contact: never contacted' })).toHaveFocus()
})

test('the outcome of the last contact is chosen by its words, and a prospect that was never contacted has none', async () => {
  await bar()
  await begin('Last outcome')
  await page.getByRole('option', { name: 'No answer' }).click()
  await expect.element(address()).toHaveTextContent('{"lastOutcome":"no_answer"}')
  const chip = page.getByRole('button', { name: 'Last outcome: whose last outcome is No answer' })
  await expect.element(chip).toHaveFocus()
  await chip.click()
  await page.getByRole('option', { name: 'Never contacted' }).click()
  await expect.element(address()).toHaveTextContent('{"lastOutcome":"none"}')
  await expect.element(page.getByRole('button', { name: 'Last outcome: never contacted' })).toBeVisible()
})

test('Escape keeps a typed text, and drops a filter in which nothing was begun', async () => {
  await bar()
  await begin('City')
  await expect.element(page.getByRole('combobox', { name: 'City' })).toHaveFocus()
  await userEvent.keyboard('Paa{Escape}')
  await expect.element(address()).toHaveTextContent('{"city":"Paa"}')
  await expect.element(page.getByRole('button', { name: 'City: with city Paa' })).toHaveFocus()
  await begin('Province')
  await expect.element(page.getByRole('combobox', { name: 'Province' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Province' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Add filter' })).toHaveFocus()
  await expect.element(address()).toHaveTextContent('{"city":"Paa"}')
})

test('Escape in the list of operators closes that list, and a filter with another operator stays begun', async () => {
  await bar()
  await begin('City')
  await choose('Operator', 'is none of')
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await expect.element(page.getByRole('option', { name: 'contains' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  const operator = page.getByRole('combobox', { name: 'Operator' })
  await expect.element(operator).toHaveAttribute('aria-expanded', 'false')
  await expect.element(operator).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('combobox', { name: 'City' })).not.toBeInTheDocument()
  await expect.element(address()).toHaveTextContent('{}')
  await page.getByRole('button', { name: 'City: City is none of …' }).click()
  await userEvent.keyboard('Paarl{Enter}')
  await expect.element(address()).toHaveTextContent('{"conditions":"city:none_of:Paarl"}')
})

test('Enter chooses one value and closes the editor; Shift+Enter and the boxes add more', async () => {
  await bar({ state: 'won' })
  await page.getByRole('button', { name: 'Pipeline state: in Won' }).click()
  const value = page.getByRole('combobox', { name: 'Pipeline state' })
  await expect.element(value).toHaveFocus()
  await userEvent.keyboard('contacted')
  await expect.element(value).toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{Enter}')
  await expect.element(address()).toHaveTextContent('{"state":"contacted"}')
  await expect.element(page.getByRole('button', { name: 'Pipeline state: in Contacted' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(value).toHaveFocus()
  await userEvent.keyboard('new')
  await expect.element(value).toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(address()).toHaveTextContent('{"conditions":"state:any_of:contacted,new"}')
  await choose('Operator', 'is none of')
  await expect.element(address()).toHaveTextContent('{"conditions":"state:none_of:contacted,new"}')
  await page.getByRole('option', { name: 'Contacted' }).click()
  await expect.element(address()).toHaveTextContent('{"conditions":"state:none_of:new"}')
})

test('open is a group of states, which the address and the chip name', async () => {
  await bar()
  await begin('Pipeline state')
  await page.getByRole('option', { name: 'Open' }).click()
  await expect.element(address()).toHaveTextContent('{"state":"open"}')
  await page.getByRole('button', { name: 'Pipeline state: that are open' }).click()
  await expect.element(page.getByRole('option', { name: 'Open' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('won')
  await expect.element(page.getByRole('combobox', { name: 'Pipeline state' })).toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect
    .element(page.getByRole('button', { name: 'Pipeline state: that are open or in Won' }))
    .toBeInTheDocument()
})

test('a range of scores takes own numbers', async () => {
  await bar()
  await begin('Score')
  await expect.element(page.getByRole('textbox', { name: 'From' })).toHaveFocus()
  await userEvent.keyboard('35{Tab}55{Escape}')
  await expect.element(address()).toHaveTextContent('{"scoreFrom":"35","scoreTo":"55"}')
  await expect.element(page.getByRole('button', { name: 'Score: with a score from 35 to 55' })).toHaveFocus()
})

test('nobody is a choice of its own', async () => {
  await bar()
  await begin('Assignee')
  await page.getByRole('option', { name: 'Unassigned' }).click()
  await expect.element(address()).toHaveTextContent('{"assignee":"none"}')
})

test('a value that no longer exists is shown as such and can be taken out', async () => {
  await bar({ conditions: 'assignee:any_of:user-2,user-9' })
  await page.getByRole('button', { name: /^Assignee:/ }).click()
  await page.getByRole('option', { name: 'user-9 (no longer exists)' }).click()
  await expect.element(address()).toHaveTextContent('{"assignee":"user-2"}')
})

test('relative days and ranges of creation are one condition', async () => {
  await bar()
  await begin('Created')
  await expect.element(page.getByRole('textbox', { name: 'Days' })).toHaveFocus()
  await userEvent.keyboard('30')
  await expect.element(address()).toHaveTextContent('{"conditions":"createdAt:within_days:30"}')
  await choose('Operator', 'is between')
  await page.getByRole('textbox', { name: 'From' }).fill('2026-11-20')
  await userEvent.keyboard('{Enter}')
  await expect.element(address()).toHaveTextContent('{"conditions":"createdAt:between:2026-11-19T22:00:00.000Z,"}')
})

test('fields of each kind open in the editor with the focus in the value', async () => {
  await bar()
  const kindOf = (field: FilterField) => `${fields[field].kind} ${fields[field].ops[0]}`
  const kinds = fieldNames.map(kindOf)
  for (const field of fieldNames.filter((one, at) => one !== 'q' && kinds.indexOf(kindOf(one)) === at)) {
    await begin(fields[field].name)
    const editor = page.getByRole('dialog', { name: fields[field].name })
    await expect.element(editor).toBeVisible()
    await expect
      .poll(() => [field, editor.element().contains(document.activeElement), document.activeElement?.ariaLabel])
      .not.toEqual([field, true, 'Operator'])
    await userEvent.keyboard('{Escape}')
    await expect.element(editor).not.toBeInTheDocument()
  }
})

const removedTag: RemovedFilterValue = { field: 'tag', value: 'solar', name: null, effect: 'matches_nothing' }
const formerMember: RemovedFilterValue = { field: 'assignee', value: 'user-9', name: 'Zed Zulu', effect: 'ignored' }

test('a tag that no prospect has is named with its effect, and one click takes it out of the address', async () => {
  await bar({ tag: 'solar', state: 'won' }, [removedTag])
  await expect
    .element(page.getByText(/^The tag “solar” no longer exists: this condition matches no prospect\./))
    .toBeVisible()
  await page.getByRole('button', { name: 'Remove tag “solar” from the filter' }).click()
  await expect.element(address()).toHaveTextContent('{"state":"won"}')
  await expect.element(page.getByText(/no longer exists/)).not.toBeInTheDocument()
})

test('a former member among several values is named, and one click leaves the other values', async () => {
  await bar({ conditions: 'assignee:any_of:user-2,user-9;tag:is_empty' }, [formerMember])
  await expect
    .element(page.getByText(/^The assignee Zed Zulu has left the workspace: this value is ignored\./))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Assignee: .*assigned to Zed Zulu$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove assignee Zed Zulu from the filter' }).click()
  await expect.element(address()).toHaveTextContent('{"assignee":"user-2","conditions":"tag:is_empty"}')
})

test('a list by one former member says that it shows the prospects that are still assigned', async () => {
  await bar({ assignee: 'user-9' }, [{ ...formerMember, effect: 'still_matches' }])
  await expect.element(page.getByText(/still finds the prospects that are assigned to this person/)).toBeVisible()
})

test('an unknown person matches nothing', async () => {
  await bar({ assignee: 'user-9' }, [{ ...formerMember, name: null, effect: 'matches_nothing' }])
  await expect.element(page.getByText(/this condition matches no prospect/)).toBeVisible()
})
