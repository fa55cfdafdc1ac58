import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { ClaimValue } from './claim-value.tsx'

const value = 'Karoo Grill (Pty) Ltd'

test('a claim is shown as it is written, with how it agrees with the value of the record', async () => {
  await renderInApp(
    <ul>
      <li>
        <ClaimValue claim={{ value, agreement: 'same', agreementReason: null }} value={value} />
      </li>
      <li>
        <ClaimValue claim={{ value: 'KAROO GRILL PTY LTD', agreement: 'same', agreementReason: null }} value={value} />
      </li>
      <li>
        <ClaimValue
          claim={{ value: 'The Karoo Grill', agreement: 'compatible', agreementReason: 'article_missing' }}
          value={value}
        />
      </li>
      <li>
        <ClaimValue
          claim={{ value: 'Karoo Gril', agreement: 'unknown', agreementReason: 'similar_spelling' }}
          value={value}
        />
      </li>
      <li>
        <ClaimValue claim={{ value: 'Vleiland', agreement: 'different', agreementReason: null }} value={value} />
      </li>
    </ul>,
  )
  await expect.element(page.getByRole('list')).toBeVisible()
  expect(
    page
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual([
    'Agrees',
    'Says KAROO GRILL PTY LTD (agrees)',
    'Says The Karoo Grill (agrees, one of the two without “the”)',
    'Says Karoo Gril (not comparable: a similar spelling)',
    'Says Vleiland (contradicts)',
  ])
})
